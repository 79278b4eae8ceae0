/** The three decisions, from the least to the most strict. */
export const decisions = ['pre_approved', 'needs_approval', 'blocked'] as const;

export type Decision = (typeof decisions)[number];

/** A list with a first element, so "strictest of nothing" cannot be written. */
export type NonEmpty<T> = readonly [T, ...T[]];

export function isNonEmpty<T>(list: readonly T[]): list is NonEmpty<T> {
  return list.length > 0;
}

export function isStricter(one: Decision, other: Decision): boolean {
  return decisions.indexOf(one) > decisions.indexOf(other);
}

export function strictest(of: NonEmpty<Decision>): Decision {
  return of.reduce((one, other) => (isStricter(other, one) ? other : one));
}
