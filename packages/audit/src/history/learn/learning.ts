import type { CallDecision, Capability, Reach } from '@ambit/core';
import type { Judge } from '../replay/replay.js';
import type { PastCall, PastEntry } from './past-calls.js';
import type { Asked, ProposedRule } from './proposed-rule.js';

export interface LearnOptions {
  readonly target: string;
  readonly reach: Exclude<Reach, 'call'>;
  /** The folder of `./`. A rule covers all of it only with `widen`. */
  readonly root?: string;
  /** Whether a rule for a folder may come from deeper files and cover the whole root. */
  readonly widen?: boolean;
  /** Files that rules for a folder except and that are never learned from. */
  readonly files?: {
    readonly isExcepted: (path: string, folder: string) => boolean;
    readonly isSecret: (path: string) => boolean;
  };
  /** Judges as the policies would with these rules in the target; with none, as they are. */
  readonly tryRules: (rules: readonly ProposedRule[]) => Promise<TriedRules>;
}

/** The rules in the edited policy, judged as it would be. */
export type TriedRules = Accepted | Objection;

export interface Accepted {
  readonly ok: true;
  readonly judge: Judge;
  readonly broken: readonly BrokenInvariant[];
}

export interface Objection {
  readonly ok: false;
  readonly which: number;
  readonly why: string;
}

/** How to learn, and the current policies. */
export interface Current {
  readonly options: LearnOptions;
  readonly base: Accepted;
}

/** All calls under the current policies: approved ones with their questions, or why rules cannot answer them. */
export interface Subject extends Current {
  readonly all: readonly JudgedCall[];
  readonly wanted: readonly Wanted[];
  readonly left: readonly Hindered[];
  /** They must not become looser. */
  readonly guarded: readonly JudgedCall[];
}

export interface JudgedCall {
  readonly call: PastCall;
  readonly decision: CallDecision;
}

export interface Wanted {
  readonly call: PastCall;
  readonly asked: readonly Asked[];
  /** The representatives of all calls, for the choice of rules. */
  readonly asks: readonly Asked[];
}

/** Why no rule is proposed that would have answered a call. */
export type Obstacle =
  | 'not_asked'
  | 'blocked_now'
  /** A rule asks, and a permission does not loosen a rule. */
  | 'asked_by_rule'
  /** A worker file, or a program, asks. */
  | 'asked_by_worker'
  /** The default of a policy that is not the one to be edited. */
  | 'asked_elsewhere'
  | 'wants_person'
  /** It carries a capability that is never learned: `proc.exec.opaque`, `code`, `sys`. */
  | 'never_permitted'
  | 'secret'
  | 'masked'
  | 'created_worker'
  /** A fact is unknown, so there is no value to fix. */
  | 'facts_unknown'
  /** It asks about files in too many folders for a few rules. */
  | 'too_many'
  /** A rule for it would permit a call that a person refused. */
  | 'refused_too'
  | 'dropped';

export interface Hindrance {
  readonly obstacle: Obstacle;
  /** The rule, the policy or the capability that it is about. */
  readonly about: string | null;
}

export interface Hindered extends Hindrance {
  readonly call: PastCall;
}

export interface BrokenInvariant {
  readonly id: string;
  readonly at: string;
  /** It names a call that breaks the invariant, if one was found. Escaped. */
  readonly message: string;
}

export interface Source extends PastEntry {
  readonly capabilities: readonly Capability[];
  readonly person: string;
  /** Whether the run had read text from outside before the answer. */
  readonly untrusted: boolean;
}

/** A call without an earlier answer that the rule would permit. */
export interface NewlyCovered {
  readonly capability: Capability;
  /** Its entry in a log; null if it is generated. */
  readonly entry: PastEntry | null;
}

export interface Proposal {
  readonly rule: ProposedRule;
  /** Not escaped. */
  readonly words: string;
  readonly people: readonly string[];
  /** Questions of the log that the rule would have saved, together with the other rules. */
  readonly saves: number;
  readonly sources: readonly Source[];
  /** How many of the sources were approved after the run had read text from outside. */
  readonly untrusted: number;
  readonly covers: readonly NewlyCovered[];
  /** A call just outside, which still asks; null if none is known. */
  readonly not: Capability | null;
}

/** Calls that people approved and that no proposal answers, for one reason. */
export interface Left extends Hindrance {
  readonly calls: number;
  readonly example: PastEntry;
}

/** A rule that would have answered questions and is not proposed. */
export interface Dropped {
  readonly words: string;
  readonly why: string;
}

export interface Learning {
  readonly approvals: number;
  readonly answered: number;
  readonly proposals: readonly Proposal[];
  /** Whether fewer rules certainly cannot answer as much; at least `atLeast` are needed. */
  readonly fewest: { readonly exact: boolean; readonly atLeast: number };
  readonly left: readonly Left[];
  readonly dropped: readonly Dropped[];
  /** How many calls were judged again under the proposals: they must not become looser. */
  readonly guarded: number;
}
