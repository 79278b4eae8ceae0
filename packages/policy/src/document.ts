import type { Admission, AnswerableBy, Carried, Decision, Json, JsonObject, Policy } from '@ambit/core';
import type { Expression } from './expression.js';
import type { Match } from './pattern.js';
import type { Place } from './place.js';

/** A policy that was read from a file, with all that its author wrote as data. */
export interface WrittenPolicy extends Policy {
  readonly document: PolicyDocument;
}

export interface PolicyDocument {
  /** The file's name, as it is shown. */
  readonly name: string;
  readonly version: 1;
  /** The files that judge beside this one, as they are named in it. */
  readonly extends: readonly Extension[];
  readonly default: { readonly decision: Decision; readonly answer: AnswerableBy; readonly place: Place };
  /** In the order of the file, each the source of the rule with its id. */
  readonly rules: readonly WrittenRule[];
  readonly carries: readonly Carried[];
  readonly admits: Admission;
}

export interface Extension {
  readonly path: string;
  readonly place: Place;
}

/** One rule as it was written. */
export interface WrittenRule {
  readonly about: 'capability' | 'tool';
  /** A capability name; `toolset.tool` or `toolset.*` for a rule about a tool. */
  readonly name: string;
  readonly worker: string | null;
  /** Unique in its file. */
  readonly id: string;
  readonly place: Place;
  /** `file:line:column` */
  readonly at: string;
  readonly decision: Decision;
  readonly answer: AnswerableBy;
  readonly below: boolean;
  readonly inherit: boolean;
  readonly match: Match | null;
  readonly except: Match | null;
  readonly when: WrittenCondition | null;
  /** Milliseconds since 1970; a permission no longer applies from then on. */
  readonly until: number | null;
  readonly reason: string | null;
  readonly instead: string | null;
  readonly owner: string | null;
  readonly note: string | null;
  readonly examples: readonly WrittenExample[];
}

export interface WrittenCondition {
  readonly expression: Expression;
  /** As it was written. */
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
