import type { Atoms } from './atom.js';
import type { CutVariable } from './cells.js';
import { type FormulaId, falsehood, truth } from './formula.js';
import type { Side } from './side.js';
import type { Value, Variable } from './variable.js';

/** What a set of policies says of all calls of one class: 0 runs, 1 asks anybody, 2 asks a person, 3 never. */
export interface Outcome {
  readonly level: 0 | 1 | 2 | 3;
  /** The open questions, where anybody may answer. */
  readonly questions: readonly number[];
}

export interface Search {
  readonly atoms: Atoms;
  readonly variables: readonly CutVariable[];
  /** Whether nothing is to be found wherever the sides have come to this. */
  readonly isSettled: (sides: readonly Side[]) => boolean;
  /** What is found where the sides have come to these outcomes. */
  readonly find: (outcomes: readonly Outcome[]) => string | null;
}

/** Something that was found, and the first combination of values that shows it. */
export interface Finding {
  readonly found: string;
  /** Of how many combinations of cells it is so. */
  readonly cells: number;
  readonly assignment: readonly (readonly [Variable, Value])[];
  /** Whether it rests on what an opaque variable might be. */
  readonly isPossible: boolean;
}

export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

const mostStates = 200_000;

/**
 * Everything that is to be found, over all combinations of cells. One variable after the other is given each of its values;
 * what the sides come to is looked at once, however it was come to.
 */
export function explore(sides: readonly Side[], search: Search): readonly Finding[] {
  const { atoms } = search;
  const { formulas } = atoms;
  const variables = ordered(sides, search);
  const rankOfAtom = new Map<number, number>();
  for (const [rank, { truths }] of variables.entries())
    for (const atom of truths.keys()) rankOfAtom.set(atom, rank);
  const rankMemo = new Map<FormulaId, number>();
  const rankOf = (formula: FormulaId): number => {
    const known = rankMemo.get(formula);
    if (known !== undefined) return known;
    let rank = variables.length;
    for (const atom of formulas.atomsOf(formula)) rank = Math.min(rank, rankOfAtom.get(atom) as number);
    rankMemo.set(formula, rank);
    return rank;
  };
  const memos = variables.map(({ values }) => values.map(() => new Map<FormulaId, FormulaId>()));
  const knowledge = variables.map(({ truths, values }) =>
    values.map((_, cell) => (atom: number, asking: 'true' | 'not false') => {
      const known = truths.get(atom)?.[cell];
      return known === undefined ? null : asking === 'true' ? known === 2 : known !== 0;
    }),
  );
  const done = new Map<string, Map<string, Finding>>();

  function at(formula: FormulaId, rank: number, cell: number): FormulaId {
    if (rankOf(formula) > rank) return formula;
    const known = knowledge[rank]?.[cell] as (atom: number, asking: 'true' | 'not false') => boolean | null;
    return formulas.assume(formula, known, memos[rank]?.[cell] as Map<FormulaId, FormulaId>);
  }

  function go(current: readonly Side[]): Map<string, Finding> {
    if (search.isSettled(current)) return nothing;
    const key = current.map(keyOf).join(' ');
    const known = done.get(key);
    if (known !== undefined) return known;
    const rank = Math.min(...current.flatMap((side) => formulasOf(side).map(rankOf)));
    const result = rank >= variables.length || !Number.isFinite(rank) ? leaf(current) : branch(current, rank);
    if (done.size >= mostStates) throw new TooMuchWork('too many combinations of facts');
    done.set(key, result);
    return result;
  }

  function leaf(current: readonly Side[]): Map<string, Finding> {
    const found = search.find(current.map(outcomeOf));
    return found === null
      ? nothing
      : new Map([[found, { found, cells: 1, assignment: [], isPossible: false }]]);
  }

  function branch(current: readonly Side[], rank: number): Map<string, Finding> {
    const { values, variable } = variables[rank] as CutVariable;
    const isOpaque = variable.kind === 'opaque';
    const results: Map<string, Finding>[] = [];
    const all = new Map<string, Finding>();
    for (const [cell, value] of values.entries()) {
      const next = current.map((side) =>
        normal({
          blocked: at(side.blocked, rank, cell),
          person: at(side.person, rank, cell),
          questions: side.questions.map(([clause, when]) => [clause, at(when, rank, cell)] as const),
        }),
      );
      const result = go(next);
      results.push(result);
      const skipped = skippedCells(next, rank);
      for (const finding of result.values()) {
        const isPossible = finding.isPossible || isOpaque;
        const key = `${isPossible ? '?' : ''}${finding.found}`;
        const before = all.get(key);
        const cells = finding.cells * skipped + (before?.cells ?? 0);
        const assignment = before?.assignment ?? [[variable, value] as const, ...finding.assignment];
        all.set(key, { found: finding.found, cells, assignment, isPossible });
      }
    }
    return isOpaque ? withCertain(all, results) : all;
  }

  /** So many combinations of the variables that no longer matter. */
  function skippedCells(next: readonly Side[], rank: number): number {
    const following = Math.min(variables.length, ...next.flatMap((side) => formulasOf(side).map(rankOf)));
    return variables.slice(rank + 1, following).reduce((product, { values }) => product * values.length, 1);
  }

  return [...go(sides.map(normal)).values()];
}

const nothing: Map<string, Finding> = new Map();

/** What is found whatever the opaque variable may be is certain. */
function withCertain(
  all: Map<string, Finding>,
  results: readonly Map<string, Finding>[],
): Map<string, Finding> {
  for (const [key, finding] of results[0] ?? [])
    if (!finding.isPossible && results.every((result) => result.has(key))) {
      all.delete(`?${key}`);
      all.set(key, finding);
    }
  return all;
}

export function normal(side: Side): Side {
  if (side.blocked === truth) return blockedSide;
  if (side.person === truth) return { blocked: side.blocked, person: truth, questions: [] };
  return { ...side, questions: side.questions.filter(([, when]) => when !== falsehood) };
}

const blockedSide: Side = { blocked: truth, person: falsehood, questions: [] };

export function keyOf({ blocked, person, questions }: Side): string {
  return `${blocked},${person},${questions.join(',')}`;
}

export function formulasOf({ blocked, person, questions }: Side): readonly FormulaId[] {
  return [blocked, person, ...questions.map(([, when]) => when)];
}

function outcomeOf({ blocked, person, questions }: Side): Outcome {
  if (blocked === truth) return { level: 3, questions: [] };
  if (person === truth) return { level: 2, questions: [] };
  return questions.length > 0
    ? { level: 1, questions: questions.map(([clause]) => clause) }
    : { level: 0, questions: [] };
}

/** What the sides differ in comes first, what nobody can know last, and few values before many. */
function ordered(sides: readonly Side[], { atoms, variables }: Search): readonly CutVariable[] {
  const { formulas } = atoms;
  const parts = sides.map(
    (side) =>
      new Set(
        formulasOf(side).flatMap((formula) => {
          const node = formulas.node(formula);
          return node.kind === 'or' ? node.of : [formula];
        }),
      ),
  );
  const every = new Set(parts.flatMap((part) => [...part]));
  const different = [...every].filter((part) => !parts.every((one) => one.has(part)));
  const reading = new Set(different.flatMap((part) => formulas.atomsOf(part)));
  const weight = ({ variable, truths, values }: CutVariable) =>
    (variable.kind === 'opaque' ? 1e12 : 0) +
    ([...truths.keys()].some((atom) => reading.has(atom)) ? 0 : 1e6) +
    values.length;
  return [...variables].sort((one, other) => weight(one) - weight(other));
}
