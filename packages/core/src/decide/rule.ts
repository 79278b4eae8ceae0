import type { Decision, NonEmpty } from '../words/decision.js';
import type { Condition } from './condition.js';
import type { CallView, CapabilityView } from './request.js';

/** Who may answer a question: `any` grant, kept answer, mode or person; or a `person`, for this one call. */
export type AnswerableBy = 'any' | 'person';

interface RuleBase<View> {
  /** Unique in its policy. */
  readonly id: string;
  /** `file:line:column` */
  readonly at: string;
  readonly decision: Decision;
  readonly answer: AnswerableBy;
  readonly reason: string | null;
  /** For the model. */
  readonly instead: string | null;
  /** Null for every worker. */
  readonly worker: string | null;
  /** Whether a worker's restriction holds for those who act for it. */
  readonly inherit: boolean;
  /** Whether the rule is only observed and never applies. */
  readonly observe: boolean;
  /** Whether its question is asked separately, for each subject of the rule. */
  readonly apart?: boolean;
  /** Whether an undecided block asks a person about this one call. */
  readonly undecided?: 'needs_approval';
  readonly condition: Condition<View>;
}

export interface CapabilityRule extends RuleBase<CapabilityView> {
  readonly about: 'capability';
  readonly name: string;
  /** A restriction always does. */
  readonly below: boolean;
}

/** A rule about every call of a tool: a restriction of all its capabilities, or a standing grant. */
export interface ToolRule extends RuleBase<CallView> {
  readonly about: 'tool';
  /** `toolset.tool`, or `toolset.*`. */
  readonly name: string;
}

/** It restricts each listed capability, if all are present. */
export interface CombinationRule extends RuleBase<CallView> {
  readonly about: 'combination';
  readonly decision: Restricting;
  readonly members: NonEmpty<CombinationMember>;
  /** In the call, or also in the run's history. */
  readonly within: 'call' | 'run';
}

export interface CombinationMember {
  readonly name: string;
  readonly condition: Condition<CapabilityView>;
}

export type Restricting = Exclude<Decision, 'pre_approved'>;

export type Rule = CapabilityRule | ToolRule | CombinationRule;

export function isRestriction(rule: Rule): boolean {
  return rule.decision !== 'pre_approved';
}

/** A permission of a tool. It answers the questions of its policy about the calls of the tool. */
export function isStandingGrant(rule: Rule): boolean {
  return rule.about === 'tool' && !isRestriction(rule);
}

/** Whether a rule asks a person if it is undecided, and blocks if it certainly applies. */
export function asksIfUndecided({ decision, undecided }: Rule): boolean {
  return decision === 'blocked' && undecided === 'needs_approval';
}
