import type { AnswerableBy, Decision, Grant, JsonObject, NonEmpty, Request } from '@ambit/core';
import type { WrittenPolicy } from '../document/document.js';
import type { PolicyFile } from '../document/load.js';
import type { Place } from '../text/place.js';

export interface Suite {
  readonly name: string;
  readonly policies: NonEmpty<WrittenPolicy>;
  readonly files: NonEmpty<PolicyFile>;
  /** In the order of the file; each row of a `for` is a separate case. */
  readonly cases: NonEmpty<SuiteCase>;
}

export interface SuiteCase {
  /** Unique in its suite. */
  readonly name: string;
  readonly place: Place;
  /** `file:line:column` */
  readonly at: string;
  readonly expect: Expectation;
  /** The described call, or the reason why it is skipped. */
  readonly subject: DescribedCase | { readonly skipped: string };
}

export interface CallOfCase {
  readonly request: Request;
  readonly grants: readonly Grant[];
  readonly cannot: string | null;
}

export interface DescribedCase extends CallOfCase {
  readonly skipped: null;
}

/** Null accepts any decision. */
export interface Expectation {
  readonly decision: Decision | null;
  /** Each of these must be among the rules that decide. */
  readonly rules: readonly string[] | null;
  /** Whether the default of a policy is among the deciding ones. */
  readonly default: boolean | null;
  readonly answer: AnswerableBy | null;
  readonly reason: string | null;
  readonly instead: string | null;
}

/** A call in a suite: a line for `ambit decide`. */
export type WrittenCall = JsonObject;
