import { type FormulaId, type Formulas, falsehood, truth } from './formula.js';

/** Kleene's logic as two ordinary formulas. */
export interface ThreeValued {
  readonly isTrue: FormulaId;
  readonly isNotFalse: FormulaId;
}

export const certainly: ThreeValued = { isTrue: truth, isNotFalse: truth };
export const never: ThreeValued = { isTrue: falsehood, isNotFalse: falsehood };
export const unknowable: ThreeValued = { isTrue: falsehood, isNotFalse: truth };

/** Kleene's connectives. */
export function connectives(formulas: Formulas) {
  const all = (of: readonly ThreeValued[]): ThreeValued => ({
    isTrue: formulas.and(of.map(({ isTrue }) => isTrue)),
    isNotFalse: formulas.and(of.map(({ isNotFalse }) => isNotFalse)),
  });
  const any = (of: readonly ThreeValued[]): ThreeValued => ({
    isTrue: formulas.or(of.map(({ isTrue }) => isTrue)),
    isNotFalse: formulas.or(of.map(({ isNotFalse }) => isNotFalse)),
  });
  const not = ({ isTrue, isNotFalse }: ThreeValued): ThreeValued => ({
    isTrue: formulas.not(isNotFalse),
    isNotFalse: formulas.not(isTrue),
  });
  /** Undecided questions have the value that both branches share. */
  const choose = (question: ThreeValued, one: ThreeValued, other: ThreeValued): ThreeValued =>
    any([all([question, one]), all([not(question), other]), all([one, other])]);
  return { all, any, not, choose };
}
