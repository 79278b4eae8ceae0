import { type Atom, type Atoms, truthNumber } from './atom.js';
import type { FormulaId } from './formula.js';
import type { Witnesses } from './text-witnesses.js';
import { valueWitnesses } from './value-witnesses.js';
import type { Value, Variable } from './variable.js';

/** A variable, and one value for each way in which it can answer what is asked of it. */
export interface CutVariable {
  readonly variable: Variable;
  readonly values: readonly Value[];
  /** By atom: 0 false, 1 undecided, 2 true, for each value. */
  readonly truths: ReadonlyMap<number, Uint8Array>;
  /** Null where these values show all that can be; otherwise why there may be more. */
  readonly gap: string | null;
}

/** What the calls that are looked at may be made of. */
export interface Extent {
  readonly tools: readonly string[];
  readonly chains: readonly (readonly string[])[];
  readonly chainGap: string | null;
}

/** Every variable that the formulas read, cut. `isEnough` says of an atom that where it is true nothing more is to be known. */
export function cutVariables(
  formulas: readonly FormulaId[],
  {
    atoms,
    extent,
    isEnough,
  }: { readonly atoms: Atoms; readonly extent: Extent; readonly isEnough: (atom: Atom) => boolean },
): readonly CutVariable[] {
  const byVariable = new Map<string, Atom[]>();
  for (const id of new Set(formulas.flatMap((formula) => atoms.formulas.atomsOf(formula)))) {
    const atom = atoms.get(id);
    byVariable.set(atom.variableKey, [...(byVariable.get(atom.variableKey) ?? []), atom]);
  }
  return [...byVariable.values()].map((asked) => {
    const { variable } = asked[0] as Atom;
    return merged(variable, asked, witnessesOf(variable, asked, { extent, isEnough }));
  });
}

function witnessesOf(
  variable: Variable,
  asked: readonly Atom[],
  { extent, isEnough }: { readonly extent: Extent; readonly isEnough: (atom: Atom) => boolean },
): Witnesses<Value> {
  switch (variable.kind) {
    case 'opaque':
      return { values: [true, false, null], gap: null };
    case 'now':
      return { values: instantsOf(asked), gap: null };
    case 'tool':
      return { values: extent.tools, gap: null };
    case 'chain': {
      const isLookedInto = asked.some(({ cuts }) => cuts.some(({ cut }) => cut === 'member'));
      return { values: extent.chains, gap: isLookedInto ? extent.chainGap : null };
    }
    default:
      return valueWitnesses(variable, asked, isEnough);
  }
}

/** The years that a time can be written with. */
const [earliest, latest] = [-62_167_219_200_000, 253_402_300_799_999];

function instantsOf(asked: readonly Atom[]): readonly number[] {
  const instants = asked.flatMap(({ cuts }) =>
    cuts.flatMap((cut) => (cut.cut === 'instant' ? [cut.at - 1, cut.at] : [])),
  );
  return instants.filter((instant) => instant >= earliest && instant <= latest);
}

function merged(variable: Variable, asked: readonly Atom[], { values, gap }: Witnesses<Value>): CutVariable {
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
