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
export const obstacles = {
  not_asked: () => 'not asked about any more',
  blocked_now: () => 'now blocked',
  asked_by_rule: (rule: string) =>
    `asked by the rule ${rule} on purpose, and no permission loosens a rule: edit that rule`,
  asked_by_worker: (policy: string) => `asked by ${policy}, which is not a policy file`,
  asked_elsewhere: (policy: string) => `asked by the default of ${policy}, which is not the edited file`,
  wants_person: (rule: string) => `requires a person each time${rule === '' ? '' : `, by the rule ${rule}`}`,
  never_permitted: (name: string) => `carries ${name}, which is never learnt`,
  secret: (path: string) => `about a well-known secret, ${path}`,
  masked: () => 'a fact was masked, so the approved call is unknown',
  created_worker: (worker: string) => `asked for by ${worker}, which a model created`,
  facts_unknown: (name: string) => `nothing certain is known about its ${name}`,
  too_many: () => 'asks about files in too many folders: permit a folder above them in the policy',
  refused_too: () =>
    'any rule for it would also permit a call that was refused, is blocked or is never learnt from',
  dropped: () => 'its rules were dropped, see below',
};

export type Obstacle = keyof typeof obstacles;

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
