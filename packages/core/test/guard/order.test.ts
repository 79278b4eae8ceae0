import { describe, expect, it } from 'vitest';
import {
  type CallOutcome,
  type Decision,
  entryAuthority,
  FailedError,
  forReference,
  type LogEvent,
  type Mode,
  RefusedError,
  refuseUnknownTool,
  resultOf,
} from '../../src/index.js';
import { ArrayLog } from './array-log.js';
import {
  asking,
  deciding,
  no,
  policy,
  ruleAbout,
  type Setting,
  stage,
  standing,
  write,
  yes,
} from './stage.js';

const put = (setting: Setting, args: unknown = { path: '/w/a' }) => {
  const set = stage(setting);
  return set.box.call({ tool: 'put', args }).then((outcome) => ({ ...set, outcome }));
};

const codeOf = (outcome: CallOutcome) =>
  outcome.status === 'refused' ? outcome.refusal.code : outcome.status;

describe('guard', () => {
  it('parses, freezes, describes, decides, records, asks, judges again, executes and records, in order', async () => {
    const story: string[] = [];
    const log = new ArrayLog();
    const append = log.append.bind(log);
    log.append = async (events) => {
      story.push(...events.map(({ event }) => event));
      await append(events);
    };
    const { outcome } = await put({
      log,
      answers: [
        async () => {
          story.push('asked');
          return { answer: 'approve', person: 'ann' };
        },
      ],
      tool: {
        describe: (args) => {
          story.push(`described ${Object.isFrozen(args) ? 'frozen' : 'open'} ${JSON.stringify(args)}`);
          return { capabilities: [write('/w/a')] };
        },
        execute: () => {
          story.push('executed');
          return 'done';
        },
      },
    });
    const described = 'described frozen {"path":"/w/a","text":""}';
    expect(story).toEqual([described, 'decision', 'asked', 'approval', described, 'executed', 'outcome']);
    expect(outcome).toEqual({ status: 'completed', call: 'id-1', result: 'done', edited: null });
  });

  it('records everything that decided a call', async () => {
    const { log } = await put({ policies: [deciding('pre_approved')], mode: 'strict' });
    expect(log.events).toEqual<readonly LogEvent[]>([
      {
        now: 1000,
        event: 'decision',
        call: 'id-1',
        chain: ['main'],
        tool: 'box.put',
        args: { path: '/w/a', text: '' },
        context: {},
        history: [],
        grants: [],
        decision: 'pre_approved',
        capabilities: [write('/w/a')],
        origins: [{ by: 'tool' }],
        judgements: [
          {
            capability: 0,
            policy: 'policy.yaml',
            decision: 'pre_approved',
            default: false,
            rules: [{ id: 'about-fs', at: 'policy.yaml:3:5', decision: 'pre_approved' }],
            undecided: [],
            answer: null,
            answered_by: null,
          },
        ],
        reason: null,
        instead: null,
      },
      { now: 1000, event: 'outcome', call: 'id-1', outcome: 'completed' },
    ]);
  });

  it('names the grants if grants alone answered a call', async () => {
    const { log, executed } = await put({
      policies: [policy({ admits: { ...asking.admits, workers: true } })],
      mode: 'strict',
      authority: (run) =>
        forReference(entryAuthority(run, 'main'), {
          layers: [],
          grants: [{ source: 'reference', worker: 'main', tool: 'box.put' }],
        }),
    });
    expect(executed).toHaveLength(1);
    expect(log.of('approval')).toMatchObject([
      { how: 'grant', who: [{ by: 'reference', worker: 'main', tool: 'box.put' }], approved: true },
    ]);
  });
});

