import type { Capability } from '../words/capability.js';
import type { Decision, NonEmpty } from '../words/decision.js';
import type { AnswerableBy } from './rule.js';

/** A decision on a whole call. It is its own explanation: logs, terminal, model and tests use this value. */
export interface CallDecision {
  /** The strictest judgement; answered ones count as `pre_approved`. */
  readonly decision: Decision;
  /** The capabilities: as reported, and from the policies' `carries`. */
  readonly capabilities: NonEmpty<Capability>;
  /** By capability, then by policy; the built-in policy only where one of its rules applies. */
  readonly judgements: readonly Judgement[];
  /** From the first strictest rule that has one, by policy and place. */
  readonly reason: string | null;
  readonly instead: string | null;
}

/** The judgement of one policy about one capability, before grants. */
export interface Judgement {
  /** Index into the call's `capabilities`. */
  readonly capability: number;
  /** For a file set: the deciding member. The rest of the judgement is about it. */
  readonly member?: DecidingMember;
  /** The policy's name. */
  readonly policy: string;
  readonly decision: Decision;
  /**
   * Whether the policy's default counts, because no rule for every worker or the acting one certainly
   * applies.
   */
  readonly default: boolean;
  /** All rules that certainly apply, in the order of their places. */
  readonly rules: readonly RuleReference[];
  readonly undecided: readonly UndecidedRule[];
  /** Observed rules that would have applied, or might have; absent if there are none. */
  readonly observed?: readonly RuleReference[];
  /** Who may answer, if `decision` is `needs_approval`. */
  readonly answer: AnswerableBy | null;
  readonly answered_by: AnsweredBy | null;
}

export interface RuleReference {
  readonly id: string;
  /** `file:line:column` */
  readonly at: string;
  readonly decision: Decision;
}

/** Its `decision` is its effective one: `needs_approval` for an undecided block that asks. */
export interface UndecidedRule extends RuleReference {
  /** The decision of the rule when it applies, if that differs. */
  readonly rule_decision?: 'blocked';
  readonly why: string;
}

/** Which grant answered a question. */
export type AnsweredBy =
  | { readonly by: 'rule'; readonly id: string; readonly at: string }
  | { readonly by: 'reference'; readonly worker: string; readonly tool: string }
  | { readonly by: 'kept'; readonly approval: string; readonly person: string };

/** The member of a file set that decided a judgement. */
export interface DecidingMember {
  /**
   * The first of the members with the strictest judgement, in order; null for the unknown members of an open
   * set.
   */
  readonly path: string | null;
  /** The number of members with an equally strict judgement. */
  readonly count: number;
  /** The number of members. The unknown ones of an open set count as one. */
  readonly of: number;
}

/** The names of the policies that judged a call. */
export function judgedBy({ judgements }: Pick<CallDecision, 'judgements'>): readonly string[] {
  return [...new Set(judgements.map(({ policy }) => policy))];
}
