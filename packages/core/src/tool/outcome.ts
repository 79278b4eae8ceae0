import type { RuleReference } from '../decide/judgement.js';
import type { Json, JsonObject } from '../words/json.js';

/** Why a call did not run. */
export const refusalCodes = [
  'blocked',
  'denied',
  /** No answer: no approver, too late, or a failed approver. */
  'unanswered',
  /** The mode `strict` refuses what needs approval. */
  'strict',
  /** The mode `approve_all` must not answer this question. */
  'wants_person',
  'cannot',
  'bad_input',
  'unknown_tool',
  /** Describing failed, took too long, or returned an invalid description. */
  'undescribed',
  /** Judging failed: a bug, and the call is refused. */
  'unjudged',
  'unrecorded',
  /** The description of this call kept changing. */
  'unsettled',
  /** It had begun when the run was interrupted, and its outcome is unknown. */
  'unknown_outcome',
  'stopped',
  'cancelled',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

export interface Refusal {
  readonly code: RefusalCode;
  readonly reason: string;
  /** Null unless a policy decided. */
  readonly rule: RuleReference | null;
  readonly instead: string | null;
  /** Absent for never. */
  readonly came_back?: number;
}

export type CallOutcome =
  | {
      readonly status: 'completed';
      readonly call: string;
      readonly result: Json;
      readonly edited: JsonObject | null;
    }
  | ({ readonly status: 'refused'; readonly call: string; readonly refusal: Refusal } & EditedCall)
  /** The tool failed: it ran, and its effect is unknown. */
  | ({ readonly status: 'failed'; readonly call: string; readonly error: string } & EditedCall);

interface EditedCall {
  /** Absent if unchanged. */
  readonly edited?: JsonObject;
}

/** Thrown by `resultOf` for code that prefers exceptions. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor(readonly refusal: Refusal) {
    super(`${refusal.code}: ${refusal.reason}`);
  }
}

export class FailedError extends Error {
  override readonly name = 'FailedError';
}

/** Throws `RefusedError` or `FailedError` for other outcomes. */
export function resultOf(outcome: CallOutcome): Json {
  if (outcome.status === 'refused') throw new RefusedError(outcome.refusal);
  if (outcome.status === 'failed') throw new FailedError(outcome.error);
  return outcome.result;
}

export function plainRefusal(code: RefusalCode, reason: string): Refusal {
  return { code, reason, rule: null, instead: null };
}

export const unrecorded = plainRefusal('unrecorded', 'it could not be recorded, so the call did not run');
