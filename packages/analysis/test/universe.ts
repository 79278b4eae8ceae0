import type { Json, JsonObject, NonEmpty } from '@ambit/core';
import { loadPolicyText, type WrittenPolicy } from '@ambit/policy';
import * as fc from 'fast-check';
import { folders } from '../../policy/test/world.js';
import type { ExampleCall } from '../src/exact/call.js';

/** Policies and calls over a few names and values, so that they meet. */

const names = ['a', 'a.b', 'a.b.c', 'd', 'd.e', 'proc.exec.opaque'];
const reported = [...names, 'a.x', 'd.e.y', 'z', 'sys.guard', 'tool.call', 'proc.exec.opaque'];
const workers = ['main', 'w', 'v', 'created', 'created:w'];
const tools = ['k.r', 'k.s', 'j.r', 'q.t'];
const paths = ['/', '/w', '/w/a.md', '/w/b/a.md', '/w/b', '/etc/x', '/w/.git/c'];
const pathGlobs = ['/w/**', '**/a.md', '/w/*', '**/.git/**', '/w/b', '/**', '/w/b/?.md', '/', '**/b/**'];
const hosts = [
  'a.example',
  'b.a.example',
  'example',
  '10.1.2.3',
  '10.9.9.9',
  '192.168.0.1',
  '::1',
  'fd00::1',
  'x--y.example',
];
const hostGlobs = ['**.example', '*.example', 'a.example', '10.*.*.*', '*', '192.168.0.?', '::1'];
const texts = ['', 'ab', 'abc', 'b', 'xaby', 'é'];
const textGlobs = ['a*', '*b*', '?', 'abc', '*'];
const times = ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];

const decision = fc.constantFrom('pre_approved', 'needs_approval', 'blocked');
const any = (values: readonly Json[]) => fc.constantFrom(...values);
const someOf = (values: readonly Json[]) =>
  fc.oneof(any(values), fc.uniqueArray(any(values), { minLength: 1, maxLength: 3 }));
const number = fc.constantFrom(0, 1, 2, 5, 1.5, -3);
const range = fc.oneof(
  number.map((from) => ({ from })),
  number.map((to) => ({ to })),
  fc.tuple(number, number).map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) })),
);

const match = fc
  .record(
    {
      path: someOf(pathGlobs),
      host: someOf(hostGlobs),
      n: fc.oneof(
        number,
        range,
        fc.tuple(range, number).map(([one, other]) => [one, other]),
      ),
      t: fc.oneof(
        someOf(textGlobs),
        fc.tuple(any(textGlobs), number).map((each) => [...each]),
      ),
      flag: fc.boolean(),
      port: fc.constantFrom<Json>(443, { from: 1024 }, { to: 80 }),
    },
    { requiredKeys: [] },
  )
  .filter((facts) => Object.keys(facts).length > 0 && Object.keys(facts).length < 4);

