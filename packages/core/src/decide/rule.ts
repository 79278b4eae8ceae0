import type { Decision, NonEmpty } from '../words/decision.js';
import type { Condition } from './condition.js';
import type { CallView, CapabilityView } from './request.js';

/** Who may answer a question: `any` grant, kept answer, mode or person; or a `person`, for this one call. */
export type AnswerableBy = 'any' | 'person';

interface RuleBase<View> {
  /** Unique in its policy. */
  readonly id: string;
  /** `file:line:column` of the rule in its policy. */
  readonly at: string;
  readonly decision: Decision;
  /** Who answers the question, where `decision` is `needs_approval`. */
  readonly answer: AnswerableBy;
  readonly reason: string | null;
  /** What to do instead, for the model. */
  readonly instead: string | null;
  /** The worker that the rule is for; everybody where null. */
  readonly worker: string | null;
  /** Whether a worker's restriction holds for those who act for it. */
  readonly inherit: boolean;
  /** Whether the rule only says what it would have said, and applies to nothing. */
  readonly observe: boolean;
  /** Whether its question is asked by itself, for each thing that the rule is about, and not with the others about a call. */
  readonly apart?: boolean;
  /** Where it blocks and is undecided: it asks a person about this one call, instead of blocking. */
  readonly undecided?: 'needs_approval';
  readonly condition: Condition<View>;
}

/** A rule about a capability: its name alone, or everything under it. */
export interface CapabilityRule extends RuleBase<CapabilityView> {
  readonly about: 'capability';
  readonly name: string;
  /** Whether a permission covers what is under its name; a restriction always does. */
  readonly below: boolean;
}

/** A rule about every call of a tool: a restriction of all its capabilities, or a standing grant. */
export interface ToolRule extends RuleBase<CallView> {
  readonly about: 'tool';
  /** `toolset.tool`, or `toolset.*`. */
  readonly name: string;
}

/** A rule about what comes together: where all that it lists is present, it restricts each capability that it lists. */
export interface CombinationRule extends RuleBase<CallView> {
  readonly about: 'combination';
  readonly decision: Restricting;
  readonly members: NonEmpty<CombinationMember>;
  /** Present in the `call`; or, in a `run`, also among what was permitted before. */
  readonly within: 'call' | 'run';
}

/** One thing that a combination lists: a capability, or any under its name. */
export interface CombinationMember {
  readonly name: string;
  readonly condition: Condition<CapabilityView>;
}

/** The decisions of restrictions. */
export type Restricting = Exclude<Decision, 'pre_approved'>;

export type Rule = CapabilityRule | ToolRule | CombinationRule;

/** A rule that says `needs_approval` or `blocked`. */
export function isRestriction(rule: Rule): boolean {
  return rule.decision !== 'pre_approved';
}

/** Whether a rule asks a person where it is undecided, and blocks where it applies for certain. */
export function asksIfUndecided({ decision, undecided }: Rule): boolean {
  return decision === 'blocked' && undecided === 'needs_approval';
}
