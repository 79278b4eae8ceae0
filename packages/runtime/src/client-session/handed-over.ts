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
  readonly question: Promise<Question>;
  /** Passes the question on; it is not answered here. */
  readonly asked: (question: Question) => Promise<Answer>;
  readonly hasAsked: () => boolean;
}

/** Passes the first question on. */
export function createWaiting(): Waiting {
  const { promise: question, resolve } = once<Question>();
  let hasAsked = false;
  return {
    question,
    hasAsked: () => hasAsked,
    asked(given) {
      hasAsked = true;
      resolve(given);
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
