import { describe, expect, it } from 'vitest';
import {
  type Answer,
  builtIn,
  type DecisionEvent,
  delegate,
  entryAuthority,
  forReference,
  type GuardedToolset,
  guard,
  type LogEvent,
  type Mode,
  type NonEmpty,
  type Policy,
  policies,
  type Toolset,
} from '../../src/index.js';
import { ArrayLog } from './array-log.js';
import { turn } from './manual-clock.js';
import { asking, boxOf, deciding, policy, ruleAbout, type Setting, stage, write, yes } from './stage.js';

const silent = policy({ name: 'silent.yaml', default: { decision: 'pre_approved', answer: 'any' } });

describe('a run', () => {
  it.each<readonly [string, Setting]>([
    ['an open set of policies', { policies: [silent] }],
    ['an open set of several', { policies: [silent, { ...silent, name: 'other.yaml' }] }],
    ['an open set and allowAll', { policies: [policies.allowAll(), silent] }],
    ['a policy with the name of allowAll', { policies: [{ ...silent, name: 'allow-all' }] }],
    ['no policies', { policies: [] as unknown as NonEmpty<Policy> }],
    [
      'no policies, requested as open',
      { policies: [] as unknown as NonEmpty<Policy>, options: { open: true } },
    ],
    ['an unknown mode', { options: { mode: 'yolo' as Mode } }],
    ['two policies of one name', { policies: [asking, { ...asking }] }],
    ['a policy with the name of the built-in one', { policies: [{ ...asking, name: 'built-in' }] }],
  ])('does not start under %s', (_, setting) => {
    expect(() => stage(setting)).toThrow();
  });

  it.each<readonly [string, Setting]>([
    ['allowAll', { policies: [policies.allowAll()] }],
    ['an open set on request', { policies: [silent], options: { open: true } }],
    ['one policy that asks', { policies: [silent, asking] }],
    ['one policy twice', { policies: [asking, asking] }],
  ])('starts under %s', (_, setting) => {
    expect(() => stage(setting)).not.toThrow();
  });

  it.each<readonly [string, Setting]>([
    ['allowAll', { policies: [policies.allowAll()] }],
    ['the built-in policy alone', { policies: [builtIn], options: { open: true } }],
  ])('blocks sys.guard under %s, without a possible answer', async (_, setting) => {
    const { box, executed, asked } = stage({
      ...setting,
      answers: [yes],
      tool: { describe: () => ({ capabilities: [{ name: 'sys.guard.stop' }] }) },
    });
    expect(await box.call({ tool: 'put', args: { path: '/w/a' } })).toMatchObject({
      refusal: { code: 'blocked' },
    });
    expect([executed, asked]).toEqual([[], []]);
  });

  it('refuses a pending call if it stops during a question, and ignores a later answer', async () => {
    let late: (answer: Answer) => void = () => {};
    const { box, run, executed, log } = stage({
      answers: [
        () =>
          new Promise((resolve) => {
            late = resolve;
          }),
      ],
    });
    const calling = box.call({ tool: 'put', args: { path: '/w/a' } });
    await turn();
    run.stop('enough');
    expect(await calling).toMatchObject({
      refusal: { code: 'stopped', reason: 'the run has stopped: enough' },
    });
    late({ answer: 'approve', person: 'ann' });
    await turn();
    expect(executed).toEqual([]);
    expect(log.story).toEqual(['decision', 'approval', 'outcome']);
    expect(log.of('approval')).toMatchObject([{ approved: false }]);
  });

  it('executes nothing if it stops between permit and execution', async () => {
    const { box, run, log, executed } = stage({ policies: [deciding('pre_approved')] });
    const append = log.append.bind(log);
    log.append = async (events) => {
      await append(events);
      if (events[0].event === 'decision') run.stop('now');
    };
    expect(await box.call({ tool: 'put', args: { path: '/w/a' } })).toMatchObject({
      refusal: { code: 'stopped' },
    });
    expect(executed).toEqual([]);
  });

  it('keeps the first reason for its stop', () => {
    const { run } = stage();
    run.stop('first');
    run.stop('second');
    expect([run.stopped, run.signal.aborted]).toEqual(['first', true]);
  });

  it('copies its context', async () => {
    const context = { env: 'dev' };
    const rules = [
      ruleAbout('fs', { decision: 'blocked', condition: ({ context: { env } }) => env === 'ci' }),
    ];
    const { box } = stage({ policies: [policy({ rules })], mode: 'strict', options: { context } });
    context.env = 'ci';
    expect(await box.call({ tool: 'put', args: { path: '/w/a' } })).toMatchObject({
      refusal: { code: 'strict' },
    });
  });
});

