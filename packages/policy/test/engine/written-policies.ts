import type { Capability, DescribedCall, Json, JsonObject, NonEmpty, Policy } from '@ambit/core';
import fc from 'fast-check';
import { loadPolicyText } from '../../src/document/load-text.js';
import { folders } from '../world.js';

const names = [
  'app',
  'app.read',
  'app.write',
  'app.write.outside',
  'app.writer',
  'web.connect',
  'tool.call',
  'proc.exec.opaque',
];
const tools = ['box.put', 'box.take', 'crate.put'];
const workers = ['main', 'helper', 'created', 'critic'];

const often = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined, freq: 2 });
const seldom = <T>(some: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, some);

const path = fc.constantFrom('/w/**', './out/**', '**/a', '/w/*.md', '~/x/**', '/w/a', '/w/?', '**');
const match = fc.oneof(
  fc.record({ path: fc.oneof(path, fc.array(path, { minLength: 1, maxLength: 2 })) }),
  fc.record({ host: fc.constantFrom('**.example', '*.example', 'a.example', '10.0.0.1') }),
  fc.record({
    size: fc.constantFrom<Json>(9, { from: 5 }, { from: 1, to: 9 }, { to: 8 }, [1, { from: 100 }]),
  }),
  fc.record({ path, deep: fc.boolean() }),
  fc.constant({ text: '*b*' }),
);
const variable = (name: string): Json => ({ var: name });
const ofCalls: readonly Json[] = [
  { '==': [variable('context.env'), 'ci'] },
  { '!=': [variable('args.x'), 1] },
  { in: ['main', variable('chain')] },
  { '==': [variable('worker'), 'helper'] },
  { and: [{ '>': [variable('args.x'), 0] }, { '==': [variable('tool'), 'box.put'] }] },
  { or: [{ missing: ['args.x'] }, { '!': [variable('args.flag')] }] },
  { some: [variable('args.list'), { '>': [variable(''), 2] }] },
  { if: [variable('args.flag'), true, { '==': [variable('toolset'), 'box'] }] },
  true,
];
const ofCapabilities: readonly Json[] = [
  { '>': [variable('capability.size'), 8] },
  { under: [variable('capability.path'), './out'] },
  { cidr: [variable('capability.host'), '10.0.0.0/8'] },
  { '==': [{ var: ['capability.size', 0] }, 0] },
  { in: ['b', variable('capability.text')] },
  { '==': [{ '+': [variable('capability.size'), 1] }, 10] },
  { all: [variable('capability.list'), { in: [variable(''), ['a', 'b']] }] },
  { missing: ['capability.path'] },
  { missing_some: [1, ['capability.path.length', 'capability.size']] },
  { '==': [{ var: ['capability.path', '/w/a'] }, '/w/a'] },
  { in: [variable('capability.path'), ['/w/a', '/w/b.md']] },
  { under: [{ var: ['capability.path', '/w/out'] }, '/w/out'] },
  { or: [{ under: [variable('capability.path'), '/w'] }, { missing: ['capability.path'] }] },
  {
    if: [
      { under: [variable('capability.path'), '~/x'] },
      { '>': [variable('capability.path.length'), 4] },
      false,
    ],
  },
  { some: [[variable('capability')], { '==': [variable('path.under'), '/w'] }] },
];

const decision = fc.constantFrom('pre_approved', 'pre_approved', 'pre_approved', 'needs_approval', 'blocked');
const words = {
  reason: seldom(fc.constantFrom('because', 'since')),
  instead: seldom(fc.constantFrom('try less', 'ask')),
  observe: seldom(fc.boolean()),
  answer: seldom(fc.constantFrom('any', 'person')),
  undecided: seldom(fc.constantFrom('needs_approval', 'blocked')),
};
const until = fc.constantFrom('2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z');

