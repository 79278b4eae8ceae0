import type { CallDecision, Judgement, RuleReference } from '../decide/decide.js';
import { memberWithin } from '../decide/deciding-member.js';
import type { Policy } from '../decide/policy.js';
import { type Capability, sortedText } from '../words/capability.js';
import type { Decision } from '../words/decision.js';
import type { Json, JsonObject } from '../words/json.js';
import { askingWords } from './asking-words.js';
import { isUndecided, type NarrowerCall, narrowerCall } from './narrower-call.js';

/** Why a call did not run. */
export const refusalCodes = [
  /** A policy blocks it. */
  'blocked',
  /** A person said no. */
  'denied',
  /** No answer: no approver, too late, or a failed approver. */
  'unanswered',
  /** The mode `strict` refuses what needs approval. */
  'strict',
  /** The mode `approve_all` must not answer this question. */
  'wants_person',
  /** The tool itself cannot do it. */
  'cannot',
  'bad_input',
  'unknown_tool',
  /** Describing failed, took too long, or returned an invalid description. */
  'undescribed',
  /** Judging failed: a bug, and the call is refused. */
  'unjudged',
  /** The decision could not be recorded. */
  'unrecorded',
  /** The description of this call kept changing. */
  'unsettled',
  /** It had begun when the run was interrupted, and its outcome is unknown. */
  'unknown_outcome',
  /** The run has stopped. */
  'stopped',
  'cancelled',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** A refusal as it is returned to the model. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly reason: string;
  /** The first deciding rule, if a policy decided. */
  readonly rule: RuleReference | null;
  readonly instead: string | null;
  /** How often the model repeated this call after a person refused it; absent for never. */
  readonly came_back?: number;
}

export type CallOutcome =
  | {
      readonly status: 'completed';
      readonly call: string;
      readonly result: Json;
      /** The arguments that a person edited. */
      readonly edited: JsonObject | null;
    }
  | ({ readonly status: 'refused'; readonly call: string; readonly refusal: Refusal } & EditedCall)
  /** The tool failed: it ran, and its effect is unknown. */
  | ({ readonly status: 'failed'; readonly call: string; readonly error: string } & EditedCall);

interface EditedCall {
  /** The arguments that a person edited; absent if unchanged. */
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

/** The result of a completed call; throws `RefusedError` or `FailedError` for the other outcomes. */
export function resultOf(outcome: CallOutcome): Json {
  if (outcome.status === 'refused') throw new RefusedError(outcome.refusal);
  if (outcome.status === 'failed') throw new FailedError(outcome.error);
  return outcome.result;
}

/** A refusal without a rule. */
export function plainRefusal(code: RefusalCode): Refusal {
  return { code, reason: code, rule: null, instead: null };
}

export const unrecorded: Refusal = {
  ...plainRefusal('unrecorded'),
  reason: 'it could not be recorded, so the call did not run',
};

/** A refusal with the reason and the rule of its cause: a block, or open questions. */
export function refusalOf(
  code: RefusalCode,
  decision: CallDecision,
  of: { readonly policies: readonly Policy[]; readonly fallback: string },
): Refusal {
  const unanswered = decision.judgements.filter(({ answered_by }) => answered_by === null);
  const open = inStableOrder(unanswered, decision.capabilities);
  const { reason, instead } = code === 'blocked' ? decision : askingWords(open, of.policies);
  const level = code === 'blocked' ? 'blocked' : 'needs_approval';
  const file = firstFile(open, decision, level);
  const first = open.find((judgement) => judgement.decision === level);
  // What a person refused is not made again in parts.
  const narrower = narrowerCall(code === 'denied' ? undefined : first, decision, level);
  const about = file ?? narrower.unknown;
  const said = reason === null || about === null ? reason : `${reason}: ${about}`;
  const also = code === 'blocked' ? severalBlocked(open, decision) : '';
  return {
    code,
    reason: `${said ?? of.fallback}${also}`,
    rule: firstRule(open, level),
    instead: insteadOf(instead, { narrower, isUndecided: isUndecided(first, level) }),
  };
}

/** The words of a rule; where it is undecided, how to make it decided too. */
function insteadOf(
  instead: string | null,
  of: { readonly narrower: NarrowerCall; readonly isUndecided: boolean },
): string | null {
  const how = of.narrower.instead;
  if (instead === null || how === null) return instead ?? how;
  return of.isUndecided ? `${instead}; or ${how}` : instead;
}

/** Sorted by capability, not by the tool's order; policies of one capability keep their order. */
export function inStableOrder(
  judgements: readonly Judgement[],
  capabilities: readonly Capability[],
): readonly Judgement[] {
  const keys = capabilities.map(({ name, ...facts }) => `${name} ${sortedText(facts)}`);
  const keyOf = ({ capability }: Judgement) => keys[capability] ?? '';
  return judgements.toSorted((one, other) =>
    keyOf(one) === keyOf(other) ? 0 : keyOf(one) < keyOf(other) ? -1 : 1,
  );
}

/** The names of all blocked capabilities, in alphabetical order; empty for a single one. */
function severalBlocked(open: readonly Judgement[], { capabilities }: CallDecision): string {
  const blocked = open.filter(({ decision }) => decision === 'blocked');
  const names = new Set(blocked.flatMap(({ capability }) => capabilities[capability]?.name ?? []));
  return names.size < 2 ? '' : ` (blocked: ${[...names].sort().join(', ')})`;
}

/** The first deciding member of a file set; null for a plain capability. */
function firstFile(
  open: readonly Judgement[],
  { capabilities }: CallDecision,
  level: Decision,
): string | null {
  const first = open.find(({ decision }) => decision === level);
  if (first?.member === undefined) return null;
  return memberWithin(first.member, capabilities[first.capability]?.path);
}

function firstRule(open: readonly Judgement[], of: Decision): RuleReference | null {
  const rules = open.flatMap(({ rules, undecided }) => [...rules, ...undecided]);
  const rule = rules.find((candidate) => candidate.decision === of);
  return rule === undefined ? null : { id: rule.id, at: rule.at, decision: rule.decision };
}
