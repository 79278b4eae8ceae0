import { type LineAnswers, lineAnswers } from './commands/calls/decide.js';
import { filterLines, type LineStreams } from './commands/given/filter.js';
import { type Exit, endBadly, exits, sayFailure } from './failure.js';
import type { Host } from './host.js';
import { endPlainly, plainStreams, processHost } from './process-host.js';
import { type QuickCall, quickCall } from './quick-call.js';

export { quickCall };

/** The digest of the bundle that has all that this lacks, and keeps the checked forms of policies. */
declare const AMBIT_BUILD: string;

/** What answers the lines that this bundle cannot: those of tools that have to be described, and of policies that have no kept form. */
export type WholeAnswers = (host: Host, options: Options) => Promise<LineAnswers>;
type Options = Extract<QuickCall, { readonly command: 'decide' }>['options'];

/** `ambit decide` alone, without what reads policies and describes calls. False if the whole program has to read the arguments. */
export function start(argv: readonly string[], whole: WholeAnswers): boolean {
  const call = quickCall(argv);
  if (call?.command !== 'decide') return false;
  process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);
  const host = processHost(AMBIT_BUILD);
  const { options } = call;
  void decideLines({ argv, options, host, streams: plainStreams(host), whole }).then(endPlainly);
  return true;
}

/** Answers the lines as `decide` of the whole program does. */
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
    // What goes wrong here says nothing: the whole answers, and says what is wrong.
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

/** So says an answer that needed what this bundle lacks. */
function isUnjudged(answer: object): boolean {
  return 'error' in answer && (answer.error as { readonly code: unknown }).code === 'unjudged';
}
