import { type Command, CommanderError } from 'commander';
import { failureOf } from './failure.js';
import { commandIn } from './help.js';
import type { Host } from './host.js';

/** Says what went wrong; of arguments that commander did not take, what would say more. */
export async function reportFailure(
  error: unknown,
  usage: string,
  {
    argv,
    host,
    program,
  }: { readonly argv: readonly string[]; readonly host: Host; readonly program: Command },
): Promise<void> {
  const said =
    error instanceof CommanderError
      ? usageFailure(error, { usage, ...commandIn(argv, program) })
      : failureOf(error);
  // Loaded here, so that nothing else waits for it.
  const { sayFailure } = await import('./say-failure.js');
  await sayFailure(error, said, { argv, host });
}

function usageFailure(
  { message }: CommanderError,
  { usage, words, unknown }: ReturnType<typeof commandIn> & { readonly usage: string },
) {
  const help = ['ambit', ...words, '--help'].join(' ');
  // Asked for help on what is no command, or without any command, commander prints its help where errors go.
  if (message === '(outputHelp)' && unknown !== null)
    return { message: `unknown command '${unknown}'`, hint: help };
  if (message === '(outputHelp)') return { message: `no command\n\n${usage.trimEnd()}`, hint: null };
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const near = suggestion?.match(/^\(Did you mean (?:one of )?(.*)\?\)$/)?.[1];
  return { message: first, hint: near === undefined ? help : `did you mean ${near}?` };
}