const atom = (inCapability: boolean): fc.Arbitrary<Json> => {
  const numberVariable = fc.constantFrom<Json>(
    { var: 'args.n' },
    { var: ['args.n', 1] },
    ...(inCapability ? [{ var: 'capability.n' }, { var: ['capability.n', 2] }] : []),
  );
  const textVariable = fc.constantFrom<Json>(
    { var: 'context.env' },
    { var: 'args.t' },
    ...(inCapability ? [{ var: 'capability.t' }, { var: 'capability.path' }] : []),
  );
  const text = fc.constantFrom(...texts, ...paths);
  return fc.oneof(
    fc
      .tuple(fc.constantFrom('<', '<=', '>', '>=', '==', '!='), numberVariable, number)
      .map(([operator, one, other]) => ({ [operator]: [one, other] })),
    fc.tuple(number, numberVariable, number).map((operands) => ({ '<': operands })),
    fc
      .tuple(fc.constantFrom('==', '!=='), textVariable, text)
      .map(([operator, one, other]) => ({ [operator]: [one, other] })),
    fc.tuple(textVariable, fc.array(text, { maxLength: 3 })).map((operands) => ({ in: operands })),
    fc.tuple(text, textVariable).map((operands) => ({ in: operands })),
    fc.tuple(textVariable, text).map((operands) => ({ in: operands })),
    fc.tuple(textVariable, fc.constantFrom('/w', '/', '/w/b')).map((operands) => ({ under: operands })),
    fc.tuple(fc.constantFrom('/w/b/a.md'), textVariable).map((operands) => ({ under: operands })),
    fc.constantFrom<Json>(
      { missing: ['args.n', 'context.env'] },
      { missing_some: [1, ['args.n', 'args.t']] },
      { missing_some: [2, ['args.n', 'args.t', 'context.env']] },
      { '!': { missing: 'args.t' } },
      { '==': [{ var: 'worker' }, 'w'] },
      { in: [{ var: 'worker' }, ['w', 'created:w']] },
      { in: ['w', { var: 'chain' }] },
      { '!': { in: ['v', { var: 'chain' }] } },
      { '==': [{ var: 'tool' }, 'k.r'] },
      { '==': [{ var: 'toolset' }, 'k'] },
      { in: [{ var: 'tool' }, ['j.r', 'q.t']] },
      { some: [{ var: 'args.list' }, { in: [{ var: '' }, ['-f', '-g']] }] },
      { all: [{ var: 'args.list' }, { '<': [{ var: '' }, 3] }] },
      { none: [{ var: 'args.list' }, { '==': [{ var: '' }, '-f'] }] },
      { in: ['-f', { var: 'args.list' }] },
      { var: 'args.flag' },
      { var: ['args.flag', true] },
      { cidr: [{ var: 'args.ip' }, '10.0.0.0/8'] },
      { cidr: [{ var: 'args.ip' }, '10.1.0.0/23'] },
      ...(inCapability
        ? [
            { cidr: [{ var: 'capability.host' }, '10.0.0.0/8'] },
            { cidr: [{ var: 'capability.host' }, '10.1.2.0/25'] },
            { cidr: [{ var: 'capability.host' }, 'fd00::/8'] },
            { '==': [{ var: 'capability.name' }, 'a.b.c'] },
            { in: [{ var: 'capability.name' }, ['a.x', 'z']] },
            { in: ['b', { var: 'capability.name' }] },
          ]
        : []),
      // What cannot be cut.
      { '>': [{ '+': [{ var: 'args.n' }, 1] }, 2] },
      { '==': [{ var: 'args.t' }, { var: 'context.env' }] },
      { '==': [{ var: 'args.t.length' }, 2] },
    ),
  );
};

const condition = (inCapability: boolean): fc.Arbitrary<Json> =>
  fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    atom(inCapability),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(atom(inCapability), { minLength: 1, maxLength: 3 }))
      .map(([operator, operands]) => ({ [operator]: operands })),
    atom(inCapability).map((operand) => ({ '!': operand })),
    fc
      .tuple(atom(inCapability), atom(inCapability), atom(inCapability))
      .map((operands) => ({ if: operands })),
    fc.boolean(),
  );

