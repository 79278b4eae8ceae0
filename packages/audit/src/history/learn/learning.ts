import type { Capability } from '@ambit/core';
import type { Judge } from '../replay/replay.js';
import type { Hindrance } from './answerable.js';
import type { PastEntry } from './past-calls.js';
import type { ProposedRule } from './proposed-rule.js';

/** The rules in the edited policy, judged as it would be. */
export type TriedRules =
  | { readonly ok: true; readonly judge: Judge; readonly broken: readonly BrokenInvariant[] }
  | { readonly ok: false; readonly which: number; readonly why: string };

export interface BrokenInvariant {
  readonly id: string;
  readonly at: string;
  /** With a call that breaks it, if one was found. Escaped. */
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
