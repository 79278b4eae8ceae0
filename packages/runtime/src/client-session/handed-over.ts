import type { Answer, Json, JsonObject, Question, Tool } from '@ambit/core';
import type { ForeignCall } from './foreign-call.js';

/** A tool of which only is known what this call does. */
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

/** A tool that is executed elsewhere: what would execute it here says that it may run, and never ends. */
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
  /** Hands the question over; nobody answers it here. */
  readonly asked: (question: Question) => Promise<Answer>;
  readonly hasAsked: () => boolean;
}

/** Hands over the first question. */
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

/** A promise that somebody else resolves, or nobody. */
function once<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
