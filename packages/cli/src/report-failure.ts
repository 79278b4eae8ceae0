import { type Command, CommanderError } from 'commander';
import { failureOf } from './failure.js';
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
      ? usageFailure(error, { usage, help: helpFor(argv, program) })
      : failureOf(error);
  // Loaded here, so that nothing else waits for it.
  const { sayFailure } = await import('./say-failure.js');
  await sayFailure(error, said, { argv, host });
}

/** What says more about the command that was meant. */
function helpFor(argv: readonly string[], program: Command): string {
  const words = ['ambit'];
  let command: Command | undefined = program;
  for (const word of argv) {
    command = command.commands.find((child) => child.name() === word);
    if (command === undefined) break;
    words.push(word);
  }
  return [...words, '--help'].join(' ');
}

function usageFailure(
  { message }: CommanderError,
  { usage, help }: { readonly usage: string; readonly help: string },
) {
  // Without a command, commander prints the help where errors go.
  if (message === '(outputHelp)') return { message: `no command\n\n${usage.trimEnd()}`, hint: null };
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const near = suggestion?.match(/^\(Did you mean (?:one of )?(.*)\?\)$/)?.[1];
  return { message: first, hint: near === undefined ? help : `did you mean ${near}?` };
}
