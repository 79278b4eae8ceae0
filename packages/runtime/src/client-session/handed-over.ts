import type { Answer, Json, JsonObject, Question, Tool } from '@ambit/core';
import type { ForeignCall } from './foreign-call.js';

/** A tool of which only the effects of this call are known. */
export function undescribedTool(
  name: string,
  { describe, confines }: Pick<ForeignCall, 'describe' | 'confines'>,
): Tool {
  return {
    name,
    description: 'executed by another agent',
    input: { json: {}, parse: (value) => ({ ok: true, value: value as JsonObject }) },
    confines: confines === true,
    describe: async () => ({ capabilities: await describe() }),
    execute: () => null,
  };
}

/** A tool that is executed elsewhere. Its execution here reports the permit, and never ends. */
export function handedOver(tool: Tool) {
  const { promise: begun, resolve } = once<void>();
  const execute: Tool['execute'] = () => {
    resolve();
    return once<Json>().promise;
  };
  return { tool: { ...tool, execute }, begun };
}

export interface Waiting {
  /** The question about this call, if one comes. */
  readonly question: (call: string) => Promise<Question>;
  /** No question about this call is waited for any more. */
  readonly forget: (call: string) => void;
  /** Hands the question over; nobody answers it here. */
  readonly asked: (question: Question) => Promise<Answer>;
  readonly hasAsked: () => boolean;
}

/** Hands over each question to its call. */
export function createWaiting(): Waiting {
  const listening = new Map<string, (question: Question) => void>();
  let hasAsked = false;
  return {
    question: (call) => new Promise((resolve) => listening.set(call, resolve)),
    forget: (call) => void listening.delete(call),
    hasAsked: () => hasAsked,
    asked(given) {
      hasAsked = true;
      listening.get(given.call)?.(given);
      return once<Answer>().promise;
    },
  };
}

/** A promise with its resolver, which may never be called. */
function once<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
