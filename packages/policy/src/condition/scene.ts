import type { Reading } from '../grammar/reading.js';
import { roots } from './expression.js';

export interface Scene {
  readonly reading: Reading;
  /** The roots of a `var`; null for any, as within `all`, `some` and `none`. */
  readonly roots: readonly string[] | null;
}

/** The names for conditions under `capabilities:`, and under `tools:`. */
export const capabilityRoots: readonly string[] = roots;
export const toolRoots: readonly string[] = roots.filter((root) => root !== 'capability');

/** All values, or undefined if one is missing. */
export function allOrNone<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === values.length ? present : undefined;
}
