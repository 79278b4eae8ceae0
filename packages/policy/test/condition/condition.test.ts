import { type CapabilityView, createRequest, isUndecided, type JsonObject, type Truth } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { load, mistakes, withRules } from '../world.js';

const facts: JsonObject = {
  amount: 50,
  to: 'acct-1',
  host: '10.1.2.3',
  path: '/w/out/a.md',
  flag: true,
  list: ['a', 'b'],
  nothing: null,
  empty: '',
  deep: { a: 1 },
  odd: [{ log: 'x' }, 'b'],
  constructor: 'mine',
};

function view(capability: JsonObject): CapabilityView {
  const request = createRequest({
    tool: 'bank.send',
    chain: ['root', 'clerk'],
    args: { n: 1, items: [{ n: 1 }, { n: 2 }, {}] },
    capabilities: [{ ...capability, name: 'payment.send' }],
    context: { env: 'ci' },
    history: [],
    now: 0,
  });
  return { ...request, capability: request.capabilities[0] };
}

function truthOf(when: string, capability: JsonObject = facts): Truth {
  const loaded = load(withRules(`payment.send: { decision: pre_approved, when: ${when} }`));
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  const [rule] = loaded.policy.rules;
  if (rule?.about !== 'capability') throw new Error('no rule');
  return rule.condition(view(capability));
}

