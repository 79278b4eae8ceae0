import { nearest } from '@ambit/core';
import { type Command, type CommanderError, Help, type HelpConfiguration } from 'commander';
import { UnusableError } from './failure.js';

/** Without empty defaults, and without `[options]` behind each command. */
export const helpLooks: HelpConfiguration = {
  minWidthToWrap: 20,
  subcommandTerm: (command) => plain.subcommandTerm(command).replace(' [options]', ''),
  optionDescription: (option) =>
    Array.isArray(option.defaultValue) && option.defaultValue.length === 0
      ? option.description
      : plain.optionDescription(option),
};

const plain = new Help();

export const examples = `
Examples:
  ambit init                                    write policy.yaml
  ambit check policy.yaml                       is it right?
  ambit test --coverage                         do the suites here pass?
  ambit diff old.yaml policy.yaml               which calls differ?
  ambit show --policy policy.yaml               what runs, what asks, what never
  ambit run --policy policy.yaml orchestrator   run orchestrator.worker
  ambit log verify RUN                          is the log of that run intact?
  echo '{"tool": "filesystem.read_file", "args": {"path": "a.md"}}' |
    ambit decide --policy policy.yaml           may this call run?

Exit codes: 0 success, 1 bad news (a finding, a failed test, a refused line),
2 the command or a file cannot be used.`;

/** Arguments that commander refused, as a failure with a hint. `usage` is what commander printed. */
export function usageFailure(
  { message, code }: CommanderError,
  usage: string,
  { argv, program }: { readonly argv: readonly string[]; readonly program: Command },
): UnusableError {
  const { words, unknown, near, others } = commandIn(argv, program);
  const isLine = code === 'commander.unknownOption' && words[0] === 'explain';
  const help = isLine
    ? "quote a command line with its options: ambit explain 'git push --force'"
    : ['ambit', ...words, '--help'].join(' ');
  // Without a command, or for help on an unknown one, commander prints its help to stderr.
  // A command with a default subcommand reads any other word as its argument.
  if ((message === '(outputHelp)' || code === 'commander.excessArguments') && unknown !== null)
    return new UnusableError(
      `unknown command '${unknown}'`,
      near === null ? (others ?? help) : `did you mean ${near}?`,
    );
  if (message === '(outputHelp)') return new UnusableError(`no command\n\n${usage.trimEnd()}`);
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const similar = suggestion?.match(/^\(Did you mean (?:one of )?(.*)\?\)$/)?.[1];
  return new UnusableError(first, similar === undefined ? help : `did you mean ${similar}?`);
}

/** Of an unknown word: the command that it most likely means, and the commands in its place, below another command. */
function commandIn(argv: readonly string[], program: Command) {
  const words: string[] = [];
  let command = program;
  for (const word of argv.filter((one) => one !== 'help')) {
    const child = command.commands.find((one) => one.name() === word);
    if (child === undefined) {
      const isExpected = command.commands.length > 0 && !word.startsWith('-');
      const names = command.commands.map((one) => one.name());
      const near = nearest(word, isExpected ? names : []);
      const others = command === program ? null : `there are ${names.join(', ')}`;
      return { words, unknown: isExpected ? word : null, near, others };
    }
    words.push(word);
    command = child;
  }
  return { words, unknown: null, near: null, others: null };
}
