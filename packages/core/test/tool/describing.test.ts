import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import type { Description, Tool } from '../../src/index.js';
import { turn } from '../guard/manual-clock.js';
import { deciding, policy, ruleAbout, type Setting, stage, write, yes } from '../guard/stage.js';

const free = { policies: [deciding('pre_approved')], mode: 'strict' } as const;

const describing = async (describe: () => unknown) => {
  const set = stage({ ...free, tool: { describe: describe as Tool['describe'] } });
  const outcome = await set.box.call({ tool: 'put', args: { path: '/w/a' } });
  return { ...set, outcome };
};

const refused = (why: string) => ({ status: 'refused', refusal: { code: 'undescribed', reason: why } });

describe('a tool that describes', () => {
  it.each<readonly [string, () => unknown, string]>([
    [
      'an exception',
      () => {
        throw new Error('no idea');
      },
      'describing failed: no idea',
    ],
    ['a rejected promise', () => Promise.reject(new Error('no idea')), 'describing failed: no idea'],
    [
      'an exception without a message',
      () => {
        throw Object.create(null);
      },
      'describing failed: unknown error',
    ],
    ['nothing', () => undefined, 'the tool returned no description'],
    ['null', () => null, 'the tool returned no description'],
    ['a text', () => 'fs.write', 'the tool returned no description'],
    ['a list', () => [write('/w/a')], 'the tool returned no list of capabilities'],
    [
      'an object in place of a list',
      () => ({ capabilities: { 0: write('/w/a'), length: 1 } }),
      'the tool returned no list of capabilities',
    ],
    ['a hole', () => ({ capabilities: Object.assign([], { length: 1 }) }), 'not a capability: undefined'],
    ['undefined in the list', () => ({ capabilities: [undefined] }), 'not a capability: undefined'],
    ['a name alone', () => ({ capabilities: ['fs.write'] }), 'not a capability: "fs.write"'],
    [
      'a capability without a name',
      () => ({ capabilities: [{ path: '/w/a' }] }),
      'not a capability: {"path":"/w/a"}',
    ],
    ['a `cannot` that is not text', () => ({ capabilities: [], cannot: true }), '`cannot` is not a text'],
    [
      'a function as a fact',
      () => ({ capabilities: [{ name: 'fs.write', path: () => 1 }] }),
      'not a capability: object',
    ],
    [
      'a getter as a fact',
      () => ({
        capabilities: [
          Object.defineProperty({ name: 'fs.write' }, 'path', { enumerable: true, get: () => '/w/a' }),
        ],
      }),
      'not a capability: object',
    ],
    [
      'an inherited name',
      () => ({ capabilities: [Object.create({ name: 'fs.read' })] }),
      'not a capability: object',
    ],
  ])('is refused with an invalid description: %s', async (_, describe, why) => {
    const { outcome, executed, log } = await describing(describe);
    expect(outcome).toMatchObject(refused(why));
    expect(executed).toEqual([]);
    expect(log.events).toMatchObject([
      { event: 'decision', decision: null, code: 'undescribed', why },
      { event: 'outcome', outcome: 'refused', code: 'undescribed' },
    ]);
  });

  it.each([
    '',
    'fs',
    'Fs.write',
    'fs..write',
    '.fs',
    'fs.',
    'fs.*',
    '*',
    'fs write',
    'fs.write ',
    'fs.write\n',
    '1fs',
    '__proto__',
    'fs-x',
  ])('is refused if it reports the name `%s`, unless it is an own property', async (name) => {
    const { outcome } = await describing(() => ({ capabilities: [{ name, path: '/w/a' }] }));
    expect(outcome.status).toBe(name === 'fs' ? 'completed' : 'refused');
  });

  it('does not change a prototype by a fact called `__proto__`', async () => {
    const described = JSON.parse(
      '{"name":"fs.write","__proto__":{"path":"/w/a"}}',
    ) as Description['capabilities'][0];
    const seen: unknown[] = [];
    const rules = [
      ruleAbout('fs.write', {
        decision: 'pre_approved',
        condition: ({ capability }) => {
          seen.push([capability.path, Object.getPrototypeOf(capability) === Object.prototype]);
          return true;
        },
      }),
    ];
    const { box } = stage({
      ...free,
      policies: [policy({ rules })],
      tool: { describe: () => ({ capabilities: [described] }) },
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(seen).toEqual([[undefined, true]]);
  });

  it('is refused when its time is over', async () => {
    const { box, clock, executed } = stage({
      ...free,
      options: { describeLimit: 50 },
      tool: { describe: () => new Promise(() => {}) },
    });
    const calling = box.call({ tool: 'put', args: { path: '/w/a' } });
    await clock.waitedFor();
    clock.pass(50);
    expect(await calling).toMatchObject(refused('describing took too long'));
    expect(executed).toEqual([]);
  });

  it.each<readonly [string, Tool['describe']]>([
    ['at once', () => ({ capabilities: [write('/w/a')] })],
    ['for an async function that does not wait', async () => ({ capabilities: [write('/w/a')] })],
    [
      'for async functions that await each other',
      async () => {
        const found = async () => Promise.all([1, 2].map(async (at) => write(`/w/${at}`)));
        const named = async () => [...(await found()), ...(await found())];
        return { capabilities: await named() };
      },
    ],
  ])('starts no timer %s', async (_, describe) => {
    const after = () => Promise.reject(new Error('a timer was started'));
    const { box } = stage({ ...free, options: { clock: { now: () => 0, after } }, tool: { describe } });
    expect((await box.call({ tool: 'put', args: { path: '/w/a' } })).status).toBe('completed');
  });

  it('is told by its signal to stop after its time', async () => {
    const signals: AbortSignal[] = [];
    const { outcome } = await describing((...given: unknown[]) => {
      const [, { signal }] = given as [unknown, { signal: AbortSignal }];
      signals.push(signal);
      expect(signal.aborted).toBe(false);
      return { capabilities: [write('/w/a')] };
    });
    expect(outcome.status).toBe('completed');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it.skipIf(!isDeep).each([
    ['50 000 capabilities', 50_000, 1, '10 000 are judged by 1 rule'],
    ['5 000 capabilities to 3 000 rules', 5_000, 3_000, '3 333 are judged by 3 000 rules'],
  ])('is refused before judgement if it reports %s', async (_, count, rules, why) => {
    const capabilities = Array.from({ length: count }, (__, at) => write(`/w/${at}`));
    const { box, executed } = stage({
      ...free,
      policies: [
        policy({ rules: Array.from({ length: rules }, (__, at) => ruleAbout('fs.write', { id: `r${at}` })) }),
      ],
      tool: { describe: () => ({ capabilities }) },
    });
    const outcome = await box.call({ tool: 'put', args: { path: '/w/a' } });
    const reason = expect.stringContaining(why) as string;
    expect(outcome).toMatchObject({ status: 'refused', refusal: { code: 'unjudged', reason } });
    expect(executed).toEqual([]);
  });

  it.skipIf(!isDeep).each<[string, string, boolean]>([
    ['about its name', 'fs.read', true],
    ['about another name', 'fs.write', false],
  ])('is judged with a set of many files unless many rules are %s', async (_, name, isTooLarge) => {
    const paths = Array.from({ length: 100_000 }, (__, at) => `/w/${at}`);
    const { box } = stage({
      ...free,
      policies: [
        policy({ rules: Array.from({ length: 300 }, (__, at) => ruleAbout(name, { id: `r${at}` })) }),
      ],
      tool: { describe: () => ({ capabilities: [{ name: 'fs.read', path: { paths } }] }) },
    });
    const outcome = await box.call({ tool: 'put', args: { path: '/w/a' } });
    const reason = outcome.status === 'refused' ? outcome.refusal.reason : '';
    expect(reason.includes('for 100 000 files, and 300 rules are about it')).toBe(isTooLarge);
  });

  it('runs nothing if it finishes too late', async () => {
    let late: (description: Description) => void = () => {};
    const { box, clock, executed } = stage({
      ...free,
      tool: {
        describe: () =>
          new Promise<Description>((resolve) => {
            late = resolve;
          }),
      },
    });
    const calling = box.call({ tool: 'put', args: { path: '/w/a' } });
    await clock.waitedFor();
    clock.pass(10_000);
    await calling;
    late({ capabilities: [write('/w/a')] });
    await turn();
    expect(executed).toEqual([]);
  });

  it('is judged as tool.call if it reports no capabilities', async () => {
    const { outcome, log } = await describing(() => ({ capabilities: [] }));
    expect(outcome).toMatchObject({ refusal: { code: 'strict' } });
    expect(log.of('decision')).toMatchObject([{ capabilities: [{ name: 'tool.call', tool: 'box.put' }] }]);
  });

  it('is executed as judged, even if it changes its report afterwards', async () => {
    const mine = { name: 'fs.write', path: '/w/a' };
    const seen: unknown[] = [];
    const { box } = stage({
      ...free,
      policies: [
        policy({
          rules: [
            ruleAbout('fs.write', {
              decision: 'pre_approved',
              condition: () => {
                mine.path = '/etc';
                return true;
              },
            }),
          ],
        }),
      ],
      tool: {
        describe: () => ({ capabilities: [mine] }),
        execute: (_, { described }) => {
          seen.push(...described);
          return null;
        },
      },
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(seen).toEqual([write('/w/a')]);
  });

  it('is asked about a limited number of times if its report keeps changing', async () => {
    let round = 0;
    const { box, executed, asked } = stage({
      answers: [yes],
      tool: { describe: () => ({ capabilities: [write(`/w/${round++}`)] }) },
    });
    const outcome = await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(outcome).toMatchObject({ refusal: { code: 'unsettled' } });
    expect(executed).toEqual([]);
    expect(asked.length).toBeLessThan(20);
  });
});

describe('the time between a question and its call', () => {
  const silent = { decision: 'pre_approved', answer: 'any' } as const;
  const shifting = (...rounds: readonly Description[]) => {
    let round = 0;
    return { describe: () => rounds[Math.min(round++, rounds.length - 1)] as Description };
  };

  it('may add a capability: the call starts over', async () => {
    const { box, asked, executed } = stage({
      answers: [yes],
      tool: shifting(
        { capabilities: [write('/w/a')] },
        { capabilities: [write('/w/a'), write('/etc/passwd')] },
      ),
    });
    const outcome = await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(outcome.status).toBe('completed');
    expect(asked.map(({ again, capabilities }) => [again, capabilities.length])).toEqual([
      [null, 1],
      ['the call changed while it waited', 2],
    ]);
    expect(executed).toHaveLength(1);
  });

  it('may add a block, which applies', async () => {
    const { box, executed, log } = stage({
      policies: [policy({ rules: [ruleAbout('net', { decision: 'blocked' })] })],
      answers: [yes],
      tool: shifting(
        { capabilities: [write('/w/a')] },
        { capabilities: [write('/w/a'), { name: 'net.connect' }] },
      ),
    });
    const outcome = await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(outcome).toMatchObject({ refusal: { code: 'blocked' } });
    expect(executed).toEqual([]);
    expect(log.story).toEqual(['decision', 'approval', 'decision', 'outcome']);
  });

  it('may make the call impossible, which applies', async () => {
    const { box, executed } = stage({
      answers: [yes],
      tool: shifting(
        { capabilities: [write('/w/a')] },
        { capabilities: [write('/w/a')], cannot: 'it is gone' },
      ),
    });
    const outcome = await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(outcome).toMatchObject({ refusal: { code: 'cannot', reason: 'it is gone' } });
    expect(executed).toEqual([]);
  });

  it('leaves one judgement in the log if the second description fails', async () => {
    let round = 0;
    const { box, executed, log } = stage({
      answers: [yes],
      tool: {
        describe: () => {
          if (round++ > 0) throw new Error('gone');
          return { capabilities: [write('/w/a')] };
        },
      },
    });
    const outcome = await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(outcome).toMatchObject(refused('describing failed: gone'));
    expect(executed).toEqual([]);
    expect(log.story).toEqual(['decision', 'approval', 'outcome']);
  });

  it('may bring another rule’s question about the same capability, which is asked', async () => {
    const until = ruleAbout('fs.write', { id: 'later', condition: ({ now }) => now > 1000 });
    const { box, asked, clock } = stage({
      policies: [policy({ rules: [until, ruleAbout('fs.write', { id: 'first' })] })],
      answers: [
        () => {
          clock.pass(10);
          return Promise.resolve({ answer: 'approve', person: 'ann' });
        },
      ],
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(asked.map(({ asked_by }) => asked_by.flatMap(({ rules }) => rules.map(({ id }) => id)))).toEqual([
      ['first'],
      ['later', 'first'],
    ]);
  });

  it('may add a permitted capability: the call still starts over', async () => {
    const { box, asked } = stage({
      policies: [policy({ rules: [ruleAbout('fs.list', { decision: 'pre_approved' })] })],
      answers: [yes],
      tool: shifting(
        { capabilities: [write('/w/a')] },
        { capabilities: [write('/w/a'), { name: 'fs.list', path: '/w' }] },
      ),
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(asked.map(({ capabilities }) => capabilities.length)).toEqual([1, 2]);
  });

  it('may increase the bytes: the call starts over', async () => {
    const { box, asked } = stage({
      answers: [yes],
      tool: shifting(
        { capabilities: [{ ...write('/w/a'), bytes: 1 }] },
        { capabilities: [{ ...write('/w/a'), bytes: 2 }] },
      ),
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(asked).toHaveLength(2);
  });

  it.each<readonly [string, Setting['policies']]>([
    [
      'another policy, by a rule of the same id',
      [
        policy({ default: silent, rules: [ruleAbout('fs.write', { id: 'same' })] }),
        policy({
          name: 'other.yaml',
          default: silent,
          rules: [ruleAbout('fs.write', { id: 'same', condition: ({ now }) => now > 1000 })],
        }),
        policy({ name: 'third.yaml' }),
      ],
    ],
    [
      'a default that requires a person, and the same rule',
      [
        policy({
          default: { decision: 'needs_approval', answer: 'person' },
          rules: [ruleAbout('fs.write', { condition: ({ now }) => now === 1000 || { undecided: 'late' } })],
        }),
      ],
    ],
  ])('may add a question of %s, which is asked', async (_, policies) => {
    const { box, asked, clock } = stage({
      ...(policies === undefined ? {} : { policies }),
      answers: [
        () => {
          clock.pass(10);
          return Promise.resolve({ answer: 'approve', person: 'ann' });
        },
      ],
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(asked).toHaveLength(2);
  });

  it('may remove a capability: the answer still applies', async () => {
    const { box, asked } = stage({
      answers: [yes],
      tool: shifting({ capabilities: [write('/w/a'), write('/w/b')] }, { capabilities: [write('/w/b')] }),
    });
    expect((await box.call({ tool: 'put', args: { path: '/w/a' } })).status).toBe('completed');
    expect(asked).toHaveLength(1);
  });
});
