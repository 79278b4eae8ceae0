import { isAboutName } from '@ambit/core';
import { textsIn } from '@ambit/policy/internal';
import { entanglement } from './entangled.js';
import { Atoms } from './formula/atom.js';
import { Clauses } from './formula/clause.js';
import { ConditionFormulas } from './formula/condition-formula.js';
import { Formulas } from './formula/formula.js';
import type { Slot } from './formula/slot.js';
import { type Carriage, carriedSlots, type Side, sideOf, type Workshop } from './side.js';
import type { AnalysedPolicy, AnalysedRule } from './subject-policy.js';
import { type NameClass, nameClasses, toolClasses } from './vocabulary-of.js';
import type { Extent } from './witness/cells.js';
import { workerBeside } from './witness/chain-classes.js';
import { Work } from './witness/work.js';

/** One kind of call: the names of what it carries, and the tools that it may be of. */
export interface Situation {
  readonly call: readonly NameClass[];
  readonly history: readonly NameClass[];
  readonly extent: Extent;
}

/** Everything about some sets of policies that are looked at together. */
export interface Ground {
  readonly workshop: Workshop;
  readonly names: readonly NameClass[];
  /** Tools that policies add the same capabilities to. */
  readonly extents: readonly Extent[];
}

export function groundOf(
  sets: readonly (readonly AnalysedPolicy[])[],
  extraNames: readonly string[] = [],
): Ground {
  const policies = sets.flat();
  const worker = workerBeside(workersNamed(policies));
  const groups = new Map<string, string[]>();
  for (const tool of toolClasses(policies)) {
    const key = JSON.stringify(sets.map((set) => carriedSlots(set, tool)));
    groups.set(key, [...(groups.get(key) ?? []), tool]);
  }
  return {
    workshop: workshopFor(policies, new Work()),
    names: nameClasses(policies, extraNames),
    extents: [...groups.values()].map((tools) => ({ tools, worker })),
  };
}

/** Where formulas about these policies are made and explored. */
export function workshopFor(policies: readonly AnalysedPolicy[], work: Work): Workshop {
  const atoms = new Atoms(new Formulas());
  const conditions = new ConditionFormulas(atoms, entanglement(policies));
  return { atoms, conditions, clauses: new Clauses(), cache: new Map(), work };
}

/** What the policies say in a situation. */
export function sideIn(situation: Situation, policies: readonly AnalysedPolicy[], workshop: Workshop): Side {
  return sideOf(policies, carriageOf(situation, policies), workshop);
}

export function carriageOf(
  { call, history, extent }: Situation,
  policies: readonly AnalysedPolicy[],
): Carriage {
  const slots = [...call, ...history].map(
    ({ name, isFresh }, index): Slot => ({ index, name, isFresh, capability: null }),
  );
  return {
    call: [...slots.slice(0, call.length), ...carriedSlots(policies, extent.tools[0] as string)],
    history: slots.slice(call.length),
  };
}

/** The policies with only those rules that can speak about calls that carry nothing but these names. */
export function concerning(
  policies: readonly AnalysedPolicy[],
  names: readonly string[],
): readonly AnalysedPolicy[] {
  return policies.map((policy) => ({
    ...policy,
    rules: policy.rules.filter((rule) => concerns(rule, names)),
  }));
}

export function concerns({ rule }: AnalysedRule, names: readonly string[]): boolean {
  return names.some((name) => isAboutName(rule, name));
}

function workersNamed(policies: readonly AnalysedPolicy[]): ReadonlySet<string> {
  const named = policies.flatMap(({ rules }) => rules.flatMap(({ rule }) => rule.worker ?? []));
  const compared = policies.flatMap(({ rules }) =>
    rules.flatMap(({ when }) => (when === null ? [] : textsIn(when.expression))),
  );
  return new Set([...named, ...compared]);
}