/** Present with this chance, in percent. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>, share = 25) =>
  fc.oneof({ weight: 100 - share, arbitrary: fc.constant(undefined) }, { weight: share, arbitrary });

const withoutNothing = (rule: Record<string, unknown>): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)) as JsonObject;

const rule = (about: 'capability' | 'tool', isForWorker: boolean): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      decision,
      match: about === 'capability' ? sometimes(match, 50) : fc.constant(undefined),
      except: about === 'capability' ? sometimes(match) : fc.constant(undefined),
      when: sometimes(condition(about === 'capability'), 40),
      below: sometimes(fc.boolean()),
      until: sometimes(fc.constantFrom(...times)),
      answer: sometimes(fc.constantFrom('any', 'person')),
      undecided: sometimes(fc.constantFrom('needs_approval', 'blocked')),
      inherit: sometimes(fc.boolean()),
      observe: sometimes(fc.constant(true), 10),
    })
    .map(({ below, until, answer, inherit, undecided, ...rest }) => ({
      ...withoutNothing(rest),
      ...withoutNothing({
        below: rest.decision === 'pre_approved' && about === 'capability' ? below : undefined,
        until: rest.decision === 'pre_approved' ? until : undefined,
        answer,
        undecided: rest.decision !== 'blocked' ? undefined : answer === 'any' ? 'blocked' : undecided,
        inherit: isForWorker ? inherit : undefined,
      }),
    }));

const section = (keys: readonly string[], about: 'capability' | 'tool', isForWorker: boolean, most: number) =>
  fc.dictionary(
    fc.constantFrom(...keys),
    fc.oneof(
      decision,
      rule(about, isForWorker),
      fc.array(rule(about, isForWorker), { minLength: 1, maxLength: 2 }),
    ),
    {
      minKeys: 1,
      maxKeys: most,
      noNullPrototype: true,
    },
  );

const member = fc.oneof(
  fc.constantFrom<Json>(...names),
  fc.tuple(fc.constantFrom(...names), match).map(([name, each]) => ({ name, match: each })),
  fc.tuple(fc.constantFrom(...names), match).map(([name, each]) => ({ name, except: each })),
);

const combination = fc
  .record({
    decision: fc.constantFrom('needs_approval', 'blocked'),
    capabilities: fc.array(member, { minLength: 1, maxLength: 3 }),
    within: sometimes(fc.constantFrom('run', 'call'), 60),
    when: sometimes(condition(false), 20),
    answer: sometimes(fc.constantFrom('any', 'person')),
  })
  .map((rule) => {
    const undecided = rule.decision === 'blocked' && rule.answer === 'any' ? 'blocked' : undefined;
    return withoutNothing({ ...rule, undecided });
  });

const toolKeys = [...tools, 'k.*', 'j.*'];
const carried: readonly Json[] = [
  'a',
  'd.e',
  { name: 'a.b', path: '/w/a.md' },
  { name: 'd', n: 2 },
  { name: 'a', path: { paths: ['/w/a.md', '/etc/x'] } },
  { name: 'd', path: { paths: ['/w/b'], open: true, under: '/w' } },
];

/** A policy as JSON, which is YAML. */
export const policyJson: fc.Arbitrary<JsonObject> = fc
  .record({
    default: fc.oneof(decision, fc.constant({ decision: 'needs_approval', answer: 'person' })),
    undecided: sometimes(fc.constantFrom('needs_approval', 'blocked')),
    capabilities: sometimes(section(names, 'capability', false, 3), 90),
    tools: sometimes(section(toolKeys, 'tool', false, 2)),
    carries: sometimes(
      fc.dictionary(
        fc.constantFrom(...toolKeys),
        fc.array(fc.constantFrom(...carried), { minLength: 1, maxLength: 2 }),
        {
          minKeys: 1,
          maxKeys: 1,
          noNullPrototype: true,
        },
      ),
      15,
    ),
    workers: sometimes(
      fc.dictionary(
        fc.constantFrom('w', 'v', 'created', 'created:w'),
        fc.oneof(
          section(names, 'capability', true, 2).map((capabilities) => ({ capabilities })),
          section(toolKeys, 'tool', true, 1).map((each) => ({ tools: each })),
        ),
        { minKeys: 1, maxKeys: 2, noNullPrototype: true },
      ),
    ),
    together: sometimes(fc.array(combination, { minLength: 1, maxLength: 2 })),
    grants: sometimes(
      fc.record(
        {
          workers: fc.oneof(fc.boolean(), fc.constant(['k.r'])),
          remember: fc.constantFrom('call', 'run', 'always'),
          unattended: fc.boolean(),
        },
        { requiredKeys: ['workers'] },
      ),
    ),
  })
  .map((policy) => ({ version: 1, ...withoutNothing(policy) }));

