import { type AnswerOptions, answer } from './commands/hook/answer.js';
import { endBadly, sayFailure } from './failure.js';
import { endWith, processHost } from './process-host.js';
import { quickCall } from './quick-call.js';

/** The digest of the bundle that judges: the resident judge has to be the same. */
declare const AMBIT_BUILD: string;

/**
 * `ambit hook CLIENT --resident` alone: asks the resident judge, and loads a judge of its own only where that gives no answer.
 * False for any other arguments.
 */
export function start(argv: readonly string[], judge: AnswerOptions['judge']): boolean {
  const call = quickCall(argv);
  if (call?.command !== 'hook' || call.client === null || call.options.resident !== true) return false;
  process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);
  const host = { ...processHost(), build: AMBIT_BUILD };
  void answer(host, call.client, { ...call.options, judge })
    .catch((error: unknown) => sayFailure(error, { argv, host }))
    .then(endWith);
  return true;
}
