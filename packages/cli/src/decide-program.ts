import { parseArgs } from 'node:util';
import { decide } from './commands/calls/decide.js';
import type { JudgeOptions } from './commands/given/line-judge.js';
import { type Exit, endBadly, sayFailure } from './failure.js';
import type { Host } from './host.js';
import { endWith, processHost } from './process-host.js';

/** `ambit decide` alone, bundled so that it starts quickly. False if the whole program has to read the arguments. */
export function start(argv: readonly string[]): boolean {
  const options = plainOptions(argv);
  if (options === null) return false;
  process.on('uncaughtException', endBadly).on('unhandledRejection', endBadly);
  void runDecide({ argv, options }, processHost()).then(endWith);
  return true;
}

type DecideOptions = JudgeOptions & { readonly open: boolean };

/** The options of `decide`; null for any other arguments, which the whole program reads and explains. */
export function plainOptions([command, ...args]: readonly string[]): DecideOptions | null {
  if (command !== 'decide') return null;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        policy: { type: 'string', multiple: true },
        root: { type: 'string' },
        open: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
    const { policy = [], root = '.', open = false } = values;
    return { policy, root, open };
  } catch {
    return null;
  }
}

export async function runDecide(
  { argv, options }: { readonly argv: readonly string[]; readonly options: DecideOptions },
  host: Host,
): Promise<Exit> {
  try {
    return await decide(host, options);
  } catch (error) {
    return sayFailure(error, { argv, host });
  }
}