const capabilityRule = fc
  .record({
    ...words,
    decision,
    below: seldom(fc.boolean()),
    inherit: seldom(fc.boolean()),
    match: often(match),
    except: seldom(match),
    when: seldom(fc.constantFrom(...ofCalls, ...ofCapabilities)),
    until: seldom(until),
  })
  .map((rule) => permitted(rule));
const toolRule = fc
  .record({
    ...words,
    decision,
    inherit: seldom(fc.boolean()),
    when: often(fc.constantFrom(...ofCalls)),
    until: seldom(until),
  })
  .map((rule) => permitted(rule));

/** A rule without the keys that only permissions have. */
function permitted({
  below,
  until: end,
  undecided,
  ...rule
}: {
  decision: string;
  below?: unknown;
  until?: unknown;
  undecided?: unknown;
  answer?: unknown;
}): Json {
  const isPermission = rule.decision === 'pre_approved';
  return known({
    ...rule,
    ...(isPermission ? { below, until: end } : {}),
    ...asking({ undecided, ...rule }),
  });
}

/** `undecided`, as the rule may have it. */
function asking({
  decision: said,
  answer,
  undecided,
}: {
  decision: string;
  answer?: unknown;
  undecided?: unknown;
}) {
  if (said !== 'blocked') return {};
  // Beside `answer: any`, neither the rule nor its file may ask a person.
  return { undecided: answer === 'any' ? 'blocked' : undecided };
}

function known(values: object): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject;
}

function section(
  keys: readonly string[],
  rule: fc.Arbitrary<Json>,
  most: number,
): fc.Arbitrary<Json | undefined> {
  return fc.array(fc.tuple(fc.constantFrom(...keys), rule), { maxLength: most, size: 'max' }).map((drawn) => {
    const lists: Record<string, Json[]> = {};
    for (const [key, one] of drawn) lists[key] = [...(lists[key] ?? []), one];
    return drawn.length === 0 ? undefined : lists;
  });
}

/** A policy of about `rules` rules, for a few names. */
function document(rules: number): fc.Arbitrary<JsonObject> {
  const manyNames =
    rules > 10 ? [...names, ...Array.from({ length: rules }, (_, n) => `far.n${n % 50}.x${n}`)] : names;
  const capabilities = section(manyNames, capabilityRule, rules);
  const member = fc
    .tuple(fc.constantFrom(...names), often(match))
    .map(([name, matched]): Json => (matched === undefined ? name : { name, match: matched }));
  const combination = fc
    .record({
      ...words,
      decision: fc.constantFrom('needs_approval', 'blocked'),
      capabilities: fc.array(member, { minLength: 2, maxLength: 3 }),
      within: seldom(fc.constantFrom('call', 'run')),
      when: seldom(fc.constantFrom(...ofCalls)),
    })
    .map(({ undecided, ...rule }) => known({ ...rule, ...asking({ undecided, ...rule }) }));
  return fc
    .record({
      version: fc.constant(1),
      undecided: seldom(fc.constantFrom('needs_approval', 'blocked')),
      default: fc.oneof(decision, fc.constant({ decision: 'needs_approval', answer: 'person' })),
      tools: often(section([...tools, 'box.*', 'crate.*'], toolRule, Math.ceil(rules / 2))),
      capabilities,
      workers: often(
        fc.dictionary(
          fc.constantFrom(...workers),
          fc.record({ capabilities: section(names, capabilityRule, 3) }),
          {
            minKeys: 1,
            maxKeys: 3,
            noNullPrototype: true,
          },
        ),
      ),
      together: seldom(fc.array(combination, { minLength: 1, maxLength: 2 })),
      carries: seldom(fc.record({ 'box.put': fc.constant(['app.write', 'app.writer']) })),
    })
    .map((drawn) => {
      const { workers: ofWorkers, ...rest } = drawn;
      const spoken = Object.entries(ofWorkers ?? {}).filter(
        ([, { capabilities: rulesOf }]) => rulesOf !== undefined,
      );
      return known({ ...rest, ...(spoken.length === 0 ? {} : { workers: Object.fromEntries(spoken) }) });
    });
}

