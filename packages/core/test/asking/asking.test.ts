import { describe, expect, it } from 'vitest';
import type { Answer, Approver, Preview, Question } from '../../src/index.js';
import { ArrayLog } from '../guard/array-log.js';
import { turn } from '../guard/manual-clock.js';
import { answering, asking, no, policy, ruleAbout, type Setting, stage, write, yes } from '../guard/stage.js';

const calling = async (setting: Setting, args: unknown = { path: '/w/a' }) => {
  const set = stage(setting);
  const outcome = await set.box.call({ tool: 'put', args });
  return { ...set, outcome };
};

const editing = (args: unknown, more: object = {}) =>
  answering({ answer: 'approve', person: 'ann', args, ...more });

describe('an approver', () => {
  const throwing: Approver['ask'] = () => {
    throw new Error('no screen');
  };

  it.each<readonly [string, Approver['ask'], string]>([
    ['throws', throwing, 'the approver failed: no screen'],
    ['rejects', () => Promise.reject(new Error('no screen')), 'the approver failed: no screen'],
    ['gives nothing', answering(undefined), 'the approver returned an invalid answer: it is not an object'],
    ['gives true', answering(true), 'the approver returned an invalid answer: it is not an object'],
    ['gives a text', answering('approve'), 'the approver returned an invalid answer: it is not an object'],
    [
      'gives an empty object',
      answering({}),
      'the approver returned an invalid answer: `answer` must be approve, refuse or stop',
    ],
    [
      'names no person',
      answering({ answer: 'approve' }),
      'the approver returned an invalid answer: `person` is missing or invalid',
    ],
    [
      'names an empty person',
      answering({ answer: 'approve', person: '' }),
      'the approver returned an invalid answer: `person` is missing or invalid',
    ],
    [
      'gives an unknown answer',
      answering({ answer: 'approved', person: 'ann' }),
      'the approver returned an invalid answer: `answer` must be approve, refuse or stop',
    ],
    [
      'gives the right word in a list',
      answering({ answer: ['approve'], person: 'ann' }),
      'the approver returned an invalid answer: `answer` must be approve, refuse or stop',
    ],
    [
      'gives unknown members',
      answering({ answer: 'approve', person: 'ann', mode: 'always' }),
      'the approver returned an invalid answer: `mode` is not a key of approve',
    ],
    [
      'edits arguments to a value that is not JSON',
      editing({ path: () => 1 }),
      'the approver returned an invalid answer: `args` is missing or invalid',
    ],
    [
      'edits arguments to a list',
      editing(['/w/a']),
      'the approver returned an invalid answer: `args` is missing or invalid',
    ],
    [
      'keeps with an unknown reach',
      answering({ answer: 'approve', person: 'ann', keep: { remember: 'run', reach: 'everything' } }),
      'the approver returned an invalid answer: `keep` is missing or invalid',
    ],
    [
      'gives an answer that throws when it is read',
      answering(
        new Proxy(
          {},
          {
            get: () => {
              throw new Error('no');
            },
          },
        ),
      ),
      'the approver failed: no',
    ],
  ])('refuses the call if it %s', async (_, ask, reason) => {
    const { outcome, executed, log } = await calling({ answers: [ask] });
    expect(outcome).toMatchObject({ status: 'refused', refusal: { code: 'unanswered', reason } });
    expect(executed).toEqual([]);
    expect(log.of('approval')).toMatchObject([{ how: 'error', approved: false, keep: null }]);
  });

  it('refuses the call if it is missing, and the question is recorded', async () => {
    const { outcome, log } = await calling({});
    expect(outcome).toMatchObject({ refusal: { code: 'unanswered', reason: 'there is no approver' } });
    expect(log.of('approval')).toMatchObject([
      { how: 'nobody', approved: false, question: { tool: 'box.put' } },
    ]);
  });

  it('refuses the call after the time limit, and its later answer runs nothing', async () => {
    let late: (answer: Answer) => void = () => {};
    const { box, clock, executed, log } = stage({
      answers: [
        () =>
          new Promise((resolve) => {
            late = resolve;
          }),
      ],
      options: { answerLimit: 60_000 },
    });
    const asked = box.call({ tool: 'put', args: { path: '/w/a' } });
    await turn();
    clock.pass(60_000);
    expect(await asked).toMatchObject({ refusal: { code: 'unanswered', reason: 'no answer in time' } });
    late({ answer: 'approve', person: 'ann' });
    await turn();
    expect(executed).toEqual([]);
    expect(log.of('approval')).toMatchObject([{ how: 'timeout', approved: false }]);
  });

  it('learns that the question is over if it is late', async () => {
    let told: AbortSignal | undefined;
    const { box, clock } = stage({
      answers: [
        (_question, signal) => {
          told = signal;
          return new Promise(() => {});
        },
      ],
      options: { answerLimit: 60_000 },
    });
    const asked = box.call({ tool: 'put', args: { path: '/w/a' } });
    await turn();
    clock.pass(60_000);
    await asked;
    expect(told?.reason).toEqual(new Error('no answer in time'));
  });

  it('learns when the question is over if it never answers', async () => {
    let told: AbortSignal | undefined;
    const { box, run } = stage({
      answers: [
        (_question, signal) => {
          told = signal;
          return new Promise(() => {});
        },
      ],
    });
    const asked = box.call({ tool: 'put', args: { path: '/w/a' } });
    await turn();
    run.stop('enough');
    await asked;
    expect(told?.aborted).toBe(true);
  });

  it('can answer once: further answers have no effect', async () => {
    const { executed, log } = await calling({
      answers: [
        () =>
          new Promise((resolve, reject) => {
            resolve({ answer: 'refuse', person: 'ann' });
            resolve({ answer: 'approve', person: 'ann' });
            reject(new Error('and more'));
          }),
      ],
    });
    expect(executed).toEqual([]);
    expect(log.of('approval')).toHaveLength(1);
  });

  it('is named with its note in its refusal', async () => {
    const { outcome, log } = await calling({ answers: [no] });
    expect(outcome).toMatchObject({
      refusal: { code: 'denied', reason: 'ann refused this call: not today' },
    });
    expect(log.of('approval')).toMatchObject([
      { how: 'person', approved: false, note: 'not today', who: { person: 'ann' } },
    ]);
  });

  it('ends the run by answering stop', async () => {
    const { outcome, run, box, log } = await calling({
      answers: [answering({ answer: 'stop', person: 'ann' })],
    });
    expect(outcome).toMatchObject({ refusal: { code: 'denied' } });
    expect(run.stopped).toBe('stopped by ann');
    expect(await box.call({ tool: 'put', args: { path: '/w/b' } })).toMatchObject({
      refusal: { code: 'stopped' },
    });
    expect(log.of('outcome')).toHaveLength(2);
  });

  it('cannot change its question, nor the call that its answer is compared with', async () => {
    const meddling: Approver['ask'] = (question) => {
      for (const change of [
        () => Object.assign(question, { keep: { remember: 'always', reach: 'capability' } }),
        () => Object.assign(question.asked_by[0] ?? {}, { answer: 'any', policy: 'other.yaml' }),
        () => Object.assign(question.capabilities[0].capability, { path: '/etc' }),
      ]) {
        try {
          change();
        } catch {
          // It is frozen.
        }
      }
      return Promise.resolve({
        answer: 'approve',
        person: 'ann',
        keep: { remember: 'always', reach: 'capability' },
      });
    };
    const { run, executed, log } = await calling({
      policies: [policy({ default: { decision: 'needs_approval', answer: 'person' } })],
      answers: [meddling],
    });
    expect(executed).toHaveLength(1);
    expect(run.asker.memory.kept).toEqual([]);
    expect(log.of('approval')).toMatchObject([
      { keep: null, question: { keep: null, capabilities: [{ capability: write('/w/a') }] } },
    ]);
  });
});

