import type { Json, Truth } from '@ambit/core';
import { mostWork, tooMuchWork, truthOfValue } from '../../condition/evaluate.js';
import { step, Undecidable } from '../../condition/operators.js';

/** The remaining work of a condition. */
export interface Work {
  left: number;
}

export function freshWork(): Work {
  return { left: mostWork };
}

/** One step; whether it was one too many. */
export function isSpent(work: Work): boolean {
  work.left -= step;
  return work.left < 0;
}

export type Value = Json | Undecidable;
export type ValueOf = (data: Json, work: Work) => Value;
export type TruthOf = (data: Json, work: Work) => Truth;

/** An expression as closures, one for each of its possible places. Each does all of its work. */
export interface Evaluator {
  /** Where its value is used: compared, say. */
  readonly value: ValueOf;
  /** As an operand of `and`, `or`, `!`, `!!` and `if`: a list is true when something is in it. */
  readonly operand: TruthOf;
  /** As a whole condition: only true is true, and only false is false. */
  readonly condition: TruthOf;
  /** Value and operand at once, where both are asked for. */
  readonly outcome: (data: Json, work: Work) => Outcome;
  /** For a literal: its constant value, and its steps. */
  readonly constant?: Constant;
  /** For a fact without a default: its place, and the reason if it is missing. */
  readonly fact?: { readonly find: (data: Json) => Json | undefined; readonly absent: Truth };
}

export interface Constant {
  readonly value: Json;
  readonly steps: number;
}

export interface Outcome {
  readonly value: Value;
  readonly operand: Truth;
}

export const tooMuch = new Undecidable(tooMuchWork);
export const tooMuchTruth: Truth = Object.freeze({ undecided: tooMuchWork });

/** Of an expression that has a value, from which the rest follows. `value` counts the step itself. */
export function ofValues(value: ValueOf): Evaluator {
  return {
    value,
    operand: (data, work) => operandOf(value(data, work)),
    condition: (data, work) => {
      const found = value(data, work);
      return typeof found === 'boolean' ? found : truthOfValue(found);
    },
    outcome: (data, work) => {
      const found = value(data, work);
      return { value: found, operand: operandOf(found) };
    },
  };
}

/** Of an expression that is true, false or undecided wherever it stands. `truth` counts the step itself. */
export function ofTruths(truth: TruthOf): Evaluator {
  return {
    value: (data, work) => valueOfTruth(truth(data, work)),
    operand: truth,
    condition: truth,
    outcome: (data, work) => {
      const found = truth(data, work);
      return { value: valueOfTruth(found), operand: found };
    },
  };
}

export function valueOfTruth(truth: Truth): Value {
  return typeof truth === 'boolean' ? truth : new Undecidable(truth.undecided);
}

function operandOf(value: Value): Truth {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.length > 0 : truthOfValue(value);
}
