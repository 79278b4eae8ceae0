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

/** One line for each command; the help of a command shows its own. */
const lines = [
  'ambit init --preset ci',
  'ambit check policy.yaml writer.worker',
  'ambit diff old.yaml policy.yaml --fail-on looser',
  'ambit prove writer orchestrator policy.yaml',
  'ambit test --coverage',
  'ambit show --policy policy.yaml --worker claude-code',
  'ambit trust policy.yaml',
  'ambit schema policy > policy.schema.json',
  'ambit toolset check ./index.js --execute',
  'ambit toolset describe ./index.js --write',
  `echo '{"tool": "shell.run", "args": {"command": "ls"}}' |\n  ambit decide --policy policy.yaml`,
  `echo '{"tool": "shell.run", "args": {"command": "ls"}}' |\n  ambit capabilities`,
  "ambit explain --policy policy.yaml 'cat .env'",
  "ambit run writer.worker 'Say hello' --policy policy.yaml",
  'ambit chat writer.worker --policy policy.yaml',
  'ambit runs list',
  'ambit runs show RUN',
  'ambit runs forget --older 30',
  'ambit approvals list',
  'ambit approvals show ID',
  'ambit approvals approve ID --keep run --reach folder',
  "ambit approvals deny ID --note 'use the copy'",
  'ambit approvals kept',
  'ambit approvals revoke ID',
  'ambit log tail RUN --follow',
  'ambit log show CALL --log RUN',
  'ambit log verify RUN --key key.pub --redecide',
  'ambit log prove RUN --head > head-of-monday',
  'ambit log key > key.pub',
  'ambit log query RUN --decision blocked --since 1h',
  'ambit log stats RUN --load',
  'ambit log export RUN --format csv > calls.csv',
  'ambit report RUN --out report.html',
  'ambit learn RUN --policy policy.yaml',
  'ambit replay RUN --policy new.yaml --fail-on looser',
  'ambit hook install claude-code --dry-run',
  'ambit hook uninstall claude-code',
  'ambit doctor codex',
  'ambit import claude-code > policy.yaml',
  'ambit compile codex --policy policy.yaml',
  'ambit gateway --name files -- npx some-server .',
  'ambit gateway pins list',
  'ambit gateway pins accept SERVER',
  'ambit completion bash',
];

/** The example of a command, given by its words (`log verify`), to stand after its help. */
export function exampleOf(words: string): string {
  const line = lines.find((each) => `${each} `.includes(`ambit ${words} `));
  return line === undefined ? '' : `\nExample: ${line}`;
}

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