export interface Drawn {
  readonly texts: readonly string[];
  readonly policies: NonEmpty<Policy>;
}

/** One to three policies as files; a generated policy that does not load is a defect of this file. */
export function writtenPolicies(rules: number): fc.Arbitrary<Drawn> {
  return fc.array(document(rules), { minLength: 1, maxLength: 3 }).map((documents) => {
    const texts = documents.map((one) => JSON.stringify(one));
    const policies = texts.map((text, index) => {
      const loaded = loadPolicyText(`${'abc'[index]}.yaml`, text, folders);
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics[0]));
      return loaded.policy;
    });
    return { texts, policies: policies as unknown as NonEmpty<Policy> };
  });
}

const members = fc.constantFrom('/w/a', '/w/out/x.md', '/w/b.md', '/home/ada/x/y', '/', 'w/a');
const fileSet: fc.Arbitrary<Json> = fc
  .record({
    paths: fc.array(members, { maxLength: 4 }),
    open: fc.boolean(),
    under: fc.constantFrom(undefined, '/', '/w', '/w/out', '/home/ada/x', '/w/a', 'w'),
  })
  .map(({ paths, open, under }): Json => {
    if (!open) return { paths };
    return { paths, open, ...(under !== undefined && { under }) };
  });
const facts = fc.record(
  {
    path: fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constantFrom<Json>(
          '/w/a',
          '/w/out/x.md',
          '/w/b.md',
          '/home/ada/x/y',
          '/',
          'w/a',
          '/w/../a',
          5,
          null,
        ),
      },
      fileSet,
    ),
    host: fc.constantFrom<Json>(
      'a.example',
      'b.a.example',
      'A.example',
      '10.0.0.1',
      '10.0.0.01',
      '::1',
      'example',
    ),
    size: fc.constantFrom<Json>(9, 8, 0, -0, 100, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY, '9', true),
    deep: fc.constantFrom<Json>(true, false, 'true'),
    text: fc.oneof(
      { weight: 99, arbitrary: fc.constantFrom<Json>('abc', 'b', '', '\ud800b', 'b\udc00') },
      { weight: 1, arbitrary: fc.constant('b'.repeat(70_000)) },
    ),
    list: fc.constantFrom<Json>(['a'], ['a', 'c'], [], [{ a: 1 }], 'a'),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const capability: fc.Arbitrary<Capability> = fc
  .tuple(fc.constantFrom(...names, ...names, 'sys.guard', 'far.n1.x1', 'far.n1', 'other'), facts)
  .map(([name, known]) => ({ ...known, name }));
const worker = fc.constantFrom('main', 'helper', 'critic', 'created:helper', 'created:other', 'other');

export const call: fc.Arbitrary<DescribedCall> = fc.record({
  tool: fc.constantFrom(...tools, 'else.where'),
  chain: fc.oneof(fc.tuple(worker), fc.tuple(worker, worker), fc.tuple(worker, worker, worker)),
  args: fc.record(
    {
      x: fc.constantFrom<Json>(1, 2, 'one'),
      flag: fc.constantFrom<Json>(true, false, 0),
      list: fc.constantFrom<Json>([1, 3], [], [1], 'no'),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
  capabilities: fc.array(capability, { maxLength: 4 }),
  context: fc.record({ env: fc.constantFrom('ci', 'dev', 3) }, { requiredKeys: [], noNullPrototype: true }),
  // The engine remembers what it found in a long history only.
  history: fc.oneof(
    fc.array(capability, { maxLength: 3 }),
    fc.array(capability, { minLength: 9, maxLength: 12 }),
  ),
  now: fc.constantFrom(0, Date.UTC(2026, 2), Date.UTC(2026, 11)),
});
