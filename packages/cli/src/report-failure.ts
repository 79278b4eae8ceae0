import { type Command, CommanderError } from 'commander';
import { failureOf, UnloadableError } from './failure.js';
import { type Host, write } from './host.js';
import { jsonText } from './json-text.js';

/** Says on stderr what went wrong, and as a document where one is asked for. */
export async function reportFailure(
  error: unknown,
  usage: string,
  {
    argv,
    host,
    program,
  }: { readonly argv: readonly string[]; readonly host: Host; readonly program: Command },
): Promise<void> {
  const { message, hint } =
    error instanceof CommanderError
      ? usageFailure(error, { usage, help: helpFor(argv, program) })
      : failureOf(error);
  const diagnostics = error instanceof UnloadableError ? { diagnostics: error.diagnostics } : {};
  if (argv.includes('--json'))
    await write(host.stdout, `${jsonText({ error: { message, hint, ...diagnostics } })}\n`);
  // Loaded here, so that nothing else waits for it.
  const { failureText } = await import('./failure-text.js');
  await write(host.stderr, failureText(error, { message, hint }));
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