describe('the modes', () => {
  it.each<readonly [Decision, Mode, string, readonly string[]]>([
    ['pre_approved', 'approve_all', 'completed', ['decision', 'outcome']],
    ['pre_approved', 'interactive', 'completed', ['decision', 'outcome']],
    ['pre_approved', 'strict', 'completed', ['decision', 'outcome']],
    ['needs_approval', 'approve_all', 'completed', ['decision', 'approval', 'outcome']],
    ['needs_approval', 'interactive', 'completed', ['decision', 'approval', 'outcome']],
    ['needs_approval', 'strict', 'strict', ['decision', 'outcome']],
    ['blocked', 'approve_all', 'blocked', ['decision', 'outcome']],
    ['blocked', 'interactive', 'blocked', ['decision', 'outcome']],
    ['blocked', 'strict', 'blocked', ['decision', 'outcome']],
  ])('%s under %s gives %s', async (decision, mode, end, story) => {
    const { outcome, log, executed, asked } = await put({
      policies: [deciding(decision)],
      mode,
      answers: [yes],
    });
    expect(codeOf(outcome)).toBe(end);
    expect(executed).toHaveLength(end === 'completed' ? 1 : 0);
    expect(asked).toHaveLength(decision === 'needs_approval' && mode === 'interactive' ? 1 : 0);
    expect(log.story).toEqual(story);
  });

  it('approve_all is recorded as the approver', async () => {
    const { log } = await put({ mode: 'approve_all' });
    expect(log.of('approval')).toMatchObject([
      { how: 'mode', who: 'approve_all', approved: true, question: null },
    ]);
  });

  it.each([
    [
      'a default that requires a person',
      policy({ default: { decision: 'needs_approval', answer: 'person' } }),
    ],
    ['a rule that requires a person', policy({ rules: [ruleAbout('fs.write', { answer: 'person' })] })],
    [
      'a policy that does not admit `unattended`',
      policy({ admits: { ...asking.admits, unattended: false } }),
    ],
  ])('approve_all does not answer %s', async (_, strict) => {
    const { outcome, executed } = await put({ policies: [strict], mode: 'approve_all' });
    expect(codeOf(outcome)).toBe('wants_person');
    expect(executed).toEqual([]);
  });

  it('approve_all does not answer if one of two policies excludes it', async () => {
    const second = policy({ name: 'second.yaml', admits: { ...asking.admits, unattended: false } });
    const { outcome } = await put({ policies: [asking, second], mode: 'approve_all' });
    expect(codeOf(outcome)).toBe('wants_person');
  });
});

