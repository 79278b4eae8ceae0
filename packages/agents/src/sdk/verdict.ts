import { type Json, messageOf, type Question } from '@ambit/core';
import type { KnownOfCalls } from './never-runs.js';

/** One call of a tool, as an SDK is about to make it. */
export interface SdkCall {
  /** The id that the SDK has for it; null where it has none. */
  readonly id: string | null;
  /** The tool's name, as the model knows it. */
  readonly tool: string;
  /** The parsed arguments: a plain JSON object. */
  readonly args: unknown;
  /** The agents below the first one, where an agent called another. */
  readonly agents?: readonly string[];
}

export interface SdkVerdict {
  /**
   * What to do: run the tool, ask the user of the program, or refuse. After a user's yes call `approve`, which
   * judges again. A question that only a person's own answer settles is `blocked`, with `question`.
   */
  readonly decision: 'pre_approved' | 'needs_approval' | 'blocked';
  /** Why, and what to do instead: words for the model and the user. */
  readonly reason: string;
  /** The rule that refuses, with its place; null where none does. */
  readonly rule: { readonly id: string; readonly at: string } | null;
  /** What a person is asked; null for no question. */
  readonly question: Question | null;
  /** The call's id in the log; null where the call was not judged. */
  readonly call: string | null;
}

/** Judges the calls of one session. Nothing here rejects: whatever goes wrong is a refusal. */
export interface Judge {
  judge(call: SdkCall): Promise<SdkVerdict>;
  /** After the user's yes to this very call. Judges it again, and never asks again. */
  approve(call: SdkCall): Promise<SdkVerdict>;
  /** Records the user's no to this call. */
  deny(call: SdkCall): Promise<void>;
  /** Records what came of a permitted call: null, or what went wrong. */
  ended(call: SdkCall, error: string | null): Promise<void>;
  /**
   * Waits until a person answered a question at `ambit approvals`, at most until this time in milliseconds since 1970. The same call
   * judged again has the answer. Where `signal` ends the wait, the question is withdrawn.
   */
  settled(question: string, until: number, signal: AbortSignal): Promise<void>;
  /** Whether the policies block every call of a tool of ours that has this in common. False where that is not known. */
  neverRuns(tool: string, known?: KnownOfCalls): Promise<boolean>;
  /** Lets go of the session, after what is being judged. Then nothing is permitted any more. */
  close(): Promise<void>;
  /** Belongs to this session alone: signs approvals that travel through a client. */
  readonly secret: Uint8Array;
}

export function refused(reason: string, of: Partial<SdkVerdict> = {}): SdkVerdict {
  return { rule: null, question: null, call: null, ...of, decision: 'blocked', reason };
}

const words: ReadonlySet<unknown> = new Set(['pre_approved', 'needs_approval', 'blocked']);

/** Any judge's answer, or a refusal where it throws or gives something else. */
export async function judged(judging: () => Promise<SdkVerdict>): Promise<SdkVerdict> {
  try {
    const verdict: unknown = await judging();
    const decision =
      typeof verdict === 'object' && verdict !== null && 'decision' in verdict && verdict.decision;
    return words.has(decision) ? (verdict as SdkVerdict) : refused('the judge gave no decision');
  } catch (error) {
    return refused(`judging failed: ${messageOf(error)}`);
  }
}

/** What the model is told of a refused call. */
export function toModel({ reason }: SdkVerdict): string {
  return `refused by policy: ${reason}`;
}

/** The same value without members that JSON has no word for. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutUndefined(each)])) as Json;
}
