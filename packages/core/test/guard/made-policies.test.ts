import { describe, expect, it } from 'vitest';
import type { CapabilityRule, Policy, RunOptions } from '../../src/index.js';
import { decide, forReference, policies, takePolicy } from '../../src/index.js';
import { asking, deciding, policy, ruleAbout, stage } from './stage.js';

const put = { tool: 'put', args: { path: '/w/a' } };

/** A policy that permits `fs.write`, with one thing about it changed. */
const permitting = (changes: object) => policy({ rules: [ruleAbout('fs.write', permission)], ...changes });
const permission: Partial<CapabilityRule> = { decision: 'pre_approved' };

const ruled = (changes: object) => permitting({ rules: [ruleAbout('fs.write', changes as never)] });

const problemsOf = (given: unknown) => {
  const taken = takePolicy(given);
  return taken.ok ? [] : taken.problems.map(({ at, message }) => `${at}: ${message}`);
};

class Own {
  readonly name = 'own';
}

describe('a policy made in code', () => {
  it.each<readonly [string, unknown, readonly string[]]>([
    ['an unknown decision', ruled({ decision: 'block' }), ['rules[0].decision: `block` is not a decision']],
    [
      'an inherited property name as a decision',
      ruled({ decision: 'constructor' }),
      ['rules[0].decision: `constructor` is not a decision'],
    ],
    [
      'a decision in capitals',
      ruled({ decision: 'Blocked' }),
      ['rules[0].decision: `Blocked` is not a decision'],
    ],
    ['no decision', ruled({ decision: undefined }), ['rules[0]: `decision` is missing']],
    ['a text as the default', permitting({ default: 'blocked' }), ['default: `blocked` is not an object']],
    [
      'an invalid default',
      permitting({ default: { decision: 'deny', answer: 'any' } }),
      ['default.decision: `deny` is not a decision'],
    ],
    [
      'workers as a text',
      permitting({ admits: { ...asking.admits, workers: 'plain.echoes' } }),
      ['admits.workers: `plain.echoes` is not true, false or a list of tools'],
    ],
    [
      'a worker without a toolset',
      permitting({ admits: { ...asking.admits, workers: ['echo'] } }),
      ['admits.workers[0]: `echo` is not a tool'],
    ],
    [
      'an unknown duration to remember',
      permitting({ admits: { ...asking.admits, remember: 'forever' } }),
      ['admits.remember: `forever` is not how long an answer may be kept'],
    ],
    ['a misspelled key', permitting({ carrys: [] }), [': unknown key `carrys`']],
    ['a misspelled key of a rule', ruled({ observ: true }), ['rules[0]: unknown key `observ`']],
    [
      'a capability with a wildcard',
      policy({ rules: [ruleAbout('fs.*')] }),
      ['rules[0].name: `fs.*` is not a capability name'],
    ],
    ['a text as a condition', ruled({ condition: 'true' }), ['rules[0].condition: `true` is not a function']],
    ['an invalid worker name', ruled({ worker: 'Main' }), ['rules[0].worker: `Main` is not a worker name']],
    [
      'a rule of an unknown kind',
      ruled({ about: 'toString' }),
      ['rules[0].about: `toString` is not what a rule is about'],
    ],
    [
      'an object in place of a list of rules',
      permitting({ rules: { 0: ruleAbout('fs') } }),
      ['rules: an object is not a list'],
    ],
    [
      'a list of rules with a hole',
      permitting({ rules: listWithHole() }),
      ['rules: this list has holes or extra keys'],
    ],
    [
      'a duplicate id',
      permitting({ rules: [ruleAbout('fs'), ruleAbout('fs')] }),
      ['rules[1].id: the id `about-fs` is already used by another rule'],
    ],
    [
      '`undecided` on a permission',
      ruled({ undecided: 'needs_approval' }),
      ['rules[0].undecided: `undecided` is for rules that say `blocked`'],
    ],
    [
      'a pre-approving combination without capabilities',
      permitting({ rules: [{ ...asCombination(), decision: 'pre_approved', members: [] }] }),
      [
        'rules[0].decision: `pre_approved` is not a decision of a combination',
        'rules[0].members: this list is empty',
      ],
    ],
    [
      'an invalid carried capability',
      permitting({ carries: [{ tool: 'box', capability: { name: 'FS' } }] }),
      ['carries[0].tool: `box` is not a tool', 'carries[0].capability: an object is not a capability'],
    ],
    ['null', null, [': `null` is not an object']],
    ['a text', 'policy.yaml', [': `policy.yaml` is not an object']],
    ['a list', [], [': a list is not an object']],
    ['an instance of a class', new Own(), [': this is not a plain object']],
    ['inherited properties', Object.create(asking), [': this is not a plain object']],
    [
      'a getter',
      Object.defineProperty({ ...asking }, 'rules', { enumerable: true, get: () => [] }),
      ['rules: this value is computed when it is read'],
    ],
    ['a symbol', { ...asking, [Symbol('x')]: 1 }, [': unknown key `Symbol(x)`']],
    [
      'a proxy that throws',
      new Proxy(asking, {
        ownKeys: () => {
          throw new Error('no');
        },
      }),
      [': this value cannot be read'],
    ],
    ['a revoked proxy', revoked(), [': this value cannot be read']],
    ['a circular policy', circular(), ['default: this value contains itself, or is nested too deeply']],
    [
      'several mistakes',
      { ...ruled({ decision: 'block', answer: 'me' }), default: 'x' },
      [
        'default: `x` is not an object',
        'rules[0].decision: `block` is not a decision',
        'rules[0].answer: `me` is not who may answer',
      ],
    ],
  ])('has a problem for each mistake: %s', (_, given, expected) => {
    expect(problemsOf(given)).toEqual(expected);
    const options = { policies: [given] as unknown as RunOptions['policies'] };
    expect(() => stage(options)).toThrow(/made in code|policy `/);
  });

  it('is not affected by `Object.prototype`', () => {
    const { decision: _, ...rule } = ruleAbout('fs.write');
    Object.defineProperty(Object.prototype, 'decision', { value: 'pre_approved', configurable: true });
    try {
      expect(problemsOf(policy({ rules: [rule as never] }))).toEqual(['rules[0]: `decision` is missing']);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'decision');
    }
  });

  it('is not affected by later changes of the given object', async () => {
    const rule = { ...ruleAbout('fs.write', { decision: 'blocked' }) } as { decision: string };
    const given = { ...policy(), rules: [rule] } as unknown as Policy & {
      rules: unknown[];
      default: unknown;
    };
    const list = [given] as unknown as [Policy];
    const { box, executed } = stage({ policies: list, mode: 'strict' });
    rule.decision = 'pre_approved';
    given.default = { decision: 'pre_approved', answer: 'any' };
    given.rules = [];
    list.pop();
    expect(await box.call(put)).toMatchObject({ refusal: { code: 'blocked' } });
    expect(executed).toEqual([]);
  });

  it('is read once: a proxy cannot answer differently later', async () => {
    let reads = 0;
    const rule = new Proxy(ruleAbout('fs.write', { decision: 'blocked' }), {
      getOwnPropertyDescriptor: (target, key) => {
        const own = Reflect.getOwnPropertyDescriptor(target, key);
        if (key !== 'decision' || own === undefined) return own;
        reads += 1;
        return { ...own, value: reads === 1 ? 'blocked' : 'pre_approved' };
      },
      get: (target, key) => (key === 'decision' ? 'pre_approved' : (Reflect.get(target, key) as unknown)),
    });
    const taken = takePolicy(policy({ rules: [rule] }));
    expect(taken).toMatchObject({ ok: true, policy: { rules: [{ decision: 'blocked' }] } });
    expect(reads).toBe(1);
  });

  it('is the same policy if given again unchanged, and a new one if changed', () => {
    const given = { ...policy(), rules: [ruleAbout('fs')] };
    const [one, again] = [takePolicy(given), takePolicy(given)];
    if (!one.ok || !again.ok) throw new Error('it is right');
    expect(again.policy).toBe(one.policy);
    given.rules = [ruleAbout('fs', { decision: 'blocked' })];
    expect(takePolicy(given)).toMatchObject({ policy: { rules: [{ decision: 'blocked' }] } });
    expect(one.policy.rules).toMatchObject([{ decision: 'needs_approval' }]);
    const allowAll = takePolicy(policies.allowAll());
    expect(allowAll.ok && allowAll.policy).toBe(policies.allowAll());
  });

  it('may be frozen, and is deeply frozen by a run', () => {
    const { run } = stage({ policies: [Object.freeze(permitting({}))] });
    const [taken] = run.policies;
    expect([taken, taken.rules, taken.rules[0], taken.default, taken.admits].every(Object.isFrozen)).toBe(
      true,
    );
  });

  it('is checked as a worker’s layer, and when it arrives during a run', async () => {
    const { authority } = stage();
    const layers = [policy({ name: 'layer', rules: [ruleAbout('fs', { decision: 'block' as never })] })];
    expect(() => forReference(authority, { layers, grants: [] })).toThrow('`block` is not a decision');
    const { box, executed } = stage({
      policies: [deciding('pre_approved')],
      options: { newer: () => Promise.resolve(layers) },
    });
    expect(await box.call(put)).toMatchObject({ refusal: { code: 'unjudged' } });
    expect(executed).toEqual([]);
  });
});

describe('the options of a run', () => {
  it.each<readonly [string, Partial<Record<keyof RunOptions, unknown>>, RegExp]>([
    ['an approver that cannot be asked', { approver: { ask: 'yes' } }, /`approver` must be null or have/],
    ['a text as the approver', { approver: 'ann' }, /`approver` must be null or have/],
    ['an undefined approver', { approver: undefined }, /`approver` must be null or have/],
    ['a mode in capitals', { mode: 'Strict' }, /`Strict` is not a mode/],
    ['an inherited property name as the mode', { mode: 'constructor' }, /`constructor` is not a mode/],
    ['a symbol as the mode', { mode: Symbol('strict') }, /symbol is not a mode/],
    ['a context that is not plain JSON', { context: { at: new Date(0) } }, /`context` must be/],
    ['a log that cannot be written', { log: {} }, /`log` must have/],
    ['an invalid engine', { decide: {} }, /`decide` must be a function/],
    ['a policy in place of a list', { policies: asking }, /at least one policy is required/],
    [
      'a policy in place of a list that observes',
      { observing: asking },
      /`observing` must be a list of policies/,
    ],
    ['an invalid limit', { answerLimit: Number.NaN }, /`answerLimit` must be/],
  ])('are rejected with a message: %s', (_, options, words) => {
    expect(() => stage({ options: options as Partial<RunOptions> })).toThrow(words);
  });
});

describe('an invalid decision', () => {
  it.each(['block', 'allow', 'constructor', '', undefined, null, 0, true])(
    'counts as blocked: %s',
    async (word) => {
      const odd = policy({ rules: [ruleAbout('fs.write', { decision: word as never })] });
      const { box, executed } = stage({
        policies: [deciding('pre_approved')],
        mode: 'approve_all',
        // An engine that is given what nobody has checked.
        options: { decide: (request) => decide(request, [odd]) },
      });
      expect(await box.call(put)).toMatchObject({ refusal: { code: 'blocked' } });
      expect(executed).toEqual([]);
    },
  );

  it('of an engine without judgements counts as blocked', async () => {
    const { box, executed } = stage({
      policies: [deciding('pre_approved')],
      mode: 'approve_all',
      options: { decide: (request, all) => ({ ...decide(request, all), judgements: [] }) },
    });
    expect(await box.call(put)).toMatchObject({ refusal: { code: 'blocked' } });
    expect(executed).toEqual([]);
  });

  it.each([1, 'true', {}, [], null, undefined, { undecided: 5 }])(
    'of a condition with an invalid truth value permits nothing: %s',
    async (truth) => {
      const { box, executed } = stage({
        policies: [
          policy({ rules: [ruleAbout('fs.write', { ...permission, condition: () => truth as never })] }),
        ],
        mode: 'strict',
      });
      expect(await box.call(put)).toMatchObject({ refusal: { code: 'strict' } });
      expect(executed).toEqual([]);
    },
  );
});

function asCombination() {
  const { below: _, name: __, ...rest } = ruleAbout('fs', { decision: 'blocked' });
  return { ...rest, about: 'combination', members: [{ name: 'fs', condition: () => true }], within: 'call' };
}

function listWithHole(): unknown {
  const list: unknown[] = [];
  list.length = 1;
  return list;
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({ ...asking }, {});
  revoke();
  return proxy;
}

function circular(): unknown {
  const made: Record<string, unknown> = { ...asking };
  made.default = made;
  return made;
}