describe('when', () => {
  it.each<[string, boolean | string]>([
    ['{ "<": [{ var: capability.amount }, 100] }', true],
    ['{ ">": [{ var: capability.amount }, 100] }', false],
    ['{ ">": [{ var: capability.absent }, 100] }', 'no fact `absent`'],
    ['{ "==": [{ var: args.absent }, 1] }', 'no argument `absent`'],
    ['{ "==": [{ var: context.region }, eu] }', 'no `region` in the context'],
    ['{ "==": [{ var: context.env }, ci] }', true],
    ['{ "==": [{ var: capability.name }, payment.send] }', true],
    ['{ "==": [{ var: tool }, bank.send] }', true],
    ['{ "==": [{ var: toolset }, bank] }', true],
    ['{ "==": [{ var: worker }, clerk] }', true],
    ['{ in: [root, { var: chain }] }', true],
    ['{ "==": [{ var: chain.0 }, root] }', true],
    ['{ "==": [{ var: chain.7 }, root] }', 'no `chain.7`'],
    ['{ "==": [{ var: [capability.absent, 0] }, 0] }', true],
    ['{ "==": [{ var: capability.amount }, "50"] }', '`==` needs two values of one kind'],
    ['{ "===": [{ var: capability.list }, { var: capability.list }] }', '`===` needs two values of one kind'],
    ['{ "<": [{ var: capability.to }, b] }', '`<` needs numbers'],
    ['{ "<": [1, { var: capability.amount }, 100] }', true],
    ['{ in: [acct, { var: capability.to }] }', true],
    ['{ in: [1, { var: capability.to }] }', '`in` needs a list, or text within text'],
    ['{ in: [x, { var: capability.amount }] }', '`in` needs a list, or text within text'],
    ['{ in: [x, { var: capability.odd }] }', false],
    ['{ in: [b, { var: capability.odd }] }', true],
    ['{ var: capability.flag }', true],
    ['{ var: capability.amount }', 'a value that is neither true nor false: a number'],
    ['{ var: capability.nothing }', 'a value that is neither true nor false: null'],
    ['{ missing: [capability.amount] }', 'a value that is neither true nor false: a list'],
    ['{ "!": { missing: [capability.amount] } }', true],
    ['{ "!!": { missing: [capability.absent, capability.nothing, capability.empty] } }', true],
    ['{ and: [{ missing_some: [1, [capability.absent, capability.amount]] }, true] }', false],
    ['{ and: [false, { var: capability.absent }] }', false],
    ['{ and: [{ var: capability.absent }, false] }', false],
    ['{ and: [{ var: capability.absent }, true] }', 'no fact `absent`'],
    ['{ or: [{ var: capability.absent }, true] }', true],
    ['{ or: [{ var: capability.absent }, false] }', 'no fact `absent`'],
    ['{ "!": { var: capability.absent } }', 'no fact `absent`'],
    ['{ "!": { var: capability.amount } }', 'a value that is neither true nor false: a number'],
    ['{ if: [{ var: capability.absent }, true, true] }', true],
    ['{ if: [{ var: capability.absent }, true, false] }', 'no fact `absent`'],
    ['{ if: [{ var: capability.flag }, false, true] }', false],
    ['{ if: [] }', 'a value that is neither true nor false: null'],
    ['{ all: [{ var: capability.list }, { in: [{ var: "" }, [a, b, c]] }] }', true],
    ['{ some: [{ var: args.items }, { ">": [{ var: n }, 1] }] }', true],
    ['{ all: [{ var: args.items }, { ">": [{ var: n }, 0] }] }', 'no `n` in the element'],
    ['{ none: [{ var: args.items }, { ">": [{ var: n }, 1] }] }', false],
    ['{ all: [{ var: capability.amount }, true] }', '`all` needs a list'],
    [
      '{ some: [{ var: args.items }, { "==": [{ var: capability.amount }, 50] }] }',
      'no `capability.amount` in the element',
    ],
    ['{ "==": [{ "/": [1, 0] }, 1] }', '`/` has no finite value'],
    ['{ "==": [{ "%": [1, 0] }, 1] }', '`%` has no finite value'],
    ['{ "==": [{ cat: [a, 1] }, a1] }', true],
    ['{ "==": [{ cat: [a, true] }, atrue] }', '`cat` needs text or numbers'],
    ['{ "==": [{ substr: [{ var: capability.to }, 0, 4] }, acct] }', true],
    ['{ "==": [{ min: [3, 2] }, 2] }', true],
    ['{ "==": [{ max: [3, { var: capability.to }] }, 3] }', '`max` needs numbers'],
    ['{ under: [{ var: capability.path }, ./out] }', true],
    ['{ under: [{ var: capability.path }, ./] }', true],
    ['{ under: [{ var: capability.path }, ./ou] }', false],
    ['{ under: [{ var: capability.path }, /] }', true],
    ['{ under: [{ var: capability.path }, /w/out/a.md] }', true],
    ['{ under: [{ var: capability.to }, /w] }', '`under` needs two canonical paths'],
    ['{ cidr: [{ var: capability.host }, 10.0.0.0/8] }', true],
    ['{ cidr: [{ var: capability.host }, 10.1.2.0/24] }', true],
    ['{ cidr: [{ var: capability.host }, 10.1.3.0/24] }', false],
    ['{ cidr: [{ var: capability.host }, "fe80::/10"] }', false],
    ['{ cidr: ["fe80::1", "fe80::/10"] }', true],
    ['{ cidr: ["::1", "::/0"] }', true],
    ['{ cidr: ["10.1.2.3", 0.0.0.0/0] }', true],
    ['{ cidr: ["a.example", 10.0.0.0/8] }', '`cidr` needs an address and a block, both canonical'],
    ['{ cidr: ["010.1.2.3", 10.0.0.0/8] }', '`cidr` needs an address and a block, both canonical'],
    ['{ "==": [{ var: capability.constructor }, mine] }', true],
    ['{ "==": [{ var: capability.constructor.name }, String] }', 'no fact `constructor.name`'],
    ['{ "==": [{ var: capability.toString }, x] }', 'no fact `toString`'],
    ['{ "==": [{ var: capability.deep.a }, 1] }', true],
    ['{ "==": [{ var: args.__proto__ }, 1] }', 'no argument `__proto__`'],
    ['true', true],
    ['false', false],
  ])('%s is %s', (when, expected) => {
    const truth = truthOf(when);
    expect(isUndecided(truth) ? truth.undecided : truth).toBe(expected);
  });

  it('never runs data of a call as logic', () => {
    const odd = { list: [{ var: 'context.env' }, { cat: ['c', 'i'] }] };
    expect(truthOf('{ in: [ci, { var: capability.list }] }', odd)).toBe(false);
  });

  it('is undecided if it would take too much work', () => {
    const digits = `[${Array.from({ length: 200 }, (_, index) => index).join(', ')}]`;
    const loop = (inner: string) => `{ all: [${digits}, ${inner}] }`;
    expect(truthOf(loop(loop(loop(loop('{ ">=": [{ var: "" }, 0] }')))))).toEqual({
      undecided: 'the condition is too much work',
    });
  });

  it.each<[string, string]>([
    ['{ log: x }', 'UNKNOWN_OPERATOR'],
    ['{ method: x }', 'UNKNOWN_OPERATOR'],
    ['{ map: [[1], true] }', 'UNKNOWN_OPERATOR'],
    ['{ constructor: [] }', 'UNKNOWN_OPERATOR'],
    ['{ "?:": [true, true, true] }', 'UNKNOWN_OPERATOR'],
    ['{ "<": [1, 2], ">": [1, 2] }', 'BAD_CONDITION'],
    ['{ and: [{}] }', 'BAD_CONDITION'],
    ['{}', 'BAD_CONDITION'],
    ['[true]', 'BAD_CONDITION'],
    ['yes', 'BAD_CONDITION'],
    ['1', 'BAD_CONDITION'],
    ['null', 'BAD_CONDITION'],
    ['{ "==": [1] }', 'BAD_OPERANDS'],
    ['{ "==": [1, 2, 3] }', 'BAD_OPERANDS'],
    ['{ "!": [] }', 'BAD_OPERANDS'],
    ['{ and: [] }', 'BAD_OPERANDS'],
    ['{ var: [{ var: tool }] }', 'BAD_OPERANDS'],
    ['{ var: [] }', 'BAD_OPERANDS'],
    ['{ var: 1 }', 'BAD_OPERANDS'],
    ['{ var: "" }', 'UNKNOWN_NAME'],
    ['{ var: path }', 'UNKNOWN_NAME'],
    ['{ var: capabilty.path }', 'UNKNOWN_NAME'],
    ['{ missing: { var: tool } }', 'BAD_OPERANDS'],
    ['{ missing: [path] }', 'UNKNOWN_NAME'],
    ['{ missing_some: [[capability.a], 1] }', 'BAD_OPERANDS'],
    ['{ under: [{ var: capability.path }, out] }', 'BAD_OPERANDS'],
    ['{ under: [{ var: capability.path }, /w/../x] }', 'BAD_OPERANDS'],
    ['{ cidr: [{ var: capability.host }, 10.0.0.1/8] }', 'BAD_OPERANDS'],
    ['{ cidr: [{ var: capability.host }, 10.0.0.0/33] }', 'BAD_OPERANDS'],
    ['{ cidr: [{ var: capability.host }, a.example/8] }', 'BAD_OPERANDS'],
  ])('%s does not load: %s', (when, code) => {
    const found = mistakes(withRules(`payment.send: { decision: pre_approved, when: ${when} }`));
    expect(found.map((mistake) => mistake.split(' ')[1])).toEqual([code]);
  });
});
