import fc from 'fast-check';
import type { ToolRule } from '../../src/decide/rule.js';
import {
  type Admission,
  type AnswerableBy,
  always,
  type CapabilityRule,
  type Carried,
  type CombinationMember,
  type CombinationRule,
  type Decision,
  type NonEmpty,
  type Policy,
  type Rule,
  reaches,
  remembers,
} from '../../src/index.js';
import { capability } from './capability.js';
import { callCondition, capabilityCondition, type Without } from './condition.js';
import { ruleNames, ruleWorkers, toolKeys, tools } from './universe.js';

export const decision: fc.Arbitrary<Decision> = fc.constantFrom(
  'pre_approved',
  'pre_approved',
  'pre_approved',
  'needs_approval',
  'needs_approval',
  'blocked',
);

const answerable = fc.constantFrom<AnswerableBy[]>('any', 'any', 'any', 'person');

const worker = fc.constantFrom(null, null, null, null, null, ...ruleWorkers);

const said = {
  decision,
  answer: answerable,
  worker,
  inherit: fc.constantFrom(true, true, false),
  observe: fc.integer({ min: 0, max: 14 }).map((drawn) => drawn === 14),
  reason: fc.constantFrom(null, null, 'because'),
  instead: fc.constantFrom(null, null, 'try less'),
  id: fc.constant('added'),
  at: fc.constant('added:1:1'),
  undecided: fc.constantFrom(undefined, undefined, 'needs_approval' as const),
};

/** Without keys that are not there; only a block says what it is where it is undecided. */
function known<Of extends { readonly undecided: 'needs_approval' | undefined; readonly decision: Decision }>({
  undecided,
  ...rest
}: Of) {
  return { ...rest, ...(undecided === undefined || rest.decision !== 'blocked' ? {} : { undecided }) };
}

export function capabilityRule(without: Without = {}): fc.Arbitrary<CapabilityRule> {
  return fc
    .record({
      ...said,
      about: fc.constant('capability' as const),
      name: fc.constantFrom(...ruleNames),
      below: fc.boolean(),
      condition: capabilityCondition(without),
    })
    .map(known);
}

export function toolRule(without: Without = {}): fc.Arbitrary<ToolRule> {
  return fc
    .record({
      ...said,
      about: fc.constant('tool' as const),
      name: fc.constantFrom(...toolKeys),
      condition: callCondition(without),
    })
    .map(known);
}

export function combinationRule(without: Without = {}): fc.Arbitrary<CombinationRule> {
  const member: fc.Arbitrary<CombinationMember> = fc.record({
    name: fc.constantFrom(...ruleNames),
    condition: fc.oneof(fc.constant(always), capabilityCondition(without)),
  });
  return fc
    .record({
      ...said,
      about: fc.constant('combination' as const),
      decision: fc.constantFrom('needs_approval' as const, 'blocked' as const),
      members: fc.array(member, { minLength: 1, maxLength: 2 }) as unknown as fc.Arbitrary<
        NonEmpty<CombinationMember>
      >,
      within: fc.constantFrom('call' as const, 'run' as const),
      condition: fc.oneof(fc.constant(always), callCondition(without)),
    })
    .map(known);
}

export function anyRule(without: Without = {}): fc.Arbitrary<Rule> {
  return fc.oneof<fc.WeightedArbitrary<Rule>[]>(
    { weight: 6, arbitrary: capabilityRule(without) },
    { weight: 4, arbitrary: toolRule(without) },
    { weight: 1, arbitrary: combinationRule(without) },
  );
}

const carried: fc.Arbitrary<Carried> = fc.record({ tool: fc.constantFrom(...toolKeys), capability });

export const admission: fc.Arbitrary<Admission> = fc.record({
  workers: fc.oneof(fc.constantFrom(true, false), fc.subarray([...tools])),
  remember: fc.constantFrom(...remembers, 'run', 'always'),
  reach: fc.constantFrom(...reaches, 'folder', 'capability', 'capability'),
  unattended: fc.boolean(),
});

/** A policy under this name, so that several of one case keep their names apart. */
export function policyCalled(name: string, without: Without = {}): fc.Arbitrary<Policy> {
  return fc
    .record({
      default: fc.record({ decision, answer: answerable }),
      rules: fc.array(anyRule(without), { maxLength: 6 }),
      carries: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(carried, { maxLength: 2 }) },
      ),
      admits: admission,
    })
    .map((body) => ({ ...body, name, rules: body.rules.map((rule, index) => placed(rule, name, index)) }));
}

export function someOfPolicies(without: Without = {}): fc.Arbitrary<NonEmpty<Policy>> {
  const [first, second, third] = ['a.yaml', 'b.yaml', 'c.yaml'].map((name) => policyCalled(name, without));
  if (first === undefined || second === undefined || third === undefined) throw new Error('three names');
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(first) },
    { weight: 2, arbitrary: fc.tuple(first, second) },
    { weight: 1, arbitrary: fc.tuple(first, second, third) },
  ) as fc.Arbitrary<NonEmpty<Policy>>;
}

/** A rule in its place: ids are unique in a policy. */
export function placed<Placed extends Rule>(rule: Placed, policy: string, index: number): Placed {
  return { ...rule, id: `r${index}`, at: `${policy}:${index + 1}:1` };
}
