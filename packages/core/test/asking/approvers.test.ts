import { describe, expect, it } from 'vitest';
import type { Approver, Policy, RunOptions } from '../../src/index.js';
import { ArrayLog } from '../guard/array-log.js';
import { answering, no, policy, ruleAbout, stage, yes } from '../guard/stage.js';

const put = { tool: 'put', args: { path: '/w/a' } };
const keepingAll = answering({
  answer: 'approve',
  person: 'ann',
  keep: { remember: 'always', reach: 'capability' },
});

describe('an approver', () => {
  it.each<readonly [RunOptions['mode'], Approver['ask'], string, number]>([
    ['approve_all', no, 'completed', 0],
    ['approve_all', () => Promise.reject(new Error('never')), 'completed', 0],
    ['approve_all', answering({ answer: 'stop', person: 'ann' }), 'completed', 0],
    ['strict', yes, 'strict', 0],
    ['strict', keepingAll, 'strict', 0],
    ['interactive', yes, 'completed', 1],
    ['interactive', no, 'denied', 1],
  ])('does not override the mode %s', async (mode, ask, code, count) => {
    const { box, asked, run } = stage({ mode, answers: [ask] });
    const outcome = await box.call(put);
    expect(outcome.status === 'refused' ? outcome.refusal.code : outcome.status).toBe(code);
    expect([asked.length, run.stopped, run.options.mode]).toEqual([count, null, mode]);
  });

  it('is not asked about blocked calls, nor in another mode about questions for a person', async () => {
    const blocks = policy({ rules: [ruleAbout('fs.write', { decision: 'blocked' })] });
    const wants = policy({ rules: [ruleAbout('fs.write', { answer: 'person' })] });
    for (const [given, mode] of [
      [blocks, 'interactive'],
      [blocks, 'approve_all'],
      [wants, 'approve_all'],
      [wants, 'strict'],
    ] as const) {
      const { box, asked, executed } = stage({ policies: [given], mode, answers: [yes] });
      await box.call(put);
      expect([asked, executed]).toEqual([[], []]);
    }
  });

  it('answers one call; the next similar call is a new question', async () => {
    const { box, asked, executed } = stage({ answers: [yes, yes, no] });
    for (let time = 0; time < 3; time += 1) await box.call(put);
    expect([asked.length, executed.length]).toEqual([3, 2]);
  });

  it('does not change its edit after the answer', async () => {
    const args = { path: '/w/a', text: 'shown' };
    class ChangingLog extends ArrayLog {
      override append(...given: Parameters<ArrayLog['append']>) {
        if (given[0].some(({ event }) => event === 'approval')) args.text = 'another';
        return super.append(...given);
      }
    }
    const answers = [answering({ answer: 'approve', person: 'ann', args })];
    const { box, executed } = stage({ answers, log: new ChangingLog() });
    expect((await box.call(put)).status).toBe('completed');
    expect(executed).toEqual([{ path: '/w/a', text: 'shown' }]);
  });

  it('is asked again if a new policy arrives during the question, even for the same call', async () => {
    const come: Policy[] = [];
    const { box, asked, executed } = stage({
      answers: [
        (...given) => {
          come.push(policy({ name: 'policy.yaml (reload 1)' }));
          return yes(...given);
        },
        no,
      ],
      options: { newer: () => Promise.resolve(come.splice(0)) },
    });
    expect(await box.call(put)).toMatchObject({ refusal: { code: 'denied' } });
    expect([asked.map(({ id, again }) => [id, again]), executed]).toEqual([
      [
        ['id-1.1', null],
        ['id-1.2', 'the call changed while it waited'],
      ],
      [],
    ]);
  });

  it('cannot keep an answer to edited arguments, to a part of a call, or for a person', async () => {
    const keep = { remember: 'run', reach: 'capability' } as const;
    const edits = answering({ answer: 'approve', person: 'ann', args: { path: '/w/a', text: 'x' }, keep });
    const admits = { workers: false, remember: 'always', reach: 'capability', unattended: true } as const;
    const wants = policy({ rules: [ruleAbout('fs.write', { answer: 'person' })], admits });
    for (const [given, ask] of [
      [policy({ admits }), edits],
      [wants, keepingAll],
    ] as const) {
      const { box, run } = stage({ policies: [given], answers: [ask] });
      expect((await box.call(put)).status).toBe('completed');
      expect(run.asker.memory.kept).toEqual([]);
    }
  });
});
