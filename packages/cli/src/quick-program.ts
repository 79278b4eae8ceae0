import type { AnswerOptions } from './commands/hook/answer.js';
import type { WholeAnswers } from './decide-program.js';
import { type Exit, endBadly, sayFailure } from './failure.js';
import type { Host } from './host.js';
import { endWith, processHost } from './process-host.js';
import { quickCall } from './quick-call.js';

declare const AMBIT_BUILD: string;

/** `ambit hook`, in one bundle. False for arguments that the whole program must read. */
export function start(argv: readonly string[]): boolean {
  if (quickCall(argv)?.command !== 'hook') return false;
  process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);
  void runHook(argv, processHost(AMBIT_BUILD)).then(endWith);
  return true;
}

export const loadJudge: AnswerOptions['judge'] = () => import('./commands/hook/judge-here.js');

/** For `decide-program.ts`, which cannot read policies or describe calls. */
export const wholeAnswers: WholeAnswers = async (host, options) =>
  (await import('./commands/calls/decide.js')).lineAnswers(host, options);

/** The build calls it to cache compiled code. */
export async function runHook(argv: readonly string[], host: Host): Promise<Exit> {
  try {
    const call = quickCall(argv);
    if (call?.command !== 'hook') throw new Error('not a call of a hook');
    const { answer, stayResident } = await import('./commands/hook/answer.js');
    const options = { ...call.options, judge: loadJudge };
    return call.client === null
      ? await stayResident(host, options)
      : await answer(host, call.client, options);
  } catch (error) {
    return sayFailure(error, { argv, host });
  }
}
