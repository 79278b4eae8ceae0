import type { Keeping } from '../decide/grant.js';
import type { CallDecision } from '../decide/judgement.js';
import type { Json } from '../words/json.js';
import type { Question } from './question.js';

export interface ApprovalEvent {
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
  readonly event: 'approval';
  readonly call: string;
  readonly how: 'person' | 'client' | 'mode' | 'grant' | 'timeout' | 'error' | 'nobody';
  /** The person, the mode or the grant. */
  readonly who: Json;
  readonly approved: boolean;
  readonly keep: Keeping | null;
  readonly edited: boolean;
  readonly note: string | null;
  /** Present if a person who refused chose to be asked again. */
  readonly ask_again?: boolean;
  /** Absent if unchanged. */
  readonly args?: Json;
  readonly question: Question | null;
}

export function approvalEvent(
  event: Pick<ApprovalEvent, 'call' | 'now' | 'how' | 'who' | 'approved'> & Partial<ApprovalEvent>,
): ApprovalEvent {
  return { keep: null, edited: false, note: null, question: null, ...event, event: 'approval' };
}

/** Records who answered, if grants answered every question of a call. */
export function grantEvents(of: {
  readonly call: string;
  readonly now: number;
  readonly decision: CallDecision;
}): ApprovalEvent[] {
  if (of.decision.decision !== 'pre_approved') return [];
  const credits = of.decision.judgements
    .map(({ answered_by }) => answered_by)
    .filter((credit) => credit !== null);
  if (credits.length === 0) return [];
  return [approvalEvent({ call: of.call, now: of.now, how: 'grant', who: credits, approved: true })];
}
