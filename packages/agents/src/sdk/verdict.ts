import { isObject, type Json, jsonCopy, messageOf, type Question } from '@ambit/core';
import type { KnownOfCalls } from './never-runs.js';

/** One tool call that an SDK is about to make. */
export interface SdkCall {
  /** The SDK's id of the call; null if it has none. */
  readonly id: string | null;
  /** The tool's name that the model uses. */
  readonly tool: string;
  /** The parsed arguments: a plain JSON object. */
  readonly args: unknown;
  /** The agents below the first one, if an agent called another. */
  readonly agents?: readonly string[];
}

export interface SdkVerdict {
  /**
   * What to do: run the tool, ask the user of the program, or refuse. After a user's yes call `approve`, which
   * judges again. A question that only a person's own answer settles is `blocked`, with `question`.
   */
  readonly decision: 'pre_approved' | 'needs_approval' | 'blocked';
  /** The reason and the alternative, as text for the model and the user. */
  readonly reason: string;
  /** The rule that refuses, with its place; null if no rule refuses. */
  readonly rule: { readonly id: string; readonly at: string } | null;
  /** The question for a person; null if there is none. */
  readonly question: Question | null;
  /** The call's id in the log; null if the call was not judged. */
  readonly call: string | null;
}

/** Judges the calls of one session. No method rejects: every error is a refusal. */
export interface Judge {
  judge(call: SdkCall): Promise<SdkVerdict>;
  /** Judges this exact call again after the user's yes, and never asks again. */
  approve(call: SdkCall): Promise<SdkVerdict>;
  /** Records the user's no to this call. */
  deny(call: SdkCall): Promise<void>;
  /** Records the outcome of a permitted call: null, or the error. */
  ended(call: SdkCall, error: string | null): Promise<void>;
  /**
   * Waits until a person answered a question at `ambit approvals`, at most until this time in milliseconds since 1970. The same call
   * judged again has the answer. Where `signal` ends the wait, the question is withdrawn.
   */
  settled(question: string, until: number, signal: AbortSignal): Promise<void>;
  /** Whether the policies block every call of a tool that has these properties. False if that is unknown. */
  neverRuns(tool: string, known?: KnownOfCalls): Promise<boolean>;
  /** Whether a rule names this capability and does not block it. A default is not a rule. False if that is unknown. */
  hasRuleFor(capability: string): Promise<boolean>;
  /** Closes the session after the current work. Afterwards no call is permitted. */
  close(): Promise<void>;
  /** A key for this session only; it signs approvals that travel through a client. */
  readonly secret: Uint8Array;
}

export function refusal(reason: string, of: Partial<SdkVerdict> = {}): SdkVerdict {
  return { rule: null, question: null, call: null, ...of, decision: 'blocked', reason };
}

const knownDecisions: ReadonlySet<unknown> = new Set(['pre_approved', 'needs_approval', 'blocked']);

/** The verdict of any judge, or a refusal if the judge throws or returns something else. */
export async function verdictOf(judging: () => Promise<SdkVerdict>): Promise<SdkVerdict> {
  try {
    const verdict: unknown = await judging();
    const decision =
      typeof verdict === 'object' && verdict !== null && 'decision' in verdict && verdict.decision;
    return knownDecisions.has(decision) ? (verdict as SdkVerdict) : refusal('the judge returned no decision');
  } catch (error) {
    return refusal(`judging failed: ${messageOf(error)}`);
  }
}

/** Throws for anything but a judge, such as the promise of one. */
export function requireJudge(judge: unknown): void {
  if (!isObject(judge) || typeof judge.judge !== 'function')
    throw new TypeError('the judge must be the result of `await openJudge(…)`');
}

interface Run {
  readonly call: SdkCall;
  readonly signal: AbortSignal | null | undefined;
  readonly run: () => unknown;
}

/** Runs a permitted call unless the signal is aborted, and records its outcome. */
export async function runAndRecord(judge: Judge, { call, signal, run }: Run): Promise<unknown> {
  try {
    if (signal?.aborted === true) throw new Error('the run was aborted before this call');
    const result = await run();
    await judge.ended(call, null);
    return result;
  } catch (error) {
    await judge.ended(call, messageOf(error));
    throw error;
  }
}

/** The text for the model about a refused call. */
export function toModel({ reason }: SdkVerdict): string {
  return `refused by policy: ${reason}`;
}

/**
 * A copy of a tool with these members of its own. A method of its class runs on the copy, so `this.run` there is
 * the guarded one, and private members (`#name`) are missing. An accessor runs on the tool itself.
 */
export function copyWith<Of extends object>(tool: Of, members: object): Of {
  const get = (_: object, name: string | symbol): unknown => Reflect.get(tool, name);
  const has = (_: object, name: string | symbol) => name in tool;
  return Object.assign(Object.create(new Proxy({}, { get, has })) as Of, tool, members);
}

/** A frozen copy, without members that are undefined; undefined if that is not plain JSON. */
export function plainArgs(args: unknown): Json | undefined {
  return jsonCopy(args) ?? jsonCopy(withoutUndefined(args));
}

/** A deeper value is not plain JSON. */
function withoutUndefined(value: unknown, depth = 200): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((each) => withoutUndefined(each, depth - 1));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutUndefined(each, depth - 1)])) as Json;
}