const fileSet = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...paths, '/w/../x'), { maxLength: 2 }),
    fc.option(fc.constantFrom('', ...paths), { nil: undefined }),
  )
  .filter(([members, under]) => members.length > 0 || under !== undefined)
  .map(([members, under]): Json => {
    const open = under === undefined ? {} : { open: true };
    return { paths: members, ...open, ...(under ? { under } : {}) };
  });
const facts = fc.record(
  {
    path: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<Json>(...paths, '/w/../x', 3) },
      { weight: 1, arbitrary: fileSet },
    ),
    host: fc.constantFrom<Json>(...hosts, 'A.example'),
    n: fc.oneof(number, fc.constantFrom<Json>(0.5, 3, 7, -9, '1', null)),
    t: fc.constantFrom<Json>(...texts, ...paths, 5, null, []),
    flag: fc.constantFrom<Json>(true, false, 'x'),
    port: fc.constantFrom<Json>(443, 80, 81, 8080, 1.5),
  },
  { requiredKeys: [] },
);

const capability = fc.tuple(fc.constantFrom(...reported), facts).map(([name, each]) => ({ ...each, name }));

/** A call of the universe. */
export const universeCall: fc.Arbitrary<ExampleCall> = fc
  .record({
    tool: fc.constantFrom(...tools, 'j.x'),
    worker: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...workers).map((each) => [each]) },
      { weight: 1, arbitrary: fc.array(fc.constantFrom(...workers), { minLength: 1, maxLength: 3 }) },
    ),
    capabilities: fc.oneof(
      { weight: 2, arbitrary: capability.map((each) => [each]) },
      { weight: 1, arbitrary: fc.array(capability, { minLength: 2, maxLength: 3 }) },
    ),
    args: fc.record(
      {
        n: fc.oneof(number, fc.constantFrom<Json>(3, 9, 'x')),
        t: fc.constantFrom<Json>(...texts, ...paths, 1, { length: 2 }),
        flag: fc.constantFrom<Json>(true, false, 0),
        list: fc.array(fc.constantFrom<Json>('-f', '-g', 'x', 1, 5), { maxLength: 3 }),
        ip: fc.constantFrom<Json>(...hosts, '010.1.1.1', '10.1.1.255'),
      },
      { requiredKeys: [] },
    ),
    context: fc.record({ env: fc.constantFrom<Json>(...texts, ...paths, 2) }, { requiredKeys: [] }),
    history: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(capability, { maxLength: 2 }) },
    ),
    now: fc.constantFrom('2025-06-01T00:00:00Z', '2026-06-01T00:00:00Z', '2027-01-01T00:00:00Z'),
  })
  .map((call) => call as unknown as ExampleCall);

/** A policy, and one that was made of it by a small change; or two that have nothing to do with each other. */
export const policyPair: fc.Arbitrary<readonly [JsonObject, JsonObject]> = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(policyJson, policyJson) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        policyJson,
        policyJson,
        fc.constantFrom('default', 'capabilities', 'tools', 'workers', 'together', 'grants', 'carries'),
      )
      .map(([one, other, key]) => {
        const { [key]: _, ...rest } = one;
        return [
          one,
          (other[key] === undefined
            ? { ...rest, default: one.default }
            : { ...rest, [key]: other[key] }) as JsonObject,
        ] as const;
      }),
  },
);

/** The possible entries of an invariant. */
export const members: fc.Arbitrary<readonly Json[]> = fc.array(member, { minLength: 1, maxLength: 2 });

/** With the policies that judge beside it. */
export function loadedPolicy(policy: JsonObject, ...layers: readonly JsonObject[]): NonEmpty<WrittenPolicy> {
  const [first, ...others] = [policy, ...layers].map((each, index) => {
    const name = index === 0 ? 'policy.yaml' : `layer${index}.yaml`;
    const result = loadPolicyText(name, JSON.stringify(each), folders);
    if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('; '));
    return result.policy;
  });
  return [first as WrittenPolicy, ...others];
}
