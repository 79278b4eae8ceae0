import { remembered } from '@ambit/core';
import type { Atoms } from './formula/atom.js';
import { type Asking, type FormulaId, falsehood, truth } from './formula/formula.js';
import type { Value, Variable } from './formula/variable.js';
import type { PolicyFormula } from './policy-formula.js';
import type { CutVariable } from './witness/cells.js';
import { TooMuchWork, type Work } from './witness/work.js';

/** The levels: 0 runs, 1 asks anybody, 2 asks a person, 3 never. */
export interface Outcome {
  readonly level: 0 | 1 | 2 | 3;
  /** Where anybody may answer. */
  readonly questions: readonly number[];
}

export interface Search {
  readonly atoms: Atoms;
  readonly work: Work;
  readonly variables: readonly CutVariable[];
  /** Whether these sides allow no finding. */
  readonly isSettled: (sides: readonly PolicyFormula[]) => boolean;
  readonly find: (outcomes: readonly Outcome[]) => string | null;
  /** Whether to stop at the first finding; cells are then not counted. */
  readonly isOneEnough: boolean;
}

/** What was found, with the first values that show it. */
export interface Finding {
  readonly found: string;
  readonly cells: number;
  readonly assignment: readonly (readonly [Variable, Value])[];
  /** Whether it depends on an opaque variable. */
  readonly isPossible: boolean;
}

const mostStates = 200_000;

