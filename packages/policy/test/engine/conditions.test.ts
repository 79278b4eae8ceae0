import { type CallView, type Capability, canonical, type Json } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import { evaluateCondition } from '../../src/condition/evaluate.js';
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
    evaluateCondition(expression, seenBy(call, capability)),
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