describe('a call that is cancelled', () => {
  it('does not run if cancelled before it begins', async () => {
    const { box, executed } = stage({ policies: [deciding('pre_approved')] });
    const outcome = await box.call({ tool: 'put', args: { path: '/w/a' }, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ refusal: { code: 'cancelled' } });
    expect(executed).toEqual([]);
  });

  it('does not run if cancelled during a question, and the run continues', async () => {
    const controller = new AbortController();
    const { box, run, executed, log } = stage({ answers: [() => new Promise(() => {}), yes] });
    const calling = box.call({ tool: 'put', args: { path: '/w/a' }, signal: controller.signal });
    await turn();
    controller.abort();
    expect(await calling).toMatchObject({ refusal: { code: 'cancelled' } });
    expect([executed, run.stopped]).toEqual([[], null]);
    expect(log.story).toEqual(['decision', 'approval', 'outcome']);
    expect((await box.call({ tool: 'put', args: { path: '/w/b' } })).status).toBe('completed');
  });

  it('logs one judgement if cancelled between the answer and the second judgement', async () => {
    const controller = new AbortController();
    const { box, executed, log } = stage({
      answers: [
        () => {
          setImmediate(() => controller.abort());
          return Promise.resolve({ answer: 'approve', person: 'ann' });
        },
      ],
      tool: {
        describe: async () => {
          await turn();
          await turn();
          return { capabilities: [write('/w/a')] };
        },
      },
    });
    const outcome = await box.call({ tool: 'put', args: { path: '/w/a' }, signal: controller.signal });
    expect(outcome).toMatchObject({ refusal: { code: 'cancelled' } });
    expect(executed).toEqual([]);
    expect(log.story).toEqual(['decision', 'approval', 'outcome']);
  });
});