/** Explores all combinations of cells, one variable after the other. Equal sides are explored once. */
export function explore(sides: readonly PolicyFormula[], search: Search): readonly Finding[] {
  const variables = order(sides, search);
  const table = new SideTable(search, variables);
  // The product of how many values all variables before a rank have.
  const counts = [1];
  for (const [rank, { values }] of variables.entries()) counts.push((counts[rank] as number) * values.length);
  const done = new Map<string, Map<string, Finding>>();
  const canStop = search.isOneEnough && variables.every(({ variable }) => variable.kind !== 'opaque');

  function go(current: readonly RankedFormula[]): Map<string, Finding> {
    if (search.isSettled(current)) return nothing;
    const key = current.map(({ id }) => id).join(' ');
    return remembered(done, key, () => {
      const rank = rankOf(current);
      const result = rank === variables.length ? leaf(current) : branch(current, rank);
      if (done.size >= mostStates || search.work.isDone)
        throw new TooMuchWork('too many combinations of facts');
      return result;
    });
  }

  function leaf(current: readonly PolicyFormula[]): Map<string, Finding> {
    const found = search.find(current.map(outcomeOf));
    return found === null
      ? nothing
      : new Map([[found, { found, cells: 1, assignment: [], isPossible: false }]]);
  }

  function branch(current: readonly RankedFormula[], rank: number): Map<string, Finding> {
    const { values, variable } = variables[rank] as CutVariable;
    const isOpaque = variable.kind === 'opaque';
    const results: Map<string, Finding>[] = [];
    const all = new Map<string, Finding>();
    for (const [cell, value] of values.entries()) {
      const next = current.map((side) => table.at(side, rank, cell));
      const result = go(next);
      results.push(result);
      if (result.size === 0) continue;
      const [first] = result.values();
      if (canStop && first !== undefined)
        return new Map([
          [first.found, { ...first, assignment: [[variable, value] as const, ...first.assignment] }],
        ]);
      // The number of combinations of variables that no longer matter.
      const skipped = (counts[rankOf(next)] as number) / (counts[rank + 1] as number);
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

  return [...go(sides.map((side) => table.enter(normal(side)))).values()];
}

function rankOf(sides: readonly RankedFormula[]): number {
  return sides.reduce((least, { rank }) => Math.min(least, rank), Number.POSITIVE_INFINITY);
}

/** A side in its table, with the first variable that it reads. */
interface RankedFormula extends PolicyFormula {
  readonly id: number;
  readonly rank: number;
}

/** Distinct sides, and their results for each value of a variable. */
class SideTable {
  readonly #byKey = new Map<string, RankedFormula>();
  readonly #rankOfAtom = new Map<number, number>();
  readonly #ranks = new Map<FormulaId, number>();
  readonly #next: readonly (readonly Map<RankedFormula, RankedFormula>[])[];
  readonly #formulas: readonly (readonly Map<FormulaId, FormulaId>[])[];

  constructor(
    readonly search: Search,
    readonly variables: readonly CutVariable[],
  ) {
    for (const [rank, { truths }] of variables.entries())
      for (const atom of truths.keys()) this.#rankOfAtom.set(atom, rank);
    this.#next = variables.map(({ values }) => values.map(() => new Map()));
    this.#formulas = variables.map(({ values }) => values.map(() => new Map()));
  }

  /** `side` is in its normal form. */
  enter(side: PolicyFormula): RankedFormula {
    return remembered(this.#byKey, keyOf(side), () => {
      const ranks = formulasOf(side).map((formula) => this.#rankOf(formula));
      return { ...side, id: this.#byKey.size, rank: Math.min(this.variables.length, ...ranks) };
    });
  }

  at(side: RankedFormula, rank: number, cell: number): RankedFormula {
    if (side.rank > rank) return side;
    const next = this.#next[rank]?.[cell] as Map<RankedFormula, RankedFormula>;
    const known = next.get(side);
    if (known !== undefined) return known;
    const memo = this.#formulas[rank]?.[cell] as Map<FormulaId, FormulaId>;
    const { truths } = this.variables[rank] as CutVariable;
    const { atoms, work } = this.search;
    const before = atoms.formulas.effort;
    const knowledge = (atom: number, asking: Asking) => {
      const number = truths.get(atom)?.[cell];
      return number === undefined ? null : asking === 'true' ? number === 2 : number !== 0;
    };
    const of = (formula: FormulaId) =>
      this.#rankOf(formula) > rank ? formula : atoms.formulas.assume(formula, knowledge, memo);
    const entered = this.enter(mapFormula(side, of));
    next.set(side, entered);
    work.spend(10 + atoms.formulas.effort - before);
    return entered;
  }

  #rankOf(formula: FormulaId): number {
    return remembered(this.#ranks, formula, () =>
      this.search.atoms.formulas
        .atomsOf(formula)
        .reduce(
          (least, atom) => Math.min(least, this.#rankOfAtom.get(atom) as number),
          this.variables.length,
        ),
    );
  }
}

const nothing: Map<string, Finding> = new Map();

/** A finding for every value of an opaque variable is certain. */
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

export function normal(side: PolicyFormula): PolicyFormula {
  if (side.blocked === truth) return alwaysBlocked;
  if (side.person === truth) return { blocked: side.blocked, person: truth, questions: [] };
  return { ...side, questions: side.questions.filter(([, when]) => when !== falsehood) };
}

/** The normal form of the side with each formula changed. */
export function mapFormula(
  { blocked, person, questions }: PolicyFormula,
  change: (formula: FormulaId) => FormulaId,
): PolicyFormula {
  const asked = questions.map(([clause, when]) => [clause, change(when)] as const);
  return normal({ blocked: change(blocked), person: change(person), questions: asked });
}

const alwaysBlocked: PolicyFormula = { blocked: truth, person: falsehood, questions: [] };

export function keyOf({ blocked, person, questions }: PolicyFormula): string {
  return `${blocked},${person},${questions.join(',')}`;
}

export function formulasOf({ blocked, person, questions }: PolicyFormula): readonly FormulaId[] {
  return [blocked, person, ...questions.map(([, when]) => when)];
}

function outcomeOf({ blocked, person, questions }: PolicyFormula): Outcome {
  if (blocked === truth) return { level: 3, questions: [] };
  if (person === truth) return { level: 2, questions: [] };
  return questions.length > 0
    ? { level: 1, questions: questions.map(([clause]) => clause) }
    : { level: 0, questions: [] };
}

/** Variables of the last pair first, then of the first pair, opaque ones last; few values before many. */
function order(sides: readonly PolicyFormula[], { atoms, variables }: Search): readonly CutVariable[] {
  const parts = sides.map((side) => partsOf(side, atoms));
  const readBy = (one: ReadonlySet<FormulaId> | undefined, other: ReadonlySet<FormulaId> | undefined) => {
    const different = [...(one ?? [])].filter((part) => other?.has(part) !== true);
    const missing = [...(other ?? [])].filter((part) => one?.has(part) !== true);
    return new Set([...different, ...missing].flatMap((part) => atoms.formulas.atomsOf(part)));
  };
  const [last, first] = [readBy(parts.at(-2), parts.at(-1)), readBy(parts[0], parts[1])];
  const weight = ({ variable, truths, values }: CutVariable) => {
    const asked = [...truths.keys()];
    if (variable.kind === 'opaque') return 1e9 + values.length;
    if (asked.some((atom) => last.has(atom))) return values.length;
    return (asked.some((atom) => first.has(atom)) ? 1e6 : 1e8) + values.length;
  };
  return [...variables].sort((one, other) => weight(one) - weight(other));
}

/** The formulas that each alone make the side this strict. */
function partsOf(side: PolicyFormula, { formulas }: Atoms): ReadonlySet<FormulaId> {
  return new Set(
    formulasOf(side).flatMap((formula) => {
      const node = formulas.node(formula);
      return node.kind === 'or' ? node.of : [formula];
    }),
  );
}
