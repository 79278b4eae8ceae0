import type { AnswerOptions } from './commands/hook/answer.js';
import type { WholeAnswers } from './decide-program.js';
import { type Exit, endBadly, sayFailure } from './failure.js';
import type { Host } from './host.js';
import { endWith, processHost } from './process-host.js';
import { type QuickCall, quickCall } from './quick-call.js';

export { quickCall } from './quick-call.js';

declare const AMBIT_BUILD: string;

/** `ambit decide` and `ambit hook CLIENT`, in one bundle. False for arguments that the whole program must read. */
export function start(argv: readonly string[]): boolean {
  const call = quickCall(argv);
  if (call === null) return false;
  process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);
  void runQuick({ argv, call }, processHost(AMBIT_BUILD)).then(endWith);
  return true;
}

export const loadJudge: AnswerOptions['judge'] = () => import('./commands/hook/judge-here.js');

/** For `decide-program.ts`, which cannot read policies or describe calls. */
export const wholeAnswers: WholeAnswers = async (host, options) =>
  (await import('./commands/calls/decide.js')).lineAnswers(host, options);

export async function runQuick(
  { argv, call }: { readonly argv: readonly string[]; readonly call: QuickCall },
  host: Host,
): Promise<Exit> {
  try {
    if (call.command === 'decide')
      return await (await import('./commands/calls/decide.js')).decide(host, call.options);
    const { answer, stayResident } = await import('./commands/hook/answer.js');
    const { client } = call;
    const options = { ...call.options, judge: loadJudge };
    return client === null ? await stayResident(host, options) : await answer(host, client, options);
  } catch (error) {
    return sayFailure(error, { argv, host });
  }
}
