import type {
  Admission,
  AnswerableBy,
  Carried,
  Decision,
  Json,
  JsonObject,
  NonEmpty,
  Policy,
  Restricting,
} from '@ambit/core';
import type { Expression } from '../condition/expression.js';
import type { Match } from '../condition/pattern.js';
import type { Place } from '../text/place.js';

/** A policy from a file, with all that its author wrote. */
export interface WrittenPolicy extends Policy {
  readonly document: PolicyDocument;
}

export interface PolicyDocument {
  readonly name: string;
  readonly default: { readonly decision: Decision; readonly answer: AnswerableBy; readonly place: Place };
  /** At the index of their rules in the policy. */
  readonly rules: readonly WrittenRule[];
  readonly carries: readonly Carried[];
  readonly admits: Admission;
  /** Claims to prove about the policy; they change no decision. */
  readonly invariants: readonly WrittenInvariant[];
}

/** What an undecided block does: ask a person, or block. */
export type UndecidedBlock = Exclude<Decision, 'pre_approved'>;

export type WrittenRule = WrittenNamedRule | WrittenCombination;

interface WrittenRuleBase {
  /** Unique in its file. */
  readonly id: string;
  readonly place: Place;
  /** `file:line:column` */
  readonly at: string;
  readonly answer: AnswerableBy;
  /** Null for rules that are not blocks. */
  readonly undecided: UndecidedBlock | null;
  readonly inherit: boolean;
  /** Whether the rule is only observed and never applies. */
  readonly observe: boolean;
  /** Milliseconds since 1970; null if the file does not say. */
  readonly observedSince: number | null;
  readonly when: WrittenCondition | null;
  readonly reason: string | null;
  readonly instead: string | null;
  readonly owner: string | null;
  readonly note: string | null;
  readonly examples: readonly WrittenExample[];
}

/** A rule under `capabilities:` or `tools:`. */
export interface WrittenNamedRule extends WrittenRuleBase, WrittenMember {
  readonly about: 'capability' | 'tool';
  /** A capability name; `toolset.tool` or `toolset.*` for a rule about a tool. */
  readonly name: string;
  readonly worker: string | null;
  readonly decision: Decision;
  readonly below: boolean;
  /** Milliseconds since 1970. */
  readonly until: number | null;
}

/** A rule under `together:`. Its condition sees the call, not its capabilities. */
export interface WrittenCombination extends WrittenRuleBase {
  readonly about: 'combination';
  readonly worker: null;
  readonly decision: Restricting;
  readonly members: NonEmpty<WrittenMember>;
  readonly within: 'call' | 'run';
}

/** A capability that a combination or an invariant lists, or any under its name. */
export interface WrittenMember {
  readonly name: string;
  readonly match: Match | null;
  readonly except: Match | null;
  readonly place: Place;
}

/** A claim: a call that carries all of these, whatever else it carries, never has this decision. */
export interface WrittenInvariant
  extends Pick<WrittenRuleBase, 'id' | 'place' | 'at' | 'reason' | 'owner' | 'note'> {
  readonly members: NonEmpty<WrittenMember>;
  /** Counts every grant that the policy admits, but no person's answer and no mode. */
  readonly never: 'pre_approved';
}

export interface WrittenCondition {
  readonly expression: Expression;
  readonly json: Json;
}

/** A call that the rule's own condition holds for, or does not. */
export interface WrittenExample {
  readonly matches: boolean;
  readonly facts: JsonObject;
  readonly args: JsonObject;
  readonly context: JsonObject;
  readonly place: Place;
}
