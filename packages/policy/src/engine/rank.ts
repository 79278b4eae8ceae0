import { type Decision, decisions } from '@ambit/core';

/** 0 pre_approved, 1 needs_approval, 2 blocked. */
export type Rank = number;

export function rankOf(decision: Decision): Rank {
  return decisions.indexOf(decision);
}

export function decisionOf(rank: Rank): Decision {
  return decisions[rank] as Decision;
}
