import { isUndecided, type Truth } from '@ambit/core';
import type { Glob } from '@ambit/policy';
import type { Block } from '@ambit/policy/internal';
import type { Asking, FormulaId, Formulas, ThreeValued } from './formula.js';
import { type Value, type Variable, variableKey } from './variable.js';

export type TextCut =
  /** Whether one of the globs covers it. */
  | { readonly text: 'globs'; readonly globs: readonly Glob[] }
  /** Whether it is one of these. */
  | { readonly text: 'literals'; readonly literals: readonly string[] }
  /** Whether it has this in it. */
  | { readonly text: 'contains'; readonly part: string }
  /** Whether it is part of this. */
  | { readonly text: 'within'; readonly whole: string }
  /** Whether it is this folder, or lies in it. */
  | { readonly text: 'under'; readonly folder: string }
  | { readonly text: 'canonical path' }
  | { readonly text: 'address'; readonly block: Block };

/** A question about the values of a variable. Values with equal answers are one cell. */
export type Cut =
  | { readonly cut: 'number'; readonly at: number }
  | { readonly cut: 'text'; readonly of: TextCut }
  | { readonly cut: 'element'; readonly of: Cut }
  /** Whether the tool, its toolset or the acting worker has this name, or a worker in the chain. */
  | { readonly cut: 'tool' | 'toolset' | 'worker' | 'member'; readonly name: string }
  | { readonly cut: 'instant'; readonly at: number };

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

  /** Replaces the questions about these kinds of variables by their answers. */
  given(fixed: Partial<Record<Variable['kind'], Value>>): (formula: FormulaId) => FormulaId {
    const memo = new Map<FormulaId, FormulaId>();
    const known = (id: number, asking: Asking) => {
      const { variable, truth } = this.get(id);
      if (!Object.hasOwn(fixed, variable.kind)) return null;
      const value = truth(fixed[variable.kind]);
      return asking === 'true' ? value === true : value !== false;
    };
    return (formula) => this.formulas.assume(formula, known, memo);
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
