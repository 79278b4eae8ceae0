import type { Keeping } from '../decide/grant.js';
import type { CallDecision, Judgement } from '../decide/judgement.js';
import type { Origin } from '../decide/origin.js';
import type { Preview } from '../tool/tool.js';
import type { Capability } from '../words/capability.js';
import type { NonEmpty } from '../words/decision.js';
import type { Json, JsonObject } from '../words/json.js';

/** How questions are answered: by the mode, by an approver, or with a refusal. */
export const modes = ['approve_all', 'interactive', 'strict'] as const;
export type Mode = (typeof modes)[number];

/** Not escaped. */
export interface Question {
  readonly id: string;
  /** In the log. */
  readonly call: string;
  /** Identical calls that share the question. Absent for a single call. */
  readonly calls?: NonEmpty<string>;
  readonly chain: NonEmpty<string>;
  /** Full name. */
  readonly tool: string;
  /** In the tool's words. */
  readonly summary: string | null;
  readonly args: JsonObject;
  readonly capabilities: NonEmpty<{
    readonly capability: Capability;
    readonly words: string;
    /** Absent if it is the tool. */
    readonly origin?: Origin;
  }>;
  readonly asked_by: readonly Judgement[];
  /** Absent for a single question. A refusal ends all parts. */
  readonly part?: { readonly number: number; readonly of: number };
  readonly reason: string | null;
  /** The rule that gives the reason. */
  readonly rule: { readonly policy: string; readonly id: string } | null;
  readonly instead: string | null;
  /** Null if an answer holds for this call only. */
  readonly keep: Omit<Keeping, 'until'> | null;
  readonly preview: Preview | null;
  /** A mistake in edited arguments, a change, or an earlier refusal. */
  readonly again: string | null;
  /** The call had begun before an interruption. */
  readonly begun?: true;
  /** Absent if there are none. */
  readonly before?: PreviousAnswers;
}

export interface PreviousAnswer {
  readonly question: string;
  readonly person: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly approved: boolean;
  readonly calls: number;
  readonly what: readonly string[];
  readonly edited: boolean;
  readonly note: string | null;
}

export interface PreviousAnswers {
  /** The numbers of approved and refused calls. */
  readonly approved: number;
  readonly refused: number;
  /** Latest first. */
  readonly latest: NonEmpty<PreviousAnswer>;
}

export type Answer =
  | {
      readonly answer: 'approve';
      readonly person: string;
      /** For this call only, if absent. */
      readonly keep?: Keeping;
      /** Checked, described and judged afresh. */
      readonly args?: JsonObject;
    }
  | {
      readonly answer: 'refuse';
      readonly person: string;
      readonly note?: string;
      /** Otherwise the same call is refused for the rest of the run. */
      readonly ask_again?: boolean;
    }
  /** Refuses, and ends the run. */
  | { readonly answer: 'stop'; readonly person: string; readonly note?: string };

/** If it throws or returns an invalid answer, the call is refused. */
export interface Approver {
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
}

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
