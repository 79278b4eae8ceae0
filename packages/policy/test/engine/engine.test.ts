import {
  builtIn,
  type Capability,
  createRequest,
  decide,
  type Judgement,
  type NonEmpty,
  type Policy,
  type Request,
  type Rule,
} from '@ambit/core';
import { createEngine, loadPolicyText } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { load } from '../world.js';

function policyOf(text: string): Policy {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.policy;
}

function requestFor(...names: readonly string[]): Request {
  return createRequest({
    tool: 'box.put',
    chain: ['main'],
    args: {},
    capabilities: names.map((name) => ({ name })),
    context: {},
    history: [],
    now: 0,
  });
}

function both(request: Request, policies: NonEmpty<Policy>) {
  const engine = createEngine();
  const decision = engine.decide(request, policies);
  expect(decision).toEqual(decide(request, policies));
  expect(engine.settle(request, policies)).toBe(decision.decision);
  return decision;
}

const open = 'version: 1\ndefault: pre_approved\ncapabilities: { fs: blocked }\n';

describe('createEngine', () => {
  it('finds a restriction at any depth of the name under it, and not beside it', () => {
    const policies: NonEmpty<Policy> = [policyOf(open)];
    const names = ['fs', 'fs.read', 'fs.a.b.c.d.e.f', `fs${'.a'.repeat(500)}`, 'fsx', 'fsx.read', 'x.fs'];
    expect(names.map((name) => both(requestFor(name), policies).decision)).toEqual([
      'blocked',
      'blocked',
      'blocked',
      'blocked',
      'pre_approved',
      'pre_approved',
      'pre_approved',
    ]);
  });

  it('reads names such as `constructor` as plain names', () => {
    const names = [
      'constructor',
      '__proto__',
      'hasOwnProperty',
      '',
      '.',
      '..',
      'fs.',
      '.fs',
      'fs..read',
      'a.',
    ];
    for (const name of names) both(requestFor(name), [policyOf(open)]);
  });

  it('freezes a policy that it has read, so that no later change is missed', () => {
    const policy = policyOf(open);
    const rules = policy.rules as Rule[];
    createEngine().settle(requestFor('fs'), [policy]);
    expect(() => rules.pop()).toThrow(TypeError);
    expect(() => Object.assign(policy.default, { decision: 'blocked' })).toThrow(TypeError);
    expect(() => Object.assign(rules[0] as Rule, { decision: 'pre_approved' })).toThrow(TypeError);
  });

  it('returns explanations whose changes do not affect the next one', () => {
    const engine = createEngine();
    const policies: NonEmpty<Policy> = [policyOf(open)];
    const [first] = engine.decide(requestFor('fs'), policies).judgements as [Judgement];
    expect(() => (first.rules as unknown[]).pop()).toThrow(TypeError);
    expect(() => Object.assign(first.rules[0] as object, { id: 'other' })).toThrow(TypeError);
    (engine.decide(requestFor('fs'), policies).judgements as unknown[]).pop();
    expect(engine.decide(requestFor('fs'), policies)).toEqual(decide(requestFor('fs'), policies));
  });

  it('distinguishes sets of policies with the same first policy, in any order', () => {
    const engine = createEngine();
    const [one, two] = [policyOf(open), policyOf('version: 1\ndefault: needs_approval\n')];
    const sets: NonEmpty<Policy>[] = [
      [one],
      [one, two],
      [two],
      [two, one],
      [one, one],
      [builtIn],
      [builtIn, one],
    ];
    for (const policies of [...sets, ...sets.toReversed(), ...sets])
      expect(engine.decide(requestFor('fs', 'net'), policies)).toEqual(
        decide(requestFor('fs', 'net'), policies),
      );
  });

  it('stays correct when there are more names, sets and chains than it caches', () => {
    const engine = createEngine();
    const policy = policyOf(`${open}workers: { helper: { capabilities: { net: blocked } } }\n`);
    const layers = Array.from({ length: 40 }, () => policyOf('version: 1\ndefault: needs_approval\n'));
    for (let round = 0; round < 6_000; round += 1) {
      const request: Request = {
        ...requestFor(`net.n${round}`, 'fs'),
        chain: [round % 3 === 0 ? 'helper' : `w${round}`, 'main'],
        worker: 'main',
      };
      const policies: NonEmpty<Policy> = [policy, layers[round % 40] as Policy];
      if (round % 500 < 3) expect(engine.decide(request, policies)).toEqual(decide(request, policies));
      expect(engine.settle(request, policies)).toBe('blocked');
    }
    for (let round = 0; round < 70_000; round += 1) engine.settle(requestFor(`far.n${round}`), [policy]);
    expect(engine.decide(requestFor('far.n1', 'fs.a'), [policy])).toEqual(
      decide(requestFor('far.n1', 'fs.a'), [policy]),
    );
  });

  it('stays correct when there are more truths than it caches', () => {
    const engine = createEngine();
    const decisions = ['pre_approved', 'needs_approval', 'blocked'];
    const rules = Array.from({ length: 14 }, (_, at) => ({
      decision: decisions[at % 3],
      match: { [`f${at}`]: true },
    }));
    const text = JSON.stringify({ version: 1, default: 'needs_approval', capabilities: { 'a.b': rules } });
    const policies: NonEmpty<Policy> = [policyOf(text)];
    for (let round = 0; round < 2_000; round += 1) {
      // Each fact is true, false or missing.
      const digits = ((round * 7_919) % 3 ** 14).toString(3).padStart(14, '0');
      const facts = [...digits].flatMap((digit, at) => (digit === '2' ? [] : [[`f${at}`, digit === '1']]));
      const request = {
        ...requestFor(),
        capabilities: [{ name: 'a.b', ...Object.fromEntries(facts) }],
      } as Request;
      expect(engine.decide(request, policies)).toEqual(decide(request, policies));
      expect(engine.settle(request, policies)).toBe(decide(request, policies).decision);
    }
  });

  it('evaluates a condition about the call once, however many capabilities the call carries', () => {
    let asked = 0;
    const rule = policyOf('version: 1\ndefault: needs_approval\ntools: { box.put: blocked }\n')
      .rules[0] as Rule;
    const condition = () => {
      asked += 1;
      return true;
    };
    const policy = { ...policyOf(open), rules: [{ ...rule, condition }] } as Policy;
    createEngine().decide(requestFor('a', 'b', 'c'), [policy]);
    expect(asked).toBe(1);
  });

  it("does not read a star in a folder's name as a pattern", () => {
    const inFolder = (home: string, path: string) => {
      const text = JSON.stringify({
        version: 1,
        default: 'pre_approved',
        capabilities: { fs: { decision: 'blocked', match: { path } } },
      });
      const loaded = loadPolicyText('p.yaml', text, { home, root: '/w' });
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
      return loaded.policy;
    };
    const [literal, wild] = [inFolder('/home/a*', '~/x'), inFolder('/home/ada', '/home/a*/x')];
    const request = { ...requestFor('fs'), capabilities: [{ name: 'fs', path: '/home/ab/x' }] } as Request;
    const orders: NonEmpty<Policy>[] = [[literal], [wild], [literal], [wild, literal], [literal, wild]];
    expect(orders.map((policies) => both(request, policies).decision)).toEqual([
      'pre_approved',
      'blocked',
      'pre_approved',
      'blocked',
      'blocked',
    ]);
  });

  it('distinguishes the results of more rules than a number has digits', () => {
    const rules = Array.from({ length: 60 }, (_, at) => ({
      id: `r${at}`,
      decision: at % 2 === 0 ? 'needs_approval' : 'blocked',
      match: { [`f${at}`]: true },
    }));
    const policies: NonEmpty<Policy> = [
      policyOf(JSON.stringify({ version: 1, default: 'pre_approved', capabilities: { app: rules } })),
    ];
    const engine = createEngine();
    // The first rules in the number are true, so that no digits remain for the last ones.
    const facts = Object.fromEntries(rules.map((_, at) => [`f${at}`, at < 20 && at % 2 === 0]));
    for (const fact of [...Object.keys(facts), 'none', ...Object.keys(facts).toReversed()]) {
      const request = {
        ...requestFor('app'),
        capabilities: [{ name: 'app', ...facts, [fact]: true }],
      } as Request;
      expect(engine.decide(request, policies)).toEqual(decide(request, policies));
    }
  });

  it('checks only new entries of a growing history, and all entries of another one', () => {
    const policies: NonEmpty<Policy> = [
      policyOf(
        [
          'version: 1',
          'default: pre_approved',
          'together:',
          '  - capabilities: [secret.read, { name: net.connect, match: { host: "**.example" } }]',
          '    within: run',
          '    decision: blocked',
        ].join('\n'),
      ),
    ];
    const engine = createEngine();
    const decided = (history: readonly Capability[]) => {
      const request = { ...requestFor('secret.read'), history };
      const found = engine.decide(request, policies);
      expect(found).toEqual(decide(request, policies));
      expect(engine.settle(request, policies)).toBe(found.decision);
      return found.decision;
    };
    const host = (name: string): Capability => ({ name: 'net.connect', host: name });
    // A short history is checked as a whole.
    for (const before of [0, 20]) {
      const others = Array.from({ length: before }, (): Capability => ({ name: 'fs.read' }));
      const history: Capability[] = [...others, host('a.test')];
      expect(decided(history)).toBe('pre_approved');
      history.push({ name: 'fs.read' }, host('a.example'));
      expect(decided(history)).toBe('blocked');
      history.push({ name: 'fs.read' });
      expect(decided(history)).toBe('blocked');
      expect(decided([...others, host('a.test')])).toBe('pre_approved');
      expect(decided([...others, { name: 'net.connect' }])).toBe('blocked');
      // A shorter history, and another one of the same length.
      history.splice(before + 2);
      expect(decided(history)).toBe('pre_approved');
      history[before + 1] = host('b.example');
      expect(decided(history)).toBe('blocked');
    }
  });

  it('asks a condition that is made in code once for each decision', () => {
    const answers: boolean[] = [];
    const policy = policyOf(open);
    const rules = policy.rules.map((rule) => ({ ...rule, condition: () => answers.shift() ?? true }));
    const policies: NonEmpty<Policy> = [{ ...policy, rules } as Policy];
    const engine = createEngine();
    const decided = (...next: readonly boolean[]) => {
      answers.splice(0, answers.length, ...next);
      return engine.settle(requestFor('fs.read'), policies);
    };
    expect(decided(true, false)).toBe('blocked');
    expect(answers).toEqual([false]);
    expect(decided(true)).toBe('blocked');
    expect(decided(false, true)).toBe('pre_approved');
    expect(decided(false)).toBe('pre_approved');
  });

  it('tests once a condition that decides in place of both the default and its own question', () => {
    const answers = [true, false];
    const policy = policyOf('version: 1\ndefault: blocked\ncapabilities: { fs: needs_approval }\n');
    const rules = policy.rules.map((rule) => ({ ...rule, condition: () => answers.shift() ?? false }));
    const policies: NonEmpty<Policy> = [{ ...policy, rules } as Policy];
    expect(createEngine().settle(requestFor('fs.read'), policies)).toBe('needs_approval');
    expect(answers).toEqual([false]);
  });

  it('skips tests that cannot make a decision stricter, if no explanation is needed', () => {
    let asked = 0;
    const asking = policyOf('version: 1\ndefault: pre_approved\ncapabilities: { fs: needs_approval }\n');
    const rules = asking.rules.map((rule) => ({
      ...rule,
      condition: () => {
        asked += 1;
        return true;
      },
    }));
    const policies: NonEmpty<Policy> = [
      { ...asking, rules } as Policy,
      policyOf('version: 1\ndefault: needs_approval\n'),
    ];
    expect(createEngine().settle(requestFor('fs.read', 'fs.write'), policies)).toBe('needs_approval');
    expect(asked).toBe(0);
  });
});