describe('the permits of a run', () => {
  it('are not given to a queued call when the run stops', async () => {
    const { box, run, log } = stage({ policies: [deciding('pre_approved')] });
    const append = log.append.bind(log);
    log.append = async (events) => {
      await append(events);
      await turn();
      run.stop('enough');
    };
    await Promise.all(['/w/a', '/w/b'].map((path) => box.call({ tool: 'put', args: { path } })));
    expect(run.history).toEqual([write('/w/a')]);
  });

  it('are given one at a time, each with the preceding history', async () => {
    const { box, log, run } = stage({ policies: [deciding('pre_approved')] });
    const append = log.append.bind(log);
    let writing = 0;
    let most = 0;
    log.append = async (events) => {
      const isDecision = events[0].event === 'decision';
      if (isDecision) most = Math.max(most, ++writing);
      await turn();
      await append(events);
      if (isDecision) writing -= 1;
    };
    const names = ['/w/a', '/w/b', '/w/c', '/w/d'];
    await Promise.all(names.map((path) => box.call({ tool: 'put', args: { path } })));
    expect(most).toBe(1);
    expect(log.of('decision').map(({ history }) => history.length)).toEqual([0, 1, 2, 3]);
    expect(run.history).toEqual(names.map(write));
  });

  it('are given in turn if a call starts another one while it is judged', async () => {
    const { run } = stage({ policies: [deciding('pre_approved')] });
    const order: string[] = [];
    let inner: Promise<void> = Promise.resolve();
    const step =
      (name: string, begin = () => {}) =>
      async () => {
        order.push(`${name} begins`);
        begin();
        await turn();
        order.push(`${name} ends`);
      };
    await run.inTurn(
      step('one', () => {
        inner = run.inTurn(step('two'));
      }),
    );
    await inner;
    await expect(run.inTurn(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
    await run.inTurn(step('three'));
    const ran = ['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]);
    expect(order).toEqual(ran);
  });

  it('do not change the history of an earlier event', async () => {
    const log = new (class extends ArrayLog {
      override append(events: NonEmpty<LogEvent>): Promise<void> {
        this.events.push(...events);
        return Promise.resolve();
      }
    })();
    const { box } = stage({ policies: [deciding('pre_approved')], log });
    for (const path of ['/w/a', '/w/b', '/w/c']) await box.call({ tool: 'put', args: { path } });
    const decided = log.of('decision');
    const copies = decided.flatMap((event) => [{ ...event }, structuredClone(event)]);
    const lengths = (list: readonly DecisionEvent[]) => list.map(({ history }) => history.length);
    expect([lengths(decided), lengths(copies)]).toEqual([
      [0, 1, 2],
      [0, 0, 1, 1, 2, 2],
    ]);
    expect(Object.keys(decided[2] as object)).toContain('history');
  });

  it('count from the moment of the permit, even if the call fails; refused calls do not', async () => {
    const { box, run } = stage({
      policies: [policy({ rules: [ruleAbout('fs.write', { decision: 'pre_approved' })] })],
      mode: 'strict',
      tool: {
        describe: ({ path }) => ({
          capabilities: path === '/x' ? [{ name: 'net.connect' }] : [write('/w/a')],
        }),
        execute: () => Promise.reject(new Error('broken')),
      },
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    await box.call({ tool: 'put', args: { path: '/x' } });
    expect(run.history).toEqual([write('/w/a')]);
  });

  it('are given even if an earlier call could not be judged', async () => {
    let round = 0;
    const bug = ruleAbout('fs', {
      decision: 'pre_approved',
      below: true,
      condition: () => {
        if (round++ === 0) throw new Error('bug');
        return true;
      },
    });
    const { box } = stage({ policies: [policy({ rules: [bug] })] });
    const outcomes = await Promise.all(
      ['/w/a', '/w/b'].map((path) => box.call({ tool: 'put', args: { path } })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['refused', 'completed']);
  });
});

describe('guarding', () => {
  const { box, authority } = stage();

  it('twice does not compile and throws', () => {
    // @ts-expect-error a guarded toolset is not a toolset
    expect(() => guard(box, authority)).toThrow('box is guarded already');
  });

  it('is the only source of a guarded toolset', () => {
    const needsGuarded = (toolset: GuardedToolset) => toolset.name;
    // @ts-expect-error a toolset is not a guarded toolset
    expect(needsGuarded(boxOf([]))).toBe('box');
    // @ts-expect-error nor is one that looks like it
    expect(needsGuarded({ name: 'box', offers: [], call: () => box.call({ tool: 'put', args: {} }) })).toBe(
      'box',
    );
  });

  it.each<readonly [string, Partial<Toolset>]>([
    ['a name outside the grammar', { name: 'box.put' }],
    ['no name', { name: '' }],
    ['two tools of one name', { tools: [...boxOf([]).tools, ...boxOf([]).tools] }],
    ['a tool called *', { tools: boxOf([]).tools.map((tool) => ({ ...tool, name: '*' })) }],
  ])('throws for a toolset with %s', (_, odd) => {
    expect(() => guard({ ...boxOf([]), ...odd }, authority)).toThrow(TypeError);
  });

  it('offers the tools of the toolset, by name and full name', () => {
    expect(box.offers.map(({ name, fullName, description }) => ({ name, fullName, description }))).toEqual([
      { name: 'put', fullName: 'box.put', description: 'puts a text somewhere' },
    ]);
  });
});

describe('an authority', () => {
  const { run } = stage();
  const entry = entryAuthority(run, 'main', [{ ...silent, name: 'main.worker' }]);
  const reference = { source: 'reference', worker: 'main', tool: 'box.put' } as const;

  it('of a delegate has a longer chain, its callers’ layers and no grants', () => {
    const caller = forReference(entry, { layers: [], grants: [reference] });
    const { chain, layers, grants } = delegate(caller, 'helper', [{ ...silent, name: 'helper.worker' }]);
    expect([chain, layers.map(({ name }) => name), grants]).toEqual([
      ['main', 'helper'],
      ['main.worker', 'helper.worker'],
      [],
    ]);
  });

  it('is rejected with an invalid name, or with two policies of one name', () => {
    expect(() => delegate(entry, 'Helper')).toThrow(TypeError);
    expect(() => delegate(entry, '__proto__')).toThrow(TypeError);
    expect(() => delegate(entry, 'created:')).toThrow(TypeError);
    expect(() => delegate(entry, 'helper', [{ ...silent, name: 'main.worker' }])).toThrow();
    expect(() => entryAuthority(run, 'main', [{ ...asking }])).toThrow();
  });

  it('has an immutable chain', () => {
    expect(() => (entry.chain as unknown as string[]).push('other')).toThrow(TypeError);
  });
});
