/** From the least to the most strict. */
export const decisions = ['pre_approved', 'needs_approval', 'blocked'] as const;

export type Decision = (typeof decisions)[number];

/** A list with a first element, so "strictest of nothing" cannot be written. */
export type NonEmpty<T> = readonly [T, ...T[]];

export function isNonEmpty<T>(list: readonly T[]): list is NonEmpty<T> {
  return list.length > 0;
}

/** An unknown word is as strict as `blocked`. */
export function isStricter(one: Decision, other: Decision): boolean {
  return rankOf(one) > rankOf(other);
}

/** An unknown word counts as `blocked`. */
export function strictest(of: NonEmpty<Decision>): Decision {
  return decisions[of.reduce((top, one) => Math.max(top, rankOf(one)), 0)] as Decision;
}

/** 0 for `pre_approved`, 1 for `needs_approval`, 2 for `blocked` and every other word. */
export function rankOf(decision: Decision): number {
  const rank = decisions.indexOf(decision);
  return rank === -1 ? decisions.length - 1 : rank;
}
