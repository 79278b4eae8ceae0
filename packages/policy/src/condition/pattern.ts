import type { NonEmpty } from '@ambit/core';
import type { Glob } from './glob.js';

/** The facts that one value under `match` or `except` covers. */
export type Pattern =
  | { readonly kind: 'glob'; readonly glob: Glob }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** Both ends included; an end is null if it is open. */
  | { readonly kind: 'range'; readonly from: number | null; readonly to: number | null };

export interface FactPatterns {
  readonly fact: string;
  readonly patterns: NonEmpty<Pattern>;
}

/** A list of parts that must all match. */
export type Match = NonEmpty<FactPatterns>;

/** Why no canonical value can match a pattern, and which pattern could. */
export interface Impossible {
  readonly message: string;
  readonly help: string;
}

export function patternText(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'glob':
      return pattern.glob.text;
    case 'range':
      return pattern.from === null
        ? `up to ${pattern.to}`
        : `${pattern.from} ${pattern.to === null ? 'or more' : `to ${pattern.to}`}`;
    case 'number':
    case 'boolean':
      return String(pattern.value);
  }
}
