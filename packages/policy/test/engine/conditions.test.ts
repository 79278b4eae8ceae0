import { type CallView, type Capability, canonical, type Json } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import { evaluate } from '../../src/condition/evaluate.js';
import type { Expression } from '../../src/condition/expression.js';
import { partsOf, ruleCondition, seenBy } from '../../src/document/rule-condition.js';
import { compileCondition } from '../../src/engine/compile-condition.js';
import { parseFree } from '../condition/expressions.js';

const binary = [
  '==',
  '===',
  '!=',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  '+',
  '-',
  '*',
  '/',
  '%',
  'min',
  'max',
  'cat',
  'under',
];
const kinds: readonly Json[] = [
  -1,
  0,
  -0,
  1,
  2.5,
  'a',
  'b',
  'ab',
  '',
  '/w',
  '/w/a',
  true,
  false,
  null,
  [],
  ['a', 1, null],
  {},
];
const keys = [
  'capability.x',
  'capability.path',
  'capability.host',
  'args.x',
  'context.x',
  'tool',
  'chain',
  'args.constructor',
];

function read(logic: Json): Expression {
  const expression = parseFree(logic);
  if (expression === null) throw new Error(`no expression: ${JSON.stringify(logic)}`);
  return expression;
}

function callWith(args: Readonly<Record<string, Json>>): CallView {
  const chain = ['main', 'helper'] as const;
  return { tool: 'box.put', toolset: 'box', worker: 'helper', chain, args, context: { x: 'ci' }, now: 0 };
}

/** The difference between the compiled condition and the plain one. */
function differences(
  expression: Expression,
  reported: Capability | null,
  call: CallView,
): readonly unknown[] {
  const capability = reported === null ? null : canonical(reported);
  const condition = ruleCondition(partsOf({ when: { expression } as never }));
  const [found, plain] = [
    compileCondition(condition)(capability, { request: call }),
    evaluate(expression, seenBy(call, capability)).condition,
  ];
  return JSON.stringify(found) === JSON.stringify(plain)
    ? []
    : [{ expression, capability, call, found, plain }];
}

