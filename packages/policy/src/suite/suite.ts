import type { AnswerableBy, Decision, Grant, JsonObject, NonEmpty, Request } from '@ambit/core';
import type { WrittenPolicy } from '../document/document.js';
import type { PolicyFile } from '../document/load.js';
import type { Place } from '../text/place.js';

/** Calls, and what the policies that a suite names are expected to say about each. */
export interface Suite {
  /** The file, as it is shown. */
  readonly name: string;
  /** What `./` stands for, and relative paths in arguments are relative to. */
  readonly root: string;
  readonly policies: NonEmpty<WrittenPolicy>;
  readonly files: NonEmpty<PolicyFile>;
  /** In the order of the file, each row of a `for` by itself. */
  readonly cases: NonEmpty<SuiteCase>;
}

export interface SuiteCase {
  /** Unique in its suite. */
  readonly name: string;
  readonly place: Place;
  /** `file:line:column` */
  readonly at: string;
  readonly expect: Expectation;
  /** The call, described; or why it is skipped. */
  readonly subject: DescribedCase | SkippedCase;
}

export interface DescribedCase {
  readonly skipped: null;
  readonly request: Request;
  readonly grants: readonly Grant[];
  /** Why the tool says that the call cannot be done, whoever permits it. */
  readonly cannot: string | null;
}

export interface SkippedCase {
  readonly skipped: string;
}

/** What a decision is held to; null is anything. */
export interface Expectation {
  readonly decision: Decision | null;
  /** Each of these must be among the rules that decide. */
  readonly rules: readonly string[] | null;
  /** Whether the default of a policy is among what decides. */
  readonly default: boolean | null;
  /** Who may answer the call's questions. */
  readonly answer: AnswerableBy | null;
  readonly reason: string | null;
  readonly instead: string | null;
}

/** A call as it stands in a suite: what `ambit decide` takes as a line. */
export type WrittenCall = JsonObject;
