import type { Json, JsonObject } from '@ambit/core';
import * as fc from 'fast-check';
import type { ExampleCall } from '../src/exact/call.js';

/** Universes so small that every call of them is looked at, and pairs of policies over them that differ in one place. */
export interface SmallUniverse {
  readonly calls: readonly ExampleCall[];
  readonly pairs: fc.Arbitrary<readonly [JsonObject, JsonObject]>;
}

const decision = fc.constantFrom('pre_approved', 'needs_approval', 'blocked');
const time = '2026-01-01T00:00:00Z';

/** One rule that is only in the second, over what both say. */
function pairsOf(
  rules: fc.Arbitrary<JsonObject>,
  rest: fc.Arbitrary<JsonObject>,
  build: (rules: readonly JsonObject[], rest: JsonObject) => JsonObject,
): fc.Arbitrary<readonly [JsonObject, JsonObject]> {
  return fc
    .tuple(fc.array(rules, { maxLength: 3 }), rules, rest, fc.boolean())
    .map(([both, one, others, isAdded]) => {
      const pair = [build(both, others), build([...both, one], others)] as const;
      return isAdded ? pair : [pair[1], pair[0]];
    });
}

const defaults = fc
  .oneof(decision, fc.constant({ decision: 'needs_approval', answer: 'person' }))
  .map((each): JsonObject => ({ version: 1, default: each }));

function grouped(rules: readonly JsonObject[], key: string): Record<string, Json[]> {
  const groups: Record<string, Json[]> = {};
  for (const { [key]: name, ...rule } of rules) {
    const group = groups[name as string] ?? [];
    group.push(rule);
    groups[name as string] = group;
  }
  return groups;
}

const withSection = (rest: JsonObject, key: string, value: Record<string, Json>): JsonObject =>
  Object.keys(value).length === 0 ? rest : { ...rest, [key]: value };

function product<T extends Record<string, readonly Json[]>>(choices: T): readonly Record<string, Json>[] {
  return Object.entries(choices).reduce<readonly Record<string, Json>[]>(
    (all, [key, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [key]: value }))),
    [{}],
  );
}

/** Leaves out members that are marked as absent. */
const absent = '(absent)';
const present = (of: Record<string, Json>): JsonObject =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== absent));

const call = (parts: Partial<Record<keyof ExampleCall, unknown>>): ExampleCall =>
  ({ worker: ['main'], tool: 'k.r', ...parts }) as unknown as ExampleCall;

const factPatterns = fc.record(
  {
    path: fc.constantFrom<Json>('/w/**', '**/b', '/w/*', ['/', '/w/?/b'], '/**', ['/w', '/w/*', '/w/*/**']),
    n: fc.constantFrom<Json>(1, { from: 1 }, { to: 1 }, { from: 1, to: 2 }, [{ to: 0 }, 2]),
    t: fc.constantFrom<Json>('a*', '*b', '?', ['ab', 3]),
  },
  { requiredKeys: [] },
);
const someFacts = factPatterns.filter((facts) => Object.keys(facts).length > 0);

const factCondition = fc.constantFrom<Json>(
  { '<': [{ var: 'capability.n' }, 2] },
  { '==': [{ var: ['capability.n', 1] }, 1] },
  { '<=': [1, { var: 'capability.n' }, 2] },
  { in: [{ var: 'capability.t' }, ['a', 'ab']] },
  { in: ['b', { var: 'capability.t' }] },
  { in: [{ var: 'capability.t' }, 'xaby'] },
  { '!': { missing: 'capability.t' } },
  { under: [{ var: 'capability.path' }, '/w'] },
  { or: [{ '<': [{ var: 'capability.n' }, 1] }, { '==': [{ var: 'capability.t' }, 'ab'] }] },
  { if: [{ '>': [{ var: 'capability.n' }, 1] }, { '==': [{ var: 'capability.t' }, 'a'] }, false] },
  { some: [{ var: 'capability.t' }, { '>': [{ var: '' }, 1] }] },
  { all: [{ var: 'capability.t' }, { in: [{ var: '' }, [1, 'a']] }] },
  { '==': [{ var: 'capability.name' }, 'a.c'] },
  true,
);

const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const defined = (of: Record<string, unknown>): JsonObject =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as JsonObject;

const unknown = { paths: [], open: true };

/** What facts a capability has. */
export const facts: SmallUniverse = {
  calls: product({
    name: ['a', 'a.b', 'a.c', 'a.b.d'],
    path: [
      '/',
      '/w',
      '/w/x/b',
      '/e',
      '/w/',
      unknown,
      { ...unknown, under: '/w' },
      { ...unknown, under: '/' },
    ],
    n: [0, 1, 1.5, 2, 3, absent],
    t: ['', 'ab', 'c', 3, [1, 'a'], [], null],
  }).map((capability) => call({ capabilities: [present(capability)] })),
  pairs: pairsOf(
    fc
      .record({
        name: fc.constantFrom('a', 'a.b'),
        decision,
        match: optional(someFacts),
        except: optional(someFacts),
        when: optional(factCondition),
        below: optional(fc.boolean()),
      })
      .map(({ below, ...rule }) =>
        defined({ ...rule, below: rule.decision === 'pre_approved' ? below : undefined }),
      ),
    defaults,
    (rules, rest) => withSection(rest, 'capabilities', grouped(rules, 'name')),
  ),
};

