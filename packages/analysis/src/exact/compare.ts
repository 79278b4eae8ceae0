import type { NonEmpty } from '@ambit/core';
import {
  explore,
  type Finding,
  formulasOf,
  keyOf,
  mapFormula,
  type Outcome,
  type Search,
} from './explore.js';
import type { Atom } from './formula/atom.js';
import { type FormulaId, falsehood } from './formula/formula.js';
import type { PolicyFormula, Workspace } from './policy-formula.js';
import { type CutVariable, cutVariables, type Extent } from './witness/cells.js';
import { TooMuchWork } from './witness/work.js';

export type Direction = 'looser' | 'stricter' | 'other';

/** Two policy sets for the same calls. */
export type Pair = readonly [PolicyFormula, PolicyFormula];

export interface Comparison {
  readonly findings: readonly Finding[];
  /** Null if all combinations were explored. */
  readonly tooMuch: string | null;
}

/** Cuts the variables of the sides. An atom that makes the pair equal needs no finer cut. */
export function variablesFor(
  pair: Pair,
  others: readonly PolicyFormula[],
  { workspace, extent }: { readonly workspace: Workspace; readonly extent: Extent },
): readonly CutVariable[] {
  const isEnough = (atom: Atom) => {
    const [one, other] = pair.map((side) => keyOf(assumeTrue(side, atom.id, workspace)));
    return one === other;
  };
  const formulas = [...pair, ...others].flatMap(formulasOf);
  return cutVariables(formulas, {
    atoms: workspace.atoms,
    extent,
    isEnough,
    cache: workspace.cache,
    work: workspace.work,
  });
}

/** All differences of the first pair where every other pair differs too, as `from>to`, with open questions. */
export function differences(
  pairs: NonEmpty<Pair>,
  {
    workspace,
    variables,
    isOneEnough = false,
    isLastTheCause = false,
  }: {
    readonly workspace: Workspace;
    readonly variables: readonly CutVariable[];
    readonly isOneEnough?: boolean;
    /** Whether the last pair shows what causes the difference. */
    readonly isLastTheCause?: boolean;
  },
): Comparison {
  const search: Search = {
    atoms: workspace.atoms,
    work: workspace.work,
    variables,
    isOneEnough,
    isSettled: (sides) => {
      for (let index = 0; index < sides.length; index += 2)
        if (sides[index] === sides[index + 1]) return true;
      return false;
    },
    find: (outcomes) => {
      const found = inPairs(outcomes).map(([from, to]) => transition(from, to, workspace));
      const [first = null, last = null] = [found[0], found.at(-1)];
      if (isLastTheCause && last?.includes(':') === true && first?.includes(':') === false) return null;
      return found.includes(null) ? null : first;
    },
  };
  try {
    return { findings: explore(pairs.flat(), search), tooMuch: null };
  } catch (error) {
    if (error instanceof TooMuchWork) return { findings: [], tooMuch: error.message };
    throw error;
  }
}

function inPairs<T>(list: readonly T[]): readonly (readonly [T, T])[] {
  return Array.from(
    { length: list.length / 2 },
    (_, index) => [list[2 * index] as T, list[2 * index + 1] as T] as const,
  );
}

function transition(from: Outcome, to: Outcome, { clauses }: Workspace): string | null {
  if (from.level !== to.level) return `${from.level}>${to.level}`;
  if (from.level !== 1) return null;
  const [one, other] = [from, to].map(({ questions }) => clauses.hardest(questions).join(','));
  return one === other ? null : `1>1:${one}>${other}`;
}

/** The direction of a difference, and the outcomes on both sides. */
export function readDifference(
  found: string,
  { clauses }: Workspace,
): { readonly from: Outcome; readonly to: Outcome; readonly direction: Direction } {
  const [levels = '', questions = '>'] = found.split(':');
  const [one, other] = levels.split('>').map(Number) as [Outcome['level'], Outcome['level']];
  const lists = questions.split('>').map((list) => (list === '' ? [] : list.split(',').map(Number)));
  const [before = [], after = []] = lists;
  const ends = { from: { level: one, questions: before }, to: { level: other, questions: after } };
  if (one !== other) return { ...ends, direction: other < one ? 'looser' : 'stricter' };
  if (clauses.areAnsweredWith(after, before)) return { ...ends, direction: 'looser' };
  return { ...ends, direction: clauses.areAnsweredWith(before, after) ? 'stricter' : 'other' };
}

function assumeTrue(side: PolicyFormula, atom: number, { atoms }: Workspace): PolicyFormula {
  const memo = new Map<FormulaId, FormulaId>();
  const of = (formula: FormulaId) =>
    atoms.formulas.assume(formula, (id) => (id === atom ? true : null), memo);
  return mapFormula(side, of);
}

/** Whether a call can make a formula true: one finding where it can, with the cells that were looked at. */
export function possibilitiesOf(
  formula: FormulaId,
  { workspace, extent }: { readonly workspace: Workspace; readonly extent: Extent },
): Comparison & { readonly variables: readonly CutVariable[] } {
  const pair = [sideFor(formula), sideFor(falsehood)] as const;
  const variables = variablesFor(pair, [], { workspace, extent });
  return { ...differences([pair], { workspace, variables, isOneEnough: true }), variables };
}

function sideFor(blocked: FormulaId): PolicyFormula {
  return { blocked, person: falsehood, questions: [] };
}
