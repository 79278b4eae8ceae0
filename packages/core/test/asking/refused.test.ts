import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { type Approver, delegate, guard, type JsonObject, type Question } from '../../src/index.js';
import { turn } from '../guard/manual-clock.js';
import { answering, boxOf, no, policy, ruleAbout, type Setting, stage, write, yes } from '../guard/stage.js';

const put = (path: string, text = '') => ({ tool: 'put', args: { path, text } });
const refusing = (more: object = {}) => answering({ answer: 'refuse', person: 'ann', ...more });
const later = refusing({ ask_again: true });

/** A refusal of `put('/w/a')`, and yes to everything else that is asked. */
const afterNo = async (setting: Setting = {}) => {
  const set = stage({ answers: [no, yes], ...setting });
  await set.box.call(put('/w/a'));
  return set;
};

describe('a call that a person has refused', () => {
  it('is refused again if only the content of its file has changed', async () => {
    let digest = 'a'.repeat(64);
    const { box, asked } = await afterNo({
      tool: {
        describe: () => ({ capabilities: [{ ...write('/w/a'), exists: digest !== '', sha256: digest }] }),
      },
    });
    for (const next of ['b'.repeat(64), '']) {
      digest = next;
      expect(await box.call(put('/w/a'))).toMatchObject({ refusal: { code: 'denied' } });
    }
    expect(asked).toHaveLength(1);
  });

  it('is a new call if the code that it loads has changed', async () => {
    let digest = 'a'.repeat(64);
    const { box, asked } = await afterNo({
      tool: {
        describe: () => ({ capabilities: [{ name: 'code.load', path: '/w/a', sha256: digest }] }),
      },
    });
    digest = 'b'.repeat(64);
    expect(await box.call(put('/w/a'))).toMatchObject({ status: 'completed' });
    expect(asked).toHaveLength(2);
  });

  it('is refused without a question when repeated, and the count is reported and recorded', async () => {
    const { box, asked, executed, log } = await afterNo();
    const reasons = [];
    for (let back = 0; back < 2; back += 1) {
      const outcome = await box.call(put('/w/a'));
      reasons.push(outcome.status === 'refused' ? outcome.refusal : outcome);
    }
    const words =
      'ann refused this same call before (not today), and is not asked again in this run; it was repeated';
    expect(reasons).toEqual([
      { code: 'denied', reason: `${words} once`, rule: null, instead: null, came_back: 1 },
      { code: 'denied', reason: `${words} 2 times`, rule: null, instead: null, came_back: 2 },
    ]);
    expect([asked.length, executed.length]).toEqual([1, 0]);
    expect(log.of('outcome').map((event) => ('came_back' in event ? event.came_back : null))).toEqual([
      null,
      1,
      2,
    ]);
    expect(log.of('decision').map(({ decision }) => decision)).toEqual(Array(3).fill('needs_approval'));
    expect(log.of('approval')).toHaveLength(1);
  });

  it.each<readonly [string, JsonObject]>([
    ['its arguments in another order', { text: '', path: '/w/a' }],
    ['a default omitted', { path: '/w/a' }],
  ])('is recognised with %s', async (_, args) => {
    const { box, asked } = await afterNo();
    expect(await box.call({ tool: 'put', args })).toMatchObject({ refusal: { code: 'denied' } });
    expect(asked).toHaveLength(1);
  });

  it('is recognised with keys in another order, if the schema preserves them', async () => {
    const parse = (value: unknown) => ({ ok: true, value: value as JsonObject }) as const;
    const tool = { input: { json: {}, parse }, describe: () => ({ capabilities: [write('/w/a')] }) };
    const { box, asked } = stage({ answers: [no, yes], tool });
    const orders = [
      { path: '/w/a', more: { a: 1, b: [{ c: 2, d: 3 }] } },
      { more: { b: [{ d: 3, c: 2 }], a: 1 }, path: '/w/a' },
    ];
    for (const args of orders)
      expect(await box.call({ tool: 'put', args })).toMatchObject({ refusal: { code: 'denied' } });
    expect(asked).toHaveLength(1);
  });

  it('is recognised with its capabilities in another order', async () => {
    let [one, other] = [write('/w/a'), write('/w/b')];
    const { box, asked } = await afterNo({
      tool: {
        describe: () => {
          [one, other] = [other, one];
          return { capabilities: [one, other] };
        },
      },
    });
    await box.call(put('/w/a'));
    expect(asked).toHaveLength(1);
  });

  it('is a new call with other arguments', async () => {
    const { box, asked } = await afterNo();
    await box.call(put('/w/b'));
    await box.call(put('/w/a', 'x'));
    expect(asked).toHaveLength(3);
  });

  it('is a new call with other capabilities', async () => {
    let path = '/w/a';
    const { box, asked } = await afterNo({ tool: { describe: () => ({ capabilities: [write(path)] }) } });
    path = '/w/b';
    await box.call(put('/w/a'));
    expect(asked).toHaveLength(2);
  });

  it('is a new call from another chain', async () => {
    const { authority, asked, box } = await afterNo();
    const executed: JsonObject[] = [];
    await guard(boxOf(executed), delegate(authority, 'helper')).call(put('/w/a'));
    await box.call(put('/w/a'));
    expect([asked.length, executed.length]).toEqual([2, 1]);
  });

  it('is not permitted by an answer that is kept later', async () => {
    const keeping = answering({
      answer: 'approve',
      person: 'ann',
      keep: { remember: 'run', reach: 'folder' },
    });
    const { box, run, executed, asked } = await afterNo({ answers: [no, keeping] });
    await box.call(put('/w/b'));
    expect(run.asker.memory.kept).toHaveLength(1);
    expect(await box.call(put('/w/a'))).toMatchObject({ refusal: { code: 'denied' } });
    expect((await box.call(put('/w/c'))).status).toBe('completed');
    expect([asked.length, executed.length]).toEqual([2, 2]);
  });

  it('is reported as blocked if a policy blocks it', async () => {
    let decision: 'needs_approval' | 'blocked' = 'needs_approval';
    const asks = ruleAbout('fs.write', { condition: () => decision === 'needs_approval' });
    const blocks = ruleAbout('fs.write', {
      id: 'blocks',
      decision: 'blocked',
      condition: () => decision === 'blocked',
    });
    const { box } = await afterNo({ policies: [policy({ rules: [asks, blocks] })] });
    decision = 'blocked';
    expect(await box.call(put('/w/a'))).toMatchObject({ refusal: { code: 'blocked' } });
  });

  it('is asked about again if the person chose that, with the number of repetitions', async () => {
    const { box, asked, executed, log } = stage({ answers: [later, later, yes] });
    const outcomes = [];
    for (let round = 0; round < 3; round += 1) outcomes.push(await box.call(put('/w/a')));
    expect(asked.map(({ again }) => again)).toEqual([
      null,
      'ann refused this same call before; it was repeated once',
      'ann refused this same call before; it was repeated 2 times',
    ]);
    expect(
      outcomes.map((outcome) => (outcome.status === 'refused' ? outcome.refusal.reason : outcome.status)),
    ).toEqual(['ann refused this call', 'ann refused this call; it was repeated once', 'completed']);
    expect(executed).toHaveLength(1);
    expect(log.of('approval').map(({ ask_again }) => ask_again ?? null)).toEqual([true, true, null]);
  });

  it('is not asked about after the person withdraws that choice', async () => {
    const { box, asked } = stage({ answers: [later, no, yes] });
    for (let round = 0; round < 4; round += 1) await box.call(put('/w/a'));
    expect(asked).toHaveLength(2);
  });

  it('is refused if the choice is missing or not a boolean', async () => {
    for (const answer of [refusing(), refusing({ ask_again: false })]) {
      const { box, asked } = stage({ answers: [answer, yes] });
      for (let round = 0; round < 2; round += 1) await box.call(put('/w/a'));
      expect(asked).toHaveLength(1);
    }
    const { box } = stage({ answers: [refusing({ ask_again: 'yes' })] });
    expect(await box.call(put('/w/a'))).toMatchObject({ refusal: { code: 'unanswered' } });
  });

  it('can be approved as an edit of another call', async () => {
    const edits = answering({ answer: 'approve', person: 'ann', args: { path: '/w/a', text: '' } });
    const { box, asked, executed } = await afterNo({ answers: [no, edits, yes] });
    expect((await box.call(put('/w/b'))).status).toBe('completed');
    expect([asked.length, executed]).toEqual([3, [{ path: '/w/a', text: '' }]]);
  });

  it('is recognised in its original form too, if it had been edited', async () => {
    const edits = answering({ answer: 'approve', person: 'ann', args: { path: '/w/b', text: '' } });
    const { box, asked } = stage({ answers: [edits, no, yes] });
    for (const call of [put('/w/a'), put('/w/a'), put('/w/b')])
      expect(await box.call(call)).toMatchObject({ refusal: { code: 'denied' } });
    expect(asked).toHaveLength(2);
  });

  it('is refused for all simultaneous repetitions by one question', async () => {
    const answers: ((answer: Awaited<ReturnType<Approver['ask']>>) => void)[] = [];
    const { box, asked, executed } = stage({
      answers: [() => new Promise((resolve) => answers.push(resolve))],
    });
    const calls = Array.from({ length: 12 }, () => box.call(put('/w/a')));
    await turn();
    answers[0]?.({ answer: 'refuse', person: 'ann' });
    const outcomes = await Promise.all(calls);
    expect(outcomes.map((outcome) => outcome.status === 'refused' && outcome.refusal.code)).toEqual(
      Array(12).fill('denied'),
    );
    expect([asked.length, executed.length]).toEqual([1, 0]);
  });

  it('ends with the run if it waits for the answer to an identical call', async () => {
    const { box, run } = stage({ answers: [() => new Promise(() => {})] });
    const calls = [box.call(put('/w/a')), box.call(put('/w/a'))];
    await turn();
    run.stop('enough');
    expect(await Promise.all(calls)).toMatchObject([
      { refusal: { code: 'stopped' } },
      { refusal: { code: 'stopped' } },
    ]);
  });
});

describe('remembering refusals', () => {
  it('never loosens: only approved calls run, and no finally refused one does', async () => {
    const answers = fc.constantFrom('yes', 'no', 'later');
    const calls = fc.constantFrom('/w/a', '/w/b', '/w/c');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ path: calls, answer: answers }), { maxLength: 12 }),
        async (steps) => {
          let answer = 'no';
          const shown: Question[] = [];
          const { box, executed } = stage({
            answers: [
              (question, signal) => {
                shown.push(question);
                return (answer === 'yes' ? yes : answer === 'no' ? no : later)(question, signal);
              },
            ],
          });
          const refused = new Set<string>();
          const expected: string[] = [];
          let questions = 0;
          for (const step of steps) {
            ({ answer } = step);
            await box.call(put(step.path));
            if (refused.has(step.path)) continue;
            questions += 1;
            if (answer === 'yes') expected.push(step.path);
            if (answer === 'no') refused.add(step.path);
          }
          expect([executed.map(({ path }) => path), shown.length]).toEqual([expected, questions]);
        },
      ),
      explore(300, 7),
    );
  });
});
