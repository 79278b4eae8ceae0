import { type Command, Help, type HelpConfiguration } from 'commander';

/** How help is set: a list that begins empty has no default worth telling, and what all commands have is not repeated. */
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
  ambit log verify RUN                          is the log of that run whole?
  echo '{"tool": "filesystem.read_file", "args": {"path": "a.md"}}' |
    ambit decide --policy policy.yaml           may this call run?

Exit codes: 0 done and nothing wrong, 1 bad news, 2 the call or a file cannot be
used.`;

/** The words that name a command, and the first word that names none where one was wanted. */
export function commandIn(
  argv: readonly string[],
  program: Command,
): { readonly words: readonly string[]; readonly unknown: string | null } {
  const words: string[] = [];
  let command = program;
  for (const word of argv.filter((one) => one !== 'help')) {
    const child = command.commands.find((one) => one.name() === word);
    const isWanted = command.commands.length > 0 && !word.startsWith('-');
    if (child === undefined) return { words, unknown: isWanted ? word : null };
    words.push(word);
    command = child;
  }
  return { words, unknown: null };
}
