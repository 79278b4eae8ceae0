import { columnsOf } from '@ambit/core';
import type { SessionEvent } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { RunTree } from '../../../src/view/run/run-tree.js';
import { treeLines } from '../../../src/view/run/tree-lines.js';
import { approved, at, came, decided, ended, finished, made, started, turn } from './events.js';

const main = ['orchestrator'] as const;
const child = ['orchestrator', 'evaluator'] as const;
const evaluate = (name: string) => ({
  chain: main,
  tool: 'worker.evaluator',
  args: { input: `Evaluate ${name}`, attachments: [`input/${name}.pdf`] },
});

/** Three evaluators of one name at once, one of them asked about; then reports, one of which is refused. */
const run: readonly SessionEvent[] = [
  started(main, 'run'),
  turn(main, { input: 1204, output: 88, amount: 0.004_932, place: 'run' }),
  made(main, 'list', 'run'),
  decided('list', {
    chain: main,
    tool: 'filesystem.list_files',
    args: { path: 'input' },
    decision: 'pre_approved',
  }),
  came('list', 'completed'),
  ...['a', 'b', 'c'].map((call) => made(main, call, 'run')),
  decided('a', { ...evaluate('aurora'), decision: 'needs_approval' }),
  decided('b', { ...evaluate('basalt'), decision: 'needs_approval' }),
  decided('c', { ...evaluate('cinder'), decision: 'needs_approval' }),
  approved('a'),
  approved('b'),
  started(child, 'a'),
  started(child, 'b'),
  turn(child, { input: 2310, output: 410, amount: 0.013_08, place: 'b' }),
  made(child, 'inner', 'b'),
  decided('inner', {
    chain: child,
    tool: 'http.fetch',
    args: { method: 'GET', url: 'https://basalt.example/a/very/long/path/that/goes/on?and=on&and=on' },
    decision: 'blocked',
  }),
  came('inner', { refused: 'decks are confidential, so nothing in this job talks to the network' }),
  finished(child, 'b'),
  came('b', 'completed'),
];

const after: readonly SessionEvent[] = [
  approved('c'),
  started(child, 'c'),
  turn(child, { input: 2100, output: 300, amount: 0.0108, place: 'c' }),
  turn(child, { input: 2200, output: 350, amount: 0.011_85, place: 'a' }),
  finished(child, 'c'),
  finished(child, 'a'),
  came('a', 'completed'),
  came('c', { failed: 'the model does not answer:\noverloaded' }),
  finished(main, 'run'),
  ended('finished'),
];

function drawn(
  events: readonly SessionEvent[],
  of: { readonly width: number; readonly height?: number; readonly seconds?: number },
): string {
  const tree = new RunTree();
  for (const event of events) tree.take(event);
  const { width, height = null, seconds = 0 } = of;
  const lines = treeLines(tree, { width, height, colour: false, now: at + seconds * 1000 });
  expect(lines.map(({ text }) => columnsOf(text))).toEqual(lines.map(({ columns }) => columns));
  expect(lines.filter(({ columns }) => columns > width)).toEqual([]);
  return `\n${lines.map(({ text }) => text).join('\n')}\n`;
}

function withoutPlace(event: SessionEvent): SessionEvent {
  return JSON.parse(
    JSON.stringify(event, (key, value: unknown) => (key === 'place' ? undefined : value)),
  ) as SessionEvent;
}