describe('a compiled comparison', () => {
  const written = kinds.filter((value) => typeof value !== 'object' || Array.isArray(value));
  const call = callWith({});

  it.each(binary)(
    'with %s equals the plain one for values of every kind, and for a missing value',
    (operator) => {
      const found = written.flatMap((constant) => {
        if (operator === 'under' && (typeof constant !== 'string' || !constant.startsWith('/'))) return [];
        const expression = read({ [operator]: [{ var: 'capability.x' }, constant] });
        const facts = [...kinds.map((x) => ({ name: 'a', x })), { name: 'a' }];
        return facts.flatMap((capability) => differences(expression, capability, call));
      });
      expect(found).toEqual([]);
    },
  );

  it.each(binary)('with %s of two facts equals the plain one for values of every kind', (operator) => {
    const expression = read({ [operator]: [{ var: 'capability.x' }, { var: 'args.x' }] });
    const found = kinds.flatMap((x) =>
      kinds.flatMap((other) => differences(expression, { name: 'a', x }, callWith({ x: other }))),
    );
    expect(found).toEqual([]);
  });

  it('equals the plain one within `and`, `or` and `!`, for every truth of the parts', () => {
    const part = (value: Json): Json => ({ '==': [{ var: 'capability.x' }, value] });
    // For the fact 1: true, false and undecided.
    const parts = [part(1), part(2), part('a')];
    const junctions = ['and', 'or'].flatMap((operator): readonly Json[] => [
      ...parts.map((one): Json => ({ [operator]: [one] })),
      ...parts.flatMap((one) => parts.map((other): Json => ({ [operator]: [one, { '!': [other] }] }))),
      ...parts.flatMap((one) => parts.map((other): Json => ({ [operator]: [one, other, parts[0] as Json] }))),
    ]);
    const logics = [...junctions, ...junctions.map((inner): Json => ({ '!': [inner] }))];
    expect(logics.flatMap((logic) => differences(read(logic), { name: 'a', x: 1 }, call))).toEqual([]);
  });

  it('equals the plain one for three operands, and for values within values', () => {
    const logics: readonly Json[] = [
      { '<': [{ var: 'capability.x' }, 5, 2] },
      { '<=': [1, { var: 'capability.x' }, 2] },
      ...['capability.x.length', 'chain.0', 'chain.0.0', 'tool.0', 'args', 'now', 'history.0'].flatMap(
        (key) => kinds.map((value): Json => ({ '==': [{ var: key }, value as never] })),
      ),
    ];
    const capabilities = [1, 'ab', ['a']].map((x): Capability => ({ name: 'a', x }));
    const withMore = { ...call, history: ['a'] };
    const found = capabilities.flatMap((capability) =>
      logics.flatMap((logic) => {
        const expression = parseFree(logic);
        return expression === null ? [] : differences(expression, capability, withMore);
      }),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['a long text', 'x'.repeat(5_000)],
    ['a text that makes too much work', 'x'.repeat(60_000_000)],
    ['a long list', Array.from({ length: 500 }, () => 'x')],
  ])('is the plain one for %s', (_, x) => {
    const logics: readonly Json[] = [
      { '==': [{ var: 'capability.x' }, 'x'] },
      { in: ['x', { var: 'capability.x' }] },
      { and: [{ '!=': [{ var: 'capability.x' }, 'y'] }, { in: [{ var: 'capability.x' }, ['x', 'y']] }] },
    ];
    const found = logics.flatMap((logic) => differences(read(logic), { name: 'a', x }, call));
    expect(found.length).toBe(0);
  });

  it('stops at the same work limit as the plain one, however many parts it has', () => {
    const part: Json = { '!=': [{ var: 'capability.x' }, 'y'] };
    const expression = read({ and: Array.from({ length: 12_500 }, () => part) });
    for (const length of [0, 2_000, 4_000])
      expect(differences(expression, { name: 'a', x: 'x'.repeat(length) }, call).length).toBe(0);
  });
});

describe('a compiled condition', () => {
  const { logic } = fc.letrec<{ logic: Json }>((tie) => ({
    logic: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...kinds.filter((value) => typeof value !== 'object' || Array.isArray(value))),
      fc.constantFrom(...keys).map((key): Json => ({ var: key })),
      fc
        .tuple(fc.constantFrom(...keys), fc.constantFrom<Json>(1, 'a', '/w/a', null))
        .map((key): Json => ({ var: key })),
      fc
        .tuple(fc.constantFrom(...binary), tie('logic'), tie('logic'))
        .map(([operator, one, other]): Json => ({ [operator]: [one, other] })),
      fc
        .tuple(fc.constantFrom('and', 'or', 'if'), fc.array(tie('logic'), { minLength: 1, maxLength: 4 }))
        .map(([operator, operands]): Json => ({ [operator]: operands })),
      fc
        .tuple(fc.constantFrom('!', '!!'), tie('logic'))
        .map(([operator, one]): Json => ({ [operator]: [one] })),
      fc.subarray(keys).map((list): Json => ({ missing: list })),
      fc
        .constantFrom('10.0.0.0/8', 'fe80::/10')
        .map((block): Json => ({ cidr: [{ var: 'capability.host' }, block] })),
      fc
        .constantFrom('some', 'all', 'none')
        .map((operator): Json => ({ [operator]: [{ var: 'capability.x' }, { '==': [{ var: '' }, 'a'] }] })),
    ),
  }));
  const facts = fc.record(
    {
      x: fc.constantFrom(...kinds),
      path: fc.constantFrom<Json>(
        '/w',
        '/w/a',
        '/w/../a',
        5,
        { paths: [], open: true },
        { paths: [], open: true, under: '/w' },
      ),
      host: fc.constantFrom<Json>('10.0.0.1', '010.0.0.1', 'a.example', 'A.example', 'fe80::1', 'xn--a', '1'),
    },
    { requiredKeys: [], noNullPrototype: true },
  );

  it('has the same truth and reasons as the plain one', () => {
    let seen = 0;
    fc.assert(
      fc.property(logic, facts, fc.constantFrom(...kinds), (drawn, known, x) => {
        const expression = parseFree(drawn);
        if (expression === null) return;
        seen += 1;
        expect(differences(expression, { ...known, name: 'a' }, callWith({ x }))).toEqual([]);
        expect(differences(expression, null, callWith({ x }))).toEqual([]);
      }),
      explore(20_000),
    );
    expect(seen).toBeGreaterThan(tries(20_000) / 3);
  }, 600_000);

  it('reads only own facts', () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'amount'];
    const inherited = Object.create({ amount: 5 }) as Capability & Record<string, Json>;
    const found = names.flatMap((name) =>
      ['capability', 'args'].flatMap((root) => {
        const key = `${root}.${name}`;
        const logics: readonly Json[] = [
          { '!=': [{ var: key }, 1] },
          { '!': [{ missing: [key] }] },
          { '!!': [{ var: [key, true] }] },
        ];
        return logics.flatMap((one) => differences(read(one), inherited, callWith(inherited)));
      }),
    );
    expect(found).toEqual([]);
  });
});