describe('a question', () => {
  it('shows the chain, the call and the reasons as data', async () => {
    const asks = policy({ rules: [ruleAbout('fs.write', { reason: 'files matter', instead: 'say it' })] });
    const { asked } = await calling({ policies: [asks], answers: [no] });
    expect(asked).toEqual<readonly Question[]>([
      {
        id: 'id-1.1',
        call: 'id-1',
        chain: ['main'],
        tool: 'box.put',
        summary: null,
        args: { path: '/w/a', text: '' },
        capabilities: [{ capability: write('/w/a'), words: 'write /w/a' }],
        asked_by: [
          {
            capability: 0,
            policy: 'policy.yaml',
            decision: 'needs_approval',
            default: false,
            rules: [{ id: 'about-fs.write', at: 'policy.yaml:3:5', decision: 'needs_approval' }],
            undecided: [],
            answer: 'any',
            answered_by: null,
          },
        ],
        reason: 'files matter',
        rule: { policy: 'policy.yaml', id: 'about-fs.write' },
        instead: 'say it',
        keep: { remember: 'run', reach: 'folder' },
        preview: null,
        again: null,
      },
    ]);
  });

  it.each<readonly [string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['is not a preview', () => ({ path: 7, before: null, after: null })],
    ['is not plain', () => ({ path: '/w/a', before: null, after: () => 1 })],
  ])('has no preview if the preview %s', async (_, preview) => {
    const { outcome, asked } = await calling({ answers: [yes], tool: { preview: preview as () => Preview } });
    expect(outcome.status).toBe('completed');
    expect(asked).toMatchObject([{ preview: null }]);
  });

  it('has no preview if the preview takes too long', async () => {
    const { box, clock, asked } = stage({
      answers: [yes],
      options: { describeLimit: 50 },
      tool: { preview: () => new Promise<Preview>(() => {}) },
    });
    const calling = box.call({ tool: 'put', args: { path: '/w/a' } });
    for (let round = 0; round < 20; round += 1) {
      await turn();
      clock.pass(50);
    }
    expect((await calling).status).toBe('completed');
    expect(asked).toMatchObject([{ preview: null }]);
  });

  it('is never asked if the run stops while its preview is computed', async () => {
    const { box, run, asked } = stage({
      answers: [yes],
      tool: { preview: () => new Promise<Preview>(() => {}) },
    });
    const calling = box.call({ tool: 'put', args: { path: '/w/a' } });
    await turn();
    run.stop('enough');
    expect(await calling).toMatchObject({ refusal: { code: 'stopped' } });
    expect(asked).toEqual([]);
  });

  it.each<readonly [unknown, string | null]>([
    [() => 'put /w/a away', 'put /w/a away'],
    [() => '', null],
    [() => 7, null],
    [
      () => {
        throw new Error('no');
      },
      null,
    ],
    [() => 'x'.repeat(1001), `${'x'.repeat(1000)}…`],
  ])('includes the summary of the tool, if there is one: %s', async (summary, shown) => {
    const { asked } = await calling({ answers: [yes], tool: { summary: summary as () => string } });
    expect(asked).toMatchObject([{ summary: shown, args: { path: '/w/a' } }]);
  });

  it('includes the preview of the tool', async () => {
    const preview = { path: '/w/a', before: null, after: 'x' };
    const { asked } = await calling({ answers: [yes], tool: { preview: () => preview } });
    expect(asked).toMatchObject([{ preview }]);
  });
});