describe('a refusal', () => {
  const failing = () => Promise.reject(new Error('gone'));

  it.each<readonly [string, Setting, unknown, string]>([
    ['blocked', { policies: [deciding('blocked')] }, { path: '/w/a' }, 'blocked'],
    ['denied', { answers: [no] }, { path: '/w/a' }, 'denied'],
    ['unanswered', {}, { path: '/w/a' }, 'unanswered'],
    ['strict', { mode: 'strict' }, { path: '/w/a' }, 'strict'],
    [
      'cannot',
      { tool: { describe: () => ({ capabilities: [], cannot: 'read-only' }) } },
      { path: '/w/a' },
      'cannot',
    ],
    ['bad_input', {}, { path: 7 }, 'bad_input'],
    ['bad_input, for a value that is not JSON', {}, { path: new Date(0) }, 'bad_input'],
    ['undescribed', { tool: { describe: failing } }, { path: '/w/a' }, 'undescribed'],
    [
      'unjudged',
      {
        policies: [
          policy({
            rules: [
              ruleAbout('fs', {
                condition: () => {
                  throw new Error('bug');
                },
              }),
            ],
          }),
        ],
      },
      { path: '/w/a' },
      'unjudged',
    ],
    ['unrecorded', { log: new ArrayLog([1]) }, { path: '/w/a' }, 'unrecorded'],
  ])('has the distinct code %s', async (_, setting, args, code) => {
    const { outcome, executed } = await put(setting, args);
    expect(codeOf(outcome)).toBe(code);
    expect(executed).toEqual([]);
  });

  it("differs from a tool's own failure, whatever its message", async () => {
    const { outcome, log } = await put({
      policies: [deciding('pre_approved')],
      tool: { execute: () => Promise.reject(new Error('EACCES: permission denied')) },
    });
    expect(outcome).toEqual({ status: 'failed', call: 'id-1', error: 'EACCES: permission denied' });
    expect(log.of('outcome')).toMatchObject([{ outcome: 'failed', error: 'EACCES: permission denied' }]);
  });

  it.each<readonly [string, () => never]>([
    [
      'an object without a prototype',
      () => {
        throw Object.create(null);
      },
    ],
    [
      'an error whose message cannot be read',
      () => {
        throw Object.defineProperty(new Error('x'), 'message', {
          get: () => {
            throw new Error('y');
          },
        });
      },
    ],
    [
      'an error whose message is not text',
      () => {
        throw Object.assign(new Error('x'), { message: { a: 1n } });
      },
    ],
  ])('differs from a failure that throws %s', async (_, execute) => {
    const { outcome, log } = await put({ policies: [deciding('pre_approved')], tool: { execute } });
    expect(outcome.status).toBe('failed');
    expect(log.story).toEqual(['decision', 'outcome']);
    expect(log.of('outcome')).toMatchObject([{ outcome: 'failed', error: expect.any(String) as string }]);
  });

  it('gives the model the reason, the rule and the alternative', async () => {
    const blocking = policy({
      rules: [ruleAbout('fs', { decision: 'blocked', reason: 'nobody writes here', instead: 'ask ann' })],
    });
    const { outcome } = await put({ policies: [blocking] });
    expect(outcome).toEqual({
      status: 'refused',
      call: 'id-1',
      refusal: {
        code: 'blocked',
        reason: 'nobody writes here',
        rule: { id: 'about-fs', at: 'policy.yaml:3:5', decision: 'blocked' },
        instead: 'ask ann',
      },
    });
  });

  it('names a rule with an open question, and not one that a grant has answered', async () => {
    const answered = policy({
      name: 'first.yaml',
      rules: [
        ruleAbout('fs', { id: 'answered', reason: 'nobody asks so', instead: 'nothing' }),
        standing('box.put'),
      ],
    });
    const setting = {
      policies: [answered, policy({ rules: [ruleAbout('fs', { id: 'open', reason: 'this asks' })] })],
    } as const;
    const words = { reason: 'this asks', instead: null };
    const { outcome } = await put({ ...setting, mode: 'strict' });
    expect(outcome).toMatchObject({ refusal: { code: 'strict', rule: { id: 'open' }, ...words } });
    const { asked, outcome: denied } = await put({ ...setting, answers: [no] });
    expect(asked).toMatchObject([words]);
    expect(denied).toMatchObject({ refusal: { code: 'denied', rule: { id: 'open' }, instead: null } });
  });

  it('records an unknown tool under the model’s name for it', async () => {
    const { authority, log } = stage();
    const outcome = await refuseUnknownTool(authority, { tool: 'nowhere', args: { a: 1 } });
    expect(codeOf(outcome)).toBe('unknown_tool');
    expect(log.events).toMatchObject([
      { event: 'decision', tool: 'nowhere', args: { a: 1 }, decision: null, code: 'unknown_tool' },
      { event: 'outcome', outcome: 'refused', code: 'unknown_tool' },
    ]);
  });

  it('comes before any question if the tool cannot do the call, which is still described and recorded', async () => {
    const { outcome, asked, log } = await put({
      answers: [yes],
      tool: { describe: () => ({ capabilities: [write('/w/a')], cannot: 'the root is read-only' }) },
    });
    expect(outcome).toMatchObject({
      refusal: { code: 'cannot', reason: 'the root is read-only', rule: null },
    });
    expect(asked).toEqual([]);
    expect(log.of('decision')).toMatchObject([
      { decision: 'needs_approval', code: 'cannot', capabilities: [write('/w/a')] },
    ]);
  });
});

describe('resultOf', () => {
  it('returns the result, or throws the outcome', async () => {
    const done = await put({ policies: [deciding('pre_approved')] });
    expect(resultOf(done.outcome)).toBe('done');
    const refused = await put({ policies: [deciding('blocked')] });
    expect(() => resultOf(refused.outcome)).toThrow(RefusedError);
    expect(() => resultOf({ status: 'failed', call: 'id', error: 'broken' })).toThrow(
      new FailedError('broken'),
    );
  });
});
