import { type Decision, decisions } from '@ambit/core';

/** 0 pre_approved, 1 needs_approval, 2 blocked: core's `rankOf`. */
export type Rank = number;

export function decisionOf(rank: Rank): Decision {
  return decisions[rank] as Decision;
}
