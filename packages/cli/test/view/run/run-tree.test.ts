import type { SessionEvent, Step } from '@ambit/runtime';
import { describe, expect, it } from 'vitest';
import { RunTree } from '../../../src/view/run/run-tree.js';
import { treeLines } from '../../../src/view/run/tree-lines.js';
import { approved, at, came, decided, ended, finished, made, started, turn } from './events.js';

const main = ['main'] as const;
const helper = ['main', 'helper'] as const;
const call = (id: string, of: { readonly tool: string; readonly parent?: string }) =>
  decided(id, { chain: main, args: {}, decision: 'pre_approved', ...of });

function drawn(...events: readonly SessionEvent[]): readonly string[] {
  const tree = new RunTree();
  for (const event of events) tree.take(event);
  const lines = treeLines(tree, { width: 80, height: null, colour: false, now: at });
  return lines.map(({ text }) => text);
}

describe('RunTree', () => {
  it('shows calls of a tool below the call of that tool', () => {
    expect(drawn(started(main), call('a', { tool: 'a.b' }), call('c', { tool: 'c.d', parent: 'a' }))).toEqual(
      ['main · script:s.yaml', '└ › a.b', '  └ › c.d', '2 calls (2 running)'],
    );
  });

  it('shows a worker from the first call that starts its toolsets', () => {
    const start = call('s', { tool: 'toolset.start' });
    expect(drawn(start, came('s', 'completed'), started(main), turn(main, { input: 1, output: 2 }))).toEqual([
      'main · script:s.yaml · 1 in, 2 out',
      '└ ✓ toolset.start',
      '1 call · 1 tokens in, 2 out',
    ]);
  });

  it('names the person whose kept answer approved a call', () => {
    const kept = approved('a') as Extract<SessionEvent, { type: 'recorded' }>;
    const who = [{ by: 'kept', approval: 'q', person: 'ana' }];
    const event = { ...kept.event, how: 'grant', who } as typeof kept.event;
    const drawing = drawn(
      started(main),
      call('a', { tool: 'a.b' }),
      { ...kept, event },
      came('a', 'completed'),
    );
    expect(drawing[1]).toBe('└ ✓ a.b · by an answer of ana');
  });

  it('shows the chain of a worker whose call another process made', () => {
    expect(drawn(started(main, 'run'), started(helper, 'call-of-yesterday'))).toEqual([
      'main · script:s.yaml',
      'main › helper · script:s.yaml',
      '0 calls',
    ]);
  });

  it('ends a worker with its call, and all workers with the run', () => {
    const events = [
      started(main, 'run'),
      made(main, 'a', 'run'),
      made(main, 'b', 'run'),
      decided('a', { chain: main, tool: 'worker.helper', args: {}, decision: 'pre_approved' }),
      decided('b', { chain: main, tool: 'worker.helper', args: {}, decision: 'needs_approval' }),
      started(helper, 'a'),
      came('a', { failed: 'no model' }),
    ];
    expect(drawn(...events, ended('stopped', 'interrupted\n by the user'))).toEqual([
      'main · script:s.yaml · ended',
      '├ ! worker.helper · failed: no model',
      '│ └ helper · ended',
      '└ ? worker.helper · asks',
      'stopped: interrupted by the user · 2 calls (1 asking, 1 failed)',
    ]);
  });

  it('shows the earlier state of a resumed run, and continues its workers', () => {
    const tree = new RunTree();
    const message = { usage: { input_tokens: 10, output_tokens: 2 }, content: [] };
    const recorded = (...events: readonly SessionEvent[]): Step => ({
      step: 'events',
      events: events.flatMap((event) => (event.type === 'recorded' ? [event.event] : [])) as never,
    });
    const delegate = { chain: main, tool: 'worker.helper', args: {} };
    tree.recall(
      [
        { step: 'started', place: 'run', chain: main, model: 'script:s.yaml', content: '' },
        { step: 'turn', place: 'run', turn: 0, message, calls: ['a', 'b'] },
        recorded(decided('b', { ...delegate, decision: 'pre_approved' })),
        recorded(decided('a', { ...delegate, decision: 'pre_approved' })),
        { step: 'started', place: 'b', chain: helper, model: 'script:s.yaml', content: '' },
        { step: 'started', place: 'a', chain: helper, model: 'script:s.yaml', content: '' },
        { step: 'turn', place: 'b', turn: 0, message, calls: ['c'] },
        recorded(decided('c', { chain: helper, tool: 'c.d', args: {}, decision: 'needs_approval' })),
        recorded(came('a', 'completed')),
        recorded(ended('stopped', 'the machine was turned off')),
      ],
      at + 60_000,
    );
    const lines = () =>
      treeLines(tree, { width: 80, height: null, colour: false, now: at + 60_000 }).map(({ text }) => text);
    expect(lines()).toEqual([
      'main · script:s.yaml · 10 in, 2 out',
      '├ ✓ worker.helper',
      '│ └ helper',
      '└ › worker.helper',
      '  └ helper · 10 in, 2 out',
      '    └ ? c.d · asks',
      '3 calls (1 asking, 1 running) · 20 tokens in, 4 out',
    ]);
    for (const event of [
      started(main, 'run'),
      started(helper, 'b'),
      approved('c'),
      came('c', 'completed'),
      finished(helper, 'b'),
      came('b', 'completed'),
      finished(main, 'run'),
      ended('finished'),
    ])
      tree.take(event);
    expect(lines()).toEqual([
      'main · script:s.yaml · 10 in, 2 out',
      '├ ✓ worker.helper',
      '│ └ helper',
      '└ ✓ worker.helper',
      '  └ helper · 10 in, 2 out',
      '    └ ✓ c.d · by ana',
      'finished · 3 calls · 20 tokens in, 4 out',
    ]);
  });

  it('ignores events about unknown workers and calls', () => {
    expect(
      drawn(finished(helper, 'x'), turn(helper, { input: 1, output: 1 }), came('z', 'completed')),
    ).toEqual([]);
  });
});
