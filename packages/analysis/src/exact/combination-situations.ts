import { isWithin } from '@ambit/core';
import type { Unsettled } from './blind-spot.js';
import type { Situation } from './situation.js';
import type { AnalysedMember, AnalysedRule } from './subject-policy.js';
import type { NameClass } from './vocabulary-of.js';
import type { Extent } from './witness/cells.js';

/** The most situations that one combination is explored in. */
const mostSituations = 4000;

export const tooManyNames = 'too many names are under those that it lists';

/** Null if there are too many. */
export function combinationSituations(
  { members, within }: { readonly members: readonly AnalysedMember[]; readonly within: 'call' | 'run' },
  { names, extent }: { readonly names: readonly NameClass[]; readonly extent: Extent },
): readonly Situation[] | null {
  const choices = members.map(({ name }) => names.filter((each) => isWithin(each.name, name)));
  const count = choices.reduce(
    (product, { length }) => product * length,
    within === 'run' ? members.length : 1,
  );
  if (count > mostSituations) return null;
  const all = products(choices);
  if (within === 'call') return all.map((call) => ({ call, history: [], extent }));
  // A combination also applies if the run was permitted the other members before.
  return all.flatMap((chosen) =>
    chosen.map((one, index) => ({
      call: [one],
      history: chosen.filter((_, other) => other !== index),
      extent,
    })),
  );
}

/** What is open where a combination has too many. */
export function openNames({ rule, members }: Pick<AnalysedRule, 'rule' | 'members'>): Unsettled {
  const capability = members.map(({ name }) => name).join(' together with ');
  return { capability, rules: [{ id: rule.id, at: rule.at }], why: tooManyNames };
}

export function products<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const [first, ...rest] = choices;
  if (first === undefined) return [[]];
  const others = products(rest);
  return first.flatMap((one) => others.map((other) => [one, ...other]));
}