describe('arguments that an approver edits', () => {
  it('are executed if they carry only shown capabilities', async () => {
    const { outcome, executed, asked, log } = await calling({
      answers: [editing({ path: '/w/a', text: 'shorter' })],
    });
    expect(outcome).toMatchObject({ status: 'completed', edited: { path: '/w/a', text: 'shorter' } });
    expect(executed).toEqual([{ path: '/w/a', text: 'shorter' }]);
    expect(asked).toHaveLength(1);
    expect(log.of('decision').map(({ args }) => args)).toEqual([
      { path: '/w/a', text: '' },
      { path: '/w/a', text: 'shorter' },
    ]);
    expect(log.of('approval')).toMatchObject([{ edited: true, approved: true }]);
  });

  it('are asked about again if they carry new capabilities', async () => {
    const { outcome, executed, asked } = await calling({ answers: [editing({ path: '/w/b' }), no] });
    expect(outcome).toMatchObject({ refusal: { code: 'denied' }, edited: { path: '/w/b', text: '' } });
    expect(executed).toEqual([]);
    expect(asked.map(({ args, again }) => [args.path, again])).toEqual([
      ['/w/a', null],
      ['/w/b', 'the edited call carries capabilities that were not shown'],
    ]);
  });

  it('are blocked if a policy blocks them', async () => {
    const blocking = ruleAbout('fs.write', {
      decision: 'blocked',
      condition: ({ capability }) => capability.path === '/etc',
    });
    const { outcome, executed, asked } = await calling({
      policies: [policy({ rules: [blocking] })],
      answers: [editing({ path: '/etc' })],
    });
    expect(outcome).toMatchObject({ refusal: { code: 'blocked' }, edited: { path: '/etc', text: '' } });
    expect([executed, asked.length]).toEqual([[], 1]);
  });

  it('are reported with a failure of the call', async () => {
    const execute = () => {
      throw new Error('full');
    };
    const { outcome } = await calling({ answers: [editing({ path: '/w/a', text: 'x' })], tool: { execute } });
    expect(outcome).toMatchObject({ status: 'failed', error: 'full', edited: { path: '/w/a', text: 'x' } });
  });

  it('are asked about again if they are invalid, and the call stays unchanged', async () => {
    const { outcome, executed, asked } = await calling({ answers: [editing({ path: 7 }), yes] });
    expect(outcome.status).toBe('completed');
    expect(executed).toEqual([{ path: '/w/a', text: '' }]);
    expect(asked.map(({ again }) => again?.split(':')[0] ?? null)).toEqual([
      null,
      'the edited arguments are invalid',
    ]);
  });

  it('are asked about a limited number of times if they are always invalid', async () => {
    const { outcome, executed } = await calling({ answers: [editing({ path: 7 })] });
    expect(outcome).toMatchObject({ refusal: { code: 'unsettled' } });
    expect(executed).toEqual([]);
  });

  it('cannot be kept as an answer', async () => {
    const keep = { remember: 'run', reach: 'folder' } as const;
    const { run, log } = await calling({ answers: [editing({ path: '/w/a', text: 'x' }, { keep })] });
    expect(run.asker.memory.kept).toEqual([]);
    expect(log.of('approval')).toMatchObject([{ edited: true, keep: null }]);
  });

  it('are asked about again if another rule applies to them', async () => {
    const long = ruleAbout('fs.write', { id: 'long', condition: ({ args }) => args.text === 'much longer' });
    const { asked, executed } = await calling({
      policies: [policy({ rules: [long] })],
      answers: [editing({ path: '/w/a', text: 'much longer' }), no],
    });
    expect(asked).toHaveLength(2);
    expect(executed).toEqual([]);
  });

  it('cannot be changed by the approver after its answer', async () => {
    const mine = { path: '/w/a', text: 'x' };
    const log = new ArrayLog();
    const append = log.append.bind(log);
    log.append = async (events) => {
      await append(events);
      if (events[0].event === 'decision') mine.text = 'changed';
    };
    const { executed } = await calling({ log, policies: [asking], answers: [editing(mine)] });
    expect(executed).toHaveLength(1);
    expect(log.of('decision').at(-1)).toMatchObject({ args: executed[0] });
  });
});
