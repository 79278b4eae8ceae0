import { type FormulaId, type Formulas, falsehood, truth } from './formula.js';

/** A formula of Kleene's logic as two of the ordinary one. */
export interface ThreeValued {
  readonly isTrue: FormulaId;
  readonly isNotFalse: FormulaId;
}

export const certainly: ThreeValued = { isTrue: truth, isNotFalse: truth };
export const never: ThreeValued = { isTrue: falsehood, isNotFalse: falsehood };
export const unknowable: ThreeValued = { isTrue: falsehood, isNotFalse: truth };

/** Kleene's connectives over formulas. */
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
  /** One way where the question is true, the other where it is false; where it is undecided, what both agree on. */
  const choose = (question: ThreeValued, one: ThreeValued, other: ThreeValued): ThreeValued =>
    any([all([question, one]), all([not(question), other]), all([one, other])]);
  return { all, any, not, choose };
}
