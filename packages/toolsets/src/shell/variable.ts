import { equalJson, type Json } from '@ambit/core';
import { type Gap, textOf, type Word } from './word.js';

/** A variable of the shell, as far as it is known. */
export interface Variable {
  readonly value: Value;
  readonly is_exported: boolean;
  /** `declare -i`: what is assigned is evaluated. */
  readonly is_integer: boolean;
}

export type Value =
  | { readonly kind: 'unset' }
  | { readonly kind: 'text'; readonly word: Word }
  | { readonly kind: 'list'; readonly words: readonly Word[] }
  | { readonly kind: 'unknown'; readonly is_number: boolean };

export const unknownValue: Value = { kind: 'unknown', is_number: false };
export const unknownNumber: Value = { kind: 'unknown', is_number: true };

export function plainVariable(value: Value): Variable {
  return { value, is_exported: false, is_integer: false };
}

/** Whether it can only be a whole number, or nothing. */
export function isNumeric(value: Value): boolean {
  if (value.kind === 'unset') return true;
  if (value.kind === 'unknown') return value.is_number;
  return value.kind === 'text' && isNumericWord(value.word);
}

export function isNumericWord(word: Word): boolean {
  const text = textOf(word);
  if (text !== null) return /^\s*-?\d*\s*$/.test(text);
  return word.parts.every((part) =>
    typeof part === 'string' ? /^\s*-?\d*\s*$/.test(part) : part.is_number === true,
  );
}

export function numberGap(text: string): Gap {
  return { kind: 'text', text, is_number: true };
}

export function joinedVariable(one: Variable | undefined, other: Variable | undefined): Variable {
  const [first, second] = [one ?? unsetVariable, other ?? unsetVariable];
  if (equalVariable(first, second)) return first;
  const isAlike = equalJson(first.value as unknown as Json, second.value as unknown as Json);
  const value: Value = isAlike
    ? first.value
    : { kind: 'unknown', is_number: isNumeric(first.value) && isNumeric(second.value) };
  return {
    value,
    is_exported: first.is_exported || second.is_exported,
    is_integer: first.is_integer || second.is_integer,
  };
}

const unsetVariable = plainVariable({ kind: 'unset' });

export function equalVariable(one: Variable, other: Variable): boolean {
  if (one === other) return true;
  return equalJson(one as unknown as Json, other as unknown as Json);
}
