import { groupedBy, remembered } from '@ambit/core';
import { type Atom, type Atoms, truthNumber } from '../formula/atom.js';
import type { FormulaId } from '../formula/formula.js';
import type { Value, Variable } from '../formula/variable.js';
import { chainClasses } from './chain-classes.js';
import { completely, type Witnesses } from './text-witnesses.js';
import { valueWitnesses } from './value-witnesses.js';
import { tooMuchAsked, type Work } from './work.js';

/** One value of a variable for each combination of answers. */
export interface CutVariable {
  readonly variable: Variable;
  readonly values: readonly Value[];
  /** By atom: 0 false, 1 undecided, 2 true, for each value. */
  readonly truths: ReadonlyMap<number, Uint8Array>;
  /** Null if the values are complete; otherwise the reason. */
  readonly gap: string | null;
}

/** Tools that no rule distinguishes, and the worker that calls them. */
export interface Extent {
  readonly tools: readonly string[];
  /** The caller, if nothing distinguishes workers. */
  readonly worker: string;
}

/** Cached by cuts and facts. */
export type WitnessCache = Map<string, Witnesses<Value>>;

interface Means {
  readonly atoms: Atoms;
  readonly extent: Extent;
  readonly isEnough: (atom: Atom) => boolean;
  readonly cache: WitnessCache;
  readonly work: Work;
}

/** Cuts every variable of the formulas. `isEnough`: no finer cut is needed where the atom is true. */
export function cutVariables(formulas: readonly FormulaId[], means: Means): readonly CutVariable[] {
  const { atoms } = means;
  const ids = new Set(formulas.flatMap((formula) => atoms.formulas.atomsOf(formula)));
  const all = [...ids].map((id) => atoms.get(id));
  const byVariable = groupedBy(all, ({ variableKey }) => variableKey);
  return [...byVariable.values()].map((asked) => {
    const { variable } = asked[0] as Atom;
    const witnesses = witnessesOf(variable, asked, means);
    means.work.spend(witnesses.values.length * asked.length);
    return merge(variable, asked, witnesses);
  });
}

function witnessesOf(variable: Variable, asked: readonly Atom[], means: Means): Witnesses<Value> {
  const { extent } = means;
  switch (variable.kind) {
    case 'opaque':
      return completely([true, false, null]);
    case 'now':
      return completely(instantsOf(asked));
    case 'tool':
      return completely(extent.tools);
    case 'chain':
      return chainClasses(asked);
    case 'fact':
    case 'args':
    case 'context':
      return cachedWitnesses(variable, asked, means);
  }
}

function cachedWitnesses(
  variable: Variable,
  asked: readonly Atom[],
  { isEnough, cache, work }: Means,
): Witnesses<Value> {
  const enough = new Set(asked.filter((atom) => atom.isGlobs && isEnough(atom)));
  const find = (): Witnesses<Value> => {
    if (work.isDone) return { values: [undefined], gap: tooMuchAsked, effort: 0 };
    const found = valueWitnesses(variable, asked, (atom) => enough.has(atom));
    work.spend(found.effort);
    return found;
  };
  // Conditions on the elements of a list distinguish more than its cuts.
  if (asked.some(({ cuts }) => cuts.some(({ cut }) => cut === 'element'))) return find();
  const fact = variable.kind === 'fact' ? variable.path.join('.') : '';
  const key = [fact, ...asked.map((atom) => `${enough.has(atom)}${atom.cutsKey}`).sort()].join('\n');
  return remembered(cache, key, find);
}

/** The years that a time may have. */
const [earliest, latest] = [-62_167_219_200_000, 253_402_300_799_999];

function instantsOf(asked: readonly Atom[]): readonly number[] {
  const instants = asked.flatMap(({ cuts }) =>
    cuts.flatMap((cut) => (cut.cut === 'instant' ? [cut.at - 1, cut.at] : [])),
  );
  return instants.filter((instant) => instant >= earliest && instant <= latest);
}

function merge(variable: Variable, asked: readonly Atom[], { values, gap }: Witnesses<Value>): CutVariable {
  const kept = new Map<string, { value: Value; truths: readonly number[] }>();
  for (const value of values) {
    const truths = asked.map(({ truth }) => truthNumber(truth(value)));
    const key = truths.join('');
    if (!kept.has(key)) kept.set(key, { value, truths });
  }
  const cells = [...kept.values()];
  return {
    variable,
    values: cells.map(({ value }) => value),
    truths: new Map(
      asked.map(({ id }, index) => [id, Uint8Array.from(cells, ({ truths }) => truths[index] as number)]),
    ),
    gap,
  };
}
