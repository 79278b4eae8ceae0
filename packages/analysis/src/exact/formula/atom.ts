import { isUndecided, type Truth } from '@ambit/core';
import type { Cut, TextCut } from './cut.js';
import type { Asking, FormulaId, Formulas } from './formula.js';
import type { ThreeValued } from './three-valued.js';
import { type Value, type Variable, variableKey } from './variable.js';

/** A question about one variable that is true, false or undecided. */
export interface Atom {
  readonly id: number;
  readonly variable: Variable;
  readonly variableKey: string;
  /** Values that no cut tells apart get one answer. */
  readonly cuts: readonly Cut[];
  readonly cutsKey: string;
  readonly truth: (value: Value) => Truth;
  /** Whether the atom is true exactly where one of its globs covers a text. */
  readonly isGlobs: boolean;
}

/** Tools, and what cannot be cut, need no cuts. */
type Asked = Pick<Atom, 'variable' | 'truth'> & Partial<Pick<Atom, 'cuts' | 'isGlobs'>>;

/** The distinct atoms of all conditions. */
export class Atoms {
  readonly #list: Atom[] = [];
  readonly #ids = new Map<string, number>();

  constructor(readonly formulas: Formulas) {}

  get(id: number): Atom {
    return this.#list[id] as Atom;
  }

  ask({ variable: asked, cuts = [], truth, isGlobs = false }: Asked, key: string): ThreeValued {
    const variable = variableKey(asked);
    const whole = `${variable} ${key}`;
    const known = this.#ids.get(whole);
    const id = known ?? this.#list.length;
    if (known === undefined) {
      const cutsKey = cutsKeyOf(cuts);
      this.#list.push({ id, variable: asked, variableKey: variable, cuts, cutsKey, truth, isGlobs });
      this.#ids.set(whole, id);
    }
    return {
      isTrue: this.formulas.question(id, 'true'),
      isNotFalse: this.formulas.question(id, 'not false'),
    };
  }

  /** Answers the questions about these kinds of variables; null for others. */
  answersFor(
    fixed: Partial<Record<Variable['kind'], Value>>,
  ): (id: number, asking: Asking) => boolean | null {
    return (id, asking) => {
      const { variable, truth } = this.get(id);
      if (!Object.hasOwn(fixed, variable.kind)) return null;
      const value = truth(fixed[variable.kind]);
      return asking === 'true' ? value === true : value !== false;
    };
  }

  /** By key. */
  variablesOf(formula: FormulaId): readonly string[] {
    return [...new Set(this.formulas.atomsOf(formula).map((atom) => this.get(atom).variableKey))];
  }
}

export function opaqueTruth(value: Value): Truth {
  return typeof value === 'boolean' ? value : { undecided: 'anything' };
}

/** 0 false, 1 undecided, 2 true. */
export function truthNumber(truth: Truth): 0 | 1 | 2 {
  return isUndecided(truth) ? 1 : truth ? 2 : 0;
}

export function cutsKeyOf(cuts: Cut | TextCut | readonly Cut[]): string {
  return JSON.stringify(cuts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