describe('treeLines', () => {
  it('draws an active run in 80 columns', () => {
    expect(drawn(run, { width: 80, seconds: 12 })).toMatchInlineSnapshot(`
      "
      orchestrator · script:s.yaml · 1204 in, 88 out · 0.0049 USD
      ├ ✓ filesystem.list_files input
      ├ › worker.evaluator input/aurora.pdf · by ana, 12 s
      │ └ evaluator
      ├ ✓ worker.evaluator input/basalt.pdf · by ana
      │ └ evaluator · 2310 in, 410 out · 0.0131 USD
      │   └ ✗ http.fetch https://basalt.example/a… · blocked: decks are confidential,…
      └ ? worker.evaluator input/cinder.pdf · asks
      5 calls (1 asking, 1 running, 1 refused) · 3514 tokens in, 498 out · 0.0180 USD
      "
    `);
  });

  it('draws the same run in 40 columns', () => {
    expect(drawn(run, { width: 40, seconds: 12 })).toMatchInlineSnapshot(`
      "
      orchestrator · script:s.yaml · 1204 in,…
      ├ ✓ filesystem.list_files input
      ├ › worker.evaluator inp… · by ana, 12 s
      │ └ evaluator
      ├ ✓ worker.evaluator input/bas… · by ana
      │ └ evaluator · 2310 in, 410 out · 0.01…
      │   └ ✗ http.fetch http… · blocked: dec…
      └ ? worker.evaluator input/cinde… · asks
      5 calls (1 asking, 1 running, 1 refused)
      3514 tokens in, 498 out · 0.0180 USD
      "
    `);
  });

  it('draws a finished run', () => {
    expect(drawn([...run, ...after], { width: 80 })).toMatchInlineSnapshot(`
      "
      orchestrator · script:s.yaml · 1204 in, 88 out · 0.0049 USD
      ├ ✓ filesystem.list_files input
      ├ ✓ worker.evaluator input/aurora.pdf · by ana
      │ └ evaluator · 2200 in, 350 out · 0.0118 USD
      ├ ✓ worker.evaluator input/basalt.pdf · by ana
      │ └ evaluator · 2310 in, 410 out · 0.0131 USD
      │   └ ✗ http.fetch https://basalt.example/a… · blocked: decks are confidential,…
      └ ! worker.evaluator input/cinder.pdf · failed: the model does not answer: over…
        └ evaluator · 2100 in, 300 out · 0.0108 USD
      finished · 5 calls (1 refused, 1 failed) · 7814 tokens in, 1148 out · 0.0407 USD
      "
    `);
  });

  it('omits finished calls first, then refused ones, and never questions', () => {
    expect(drawn(run, { width: 80, height: 6 })).toMatchInlineSnapshot(`
      "
      … 4 lines more
      orchestrator · script:s.yaml · 1204 in, 88 out · 0.0049 USD
      ├ › worker.evaluator input/aurora.pdf · by ana
      │ └ evaluator
      └ ? worker.evaluator input/cinder.pdf · asks
      5 calls (1 asking, 1 running, 1 refused) · 3514 tokens in, 498 out · 0.0180 USD
      "
    `);
    expect(drawn(run, { width: 80, height: 4 })).toMatchInlineSnapshot(`
      "
      … 6 lines more
      orchestrator · script:s.yaml · 1204 in, 88 out · 0.0049 USD
      └ ? worker.evaluator input/cinder.pdf · asks
      5 calls (1 asking, 1 running, 1 refused) · 3514 tokens in, 498 out · 0.0180 USD
      "
    `);
    for (let height = 0; height < 12; height += 1)
      expect(drawn(run, { width: 80, height }).split('\n').length - 2).toBeLessThanOrEqual(
        Math.max(1, height),
      );
  });

  it('shortens the model name before tokens and costs', () => {
    const model = 'anthropic:claude-sonnet-4-5-20250929-of-somewhere';
    const own = [
      started(main, 'run'),
      made(main, 'a', 'run'),
      decided('a', { ...evaluate('aurora'), decision: 'pre_approved' }),
    ];
    const helper = { ...started(child, 'a'), model } as SessionEvent;
    const events = [...own, helper, turn(child, { input: 12_345, output: 678, amount: 0.0472, place: 'a' })];
    expect(drawn(events, { width: 79 }).split('\n')[3]).toBe(
      '  └ evaluator · anthropic:claude-sonnet-4-5-2… · 12345 in, 678 out · 0.0472 USD',
    );
    expect(drawn(events, { width: 120 })).toContain(
      `  └ evaluator · ${model} · 12345 in, 678 out · 0.0472 USD\n`,
    );
    expect(drawn(events, { width: 65 })).toContain(
      '  └ evaluator · anthropic:claud… · 12345 in, 678 out · 0.0472 USD\n',
    );
  });

  it('escapes control and invisible characters, and counts wide ones as two columns', () => {
    const odd = [
      started(main),
      decided('x', {
        chain: main,
        tool: 'a.b',
        args: { path: '\u001b[2J\u202egnp.exe\u200b' },
        decision: 'pre_approved',
      }),
      decided('y', {
        chain: main,
        tool: 'a.b',
        args: { path: '\u0338漢字かな交じり文'.repeat(4) },
        decision: 'pre_approved',
      }),
      decided('z', {
        chain: main,
        tool: 'a.b',
        args: { path: `e${'\u0301'.repeat(9)} 🎉🎉` },
        decision: 'pre_approved',
      }),
      came('z', { refused: 'two\n  lines\r\u001b]0;title\u0007' }),
      came('y', { failed: '漢字かな交じり文'.repeat(9) }),
    ];
    expect(drawn(odd, { width: 60 })).toMatchInlineSnapshot(`
      "
      orchestrator · script:s.yaml
      ├ › a.b \\u{1b}[2J\\u{202e}gnp.exe\\u{200b}
      ├ ! a.b \\u{338}漢字かな交じり文̸… · failed: 漢字かな交じり文…
      └ ✗ a.b é́́\\u{301}\\u{301}\\u{301}\\… · blocked: two lines \\u{1b…
      3 calls (1 running, 1 refused, 1 failed)
      "
    `);
  });

  it('shows ambiguous calls at their possible places', () => {
    const untold = run.map(withoutPlace).filter(({ type }) => type !== 'call_made');
    expect(drawn(untold, { width: 80 })).toMatchInlineSnapshot(`
      "
      orchestrator · script:s.yaml · 1204 in, 88 out · 0.0049 USD
      ├ ✓ filesystem.list_files input
      ├ › worker.evaluator input/aurora.pdf · by ana
      │ └ evaluator
      ├ ✓ worker.evaluator input/basalt.pdf · by ana
      │ └ evaluator · 2310 in, 410 out · 0.0131 USD
      │   └ ✗ http.fetch https://basalt.example/a… · blocked: decks are confidential,…
      └ ? worker.evaluator input/cinder.pdf · asks
      5 calls (1 asking, 1 running, 1 refused) · 3514 tokens in, 498 out · 0.0180 USD
      "
    `);
  });

  it('keeps the order in which calls were made, regardless of decisions', () => {
    const call = (tool: string) => decided(tool, { chain: main, tool, args: {}, decision: 'pre_approved' });
    const events = ['a.1', 'a.2', 'a.3'].map((tool) => made(main, tool, 'run'));
    const tree = drawn([started(main, 'run'), ...events, call('a.3'), call('a.1'), call('a.2')], {
      width: 80,
    });
    expect(tree.match(/a\.\d/g)).toEqual(['a.1', 'a.2', 'a.3']);
  });

  it('shows no costs if a turn has no price, or the run has no call', () => {
    const unpriced = [
      started(main),
      turn(main, { input: 1, output: 2, amount: 0.5 }),
      turn(main, { input: 1, output: 2 }),
    ];
    expect(drawn(unpriced, { width: 80 })).toBe(
      '\norchestrator · script:s.yaml · 2 in, 4 out\n0 calls · 2 tokens in, 4 out\n',
    );
    expect(drawn([], { width: 80 })).toBe('\n\n');
  });
});
