import { type LineAnswers, lineAnswers } from './commands/calls/decide.js';
import { filterLines, type LineStreams } from './commands/given/filter.js';
import { type Exit, endBadly, exits, sayFailure } from './failure.js';
import type { Host } from './host.js';
import { endPlainly, plainStreams, processHost } from './process-host.js';
import { type QuickCall, quickCall } from './quick-call.js';

export { quickCall };

/** The digest of the full bundle, which caches checked policies. */
declare const AMBIT_BUILD: string;

/** Answers lines beyond this bundle: those with tools to describe, and those under policies that are not cached. */
export type WholeAnswers = (host: Host, options: Options) => Promise<LineAnswers>;
type Options = Extract<QuickCall, { readonly command: 'decide' }>['options'];

/** `ambit decide` without policy reading and call descriptions. False if the full program must read the arguments. */
export function start(argv: readonly string[], whole: WholeAnswers): boolean {
  const call = quickCall(argv);
  if (call?.command !== 'decide') return false;
  process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);
  const host = processHost(AMBIT_BUILD);
  const { options } = call;
  void decideLines({ argv, options, host, streams: plainStreams(host), whole }).then(endPlainly);
  return true;
}

/** Answers the lines like `decide` of the full program. The build calls it to cache compiled code. */
export async function decideLines({
  argv,
  options,
  host,
  streams,
  whole,
}: {
  readonly argv: readonly string[];
  readonly options: Options;
  readonly host: Host;
  readonly streams: LineStreams;
  readonly whole: WholeAnswers;
}): Promise<Exit> {
  try {
    // An error is not reported here: the full program answers, and reports it.
    const quick = await lineAnswers(host, options).catch(() => null);
    let loaded = quick === null ? await whole(host, options) : null;
    const { allUsable } = await filterLines(streams, async (line) => {
      const answer = loaded === null ? await quick?.(line).catch(() => null) : null;
      if (answer != null && !isUnjudged(answer)) return answer;
      loaded ??= await whole(host, options);
      return loaded(line);
    });
    return allUsable ? exits.done : exits.bad;
  } catch (error) {
    return sayFailure(error, { argv, host });
  }
}

/** Thrown if an answer needs more than this bundle. */
function isUnjudged(answer: object): boolean {
  return 'error' in answer && (answer.error as { readonly code: unknown }).code === 'unjudged';
}