const whoCondition = fc.constantFrom<Json>(
  { '==': [{ var: 'worker' }, 'w'] },
  { in: ['w', { var: 'chain' }] },
  { '!': { in: ['v', { var: 'chain' }] } },
  { in: [{ var: 'tool' }, ['k.s', 'j.r']] },
  { '!=': [{ var: 'toolset' }, 'k'] },
  { var: ['context.on', false] },
);

/** Who calls which tool, when. */
export const callers: SmallUniverse = {
  calls: product({
    worker: [
      ['main'],
      ['w'],
      ['v'],
      ['created:w'],
      ['created:x'],
      ['w', 'v'],
      ['v', 'w'],
      ['created:w', 'main'],
      ['main', 'created:v'],
      ['v', 'main'],
    ],
    tool: ['k.r', 'k.s', 'k.x', 'j.r', 'q.t'],
    name: ['a', 'a.b', 'z'],
    on: [true, absent],
    now: ['2025-06-01T00:00:00Z', time],
  }).map(({ worker, tool, name, on, now }) =>
    call({ worker, tool, now, capabilities: [{ name }], context: present({ on: on as Json }) }),
  ),
  pairs: pairsOf(
    fc
      .record({
        worker: fc.constantFrom('', '', 'w', 'v', 'created', 'created:w'),
        about: fc.constantFrom('capabilities', 'tools'),
        name: fc.constantFrom('a', 'a.b'),
        tool: fc.constantFrom('k.r', 'k.*', 'j.r'),
        decision,
        when: optional(whoCondition),
        inherit: optional(fc.boolean()),
        answer: optional(fc.constantFrom('any', 'person')),
        until: optional(fc.constant(time)),
      })
      .map(({ worker, about, name, tool, inherit, until, ...rule }) => ({
        section: JSON.stringify([worker, about]),
        subject: about === 'tools' ? tool : name,
        ...defined({
          ...rule,
          inherit: worker === '' ? undefined : inherit,
          until: rule.decision === 'pre_approved' ? until : undefined,
        }),
      })),
    fc
      .tuple(
        defaults,
        fc.option(
          fc.constantFrom<JsonObject>(
            { carries: { 'k.*': ['a.b'] } },
            { carries: { 'j.r': ['a', 'z'] }, grants: { workers: ['k.r'] } },
          ),
        ),
      )
      .map(([standard, more]) => ({ ...standard, ...more })),
    (rules, rest) => {
      const workers: Record<string, Record<string, Json>> = {};
      let policy = rest;
      for (const [section, list] of Object.entries(grouped(rules, 'section'))) {
        const [worker, about] = JSON.parse(section) as [string, string];
        const subjects = grouped(list as JsonObject[], 'subject');
        if (worker === '') policy = { ...policy, [about]: subjects };
        else workers[worker] = { ...workers[worker], [about]: subjects };
      }
      return withSection(policy, 'workers', workers as Record<string, Json>);
    },
  ),
};

const carried: readonly JsonObject[] = product({
  name: ['a', 'a.b', 'c', 'c.x', 'd'],
  n: [0, 1, absent],
}).map(present);

const listed = fc
  .tuple(
    fc.constantFrom('a', 'a.b', 'c', 'd'),
    fc.constantFrom<JsonObject>({}, {}, { match: { n: 1 } }, { except: { n: { from: 1 } } }),
  )
  .map(([name, rest]): Json => (Object.keys(rest).length === 0 ? name : { name, ...rest }));

/** Combinations, in a call and in a run. */
export const combinations: SmallUniverse = {
  calls: [
    ...carried.map((one) => call({ capabilities: [one] })),
    ...carried.flatMap((one, index) =>
      carried.slice(index + 1).map((other) => call({ capabilities: [one, other] })),
    ),
    ...carried.flatMap((one) => carried.map((other) => call({ capabilities: [one], history: [other] }))),
    ...carried.flatMap((one) =>
      carried.map((other) => call({ tool: 'j.r', capabilities: [one], history: [other] })),
    ),
    ...carried.flatMap((one) =>
      carried.flatMap((other) => [call({ capabilities: [one, other], history: [{ name: 'd', n: 1 }] })]),
    ),
  ],
  pairs: pairsOf(
    fc
      .record({
        decision: fc.constantFrom('needs_approval', 'blocked'),
        capabilities: fc.array(listed, { minLength: 1, maxLength: 3 }),
        within: fc.constantFrom('call', 'run'),
        answer: fc.constantFrom('any', 'person'),
      })
      .map((rule): JsonObject => rule),
    fc
      .tuple(
        defaults,
        fc.dictionary(fc.constantFrom('a', 'a.b', 'c', 'd'), decision, {
          noNullPrototype: true,
          maxKeys: 3,
          minKeys: 1,
        }),
        fc.option(
          fc.constantFrom<JsonObject>({ carries: { 'j.*': ['c'] } }, { tools: { 'j.r': 'pre_approved' } }),
        ),
      )
      .map(([standard, capabilities, more]) => ({ ...standard, capabilities, ...more })),
    (rules, rest) => (rules.length === 0 ? rest : { ...rest, together: rules }),
  ),
};
