import { Argument, Command, CommanderError, Option } from 'commander';
import type { Given, Command as Spec } from './commands/table/spec.js';
import { table } from './commands/table/table.js';
import { works } from './commands/works.js';
import { type Exit, exits, sayFailure } from './failure.js';
import { examples, helpLooks, usageFailure } from './help.js';
import { type Host, write } from './host.js';
import { version } from './version.js';

/** Never rejects. */
export async function runProgram(argv: readonly string[], host: Host): Promise<Exit> {
  const said = { out: '', err: '' };
  const result: { exit: Exit } = { exit: exits.done };
  const done = (exit: Exit) => {
    result.exit = exit;
  };
  const program = emptyProgram(said);
  addCommands(program, { argv, host, done });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return result.exit;
  } catch (error) {
    await write(host.stdout, said.out);
    if (!(error instanceof CommanderError)) return sayFailure(error, { argv, host });
    if (error.exitCode === 0) return exits.done;
    return sayFailure(usageFailure(error, said.err, { argv, program }), { argv, host });
  }
}

/** Commander neither ends the process nor writes by itself. */
function emptyProgram(said: { out: string; err: string }): Command {
  return (
    new Command('ambit')
      .description('Decides which tool calls of AI agents run, which ask, and which never happen.')
      .version(version)
      .helpCommand(true)
      // Options after the name of a command belong to it: in `hook install CLIENT --policy`, not to `hook`.
      .enablePositionalOptions()
      .addHelpText('after', examples)
      .exitOverride()
      .configureHelp(helpLooks)
      .configureOutput({
        writeOut: (text) => {
          said.out += text;
        },
        writeErr: (text) => {
          said.err += text;
        },
        getOutHasColors: () => false,
        getErrHasColors: () => false,
      })
  );
}

/** The words of the command line, the host of the commands, and the callback for the exit code. */
interface Running {
  readonly argv: readonly string[];
  readonly host: Host;
  readonly done: (exit: Exit) => void;
}

/** Every command of the table, below this one. They inherit how it is configured. */
function addCommands(program: Command, running: Running): void {
  for (const [name, spec] of Object.entries<Spec>(table)) {
    const words = name.split(' ');
    const group = words.slice(0, -1).reduce(childOf, program);
    const command = group
      .command(words.at(-1) ?? '', { isDefault: spec.isDefault === true })
      .description(spec.about);
    for (const [flags, given] of spec.takes ?? [])
      command.addArgument(configured(new Argument(flags, aboutOf(given)), given));
    for (const [flags, given] of Object.entries(spec.options ?? {}))
      command.addOption(configured(new Option(flags, aboutOf(given)), given));
    if (spec.example === undefined) continue;
    command.addHelpText('after', `\nExample: ${spec.example}`);
    const load = works[name as keyof typeof works];
    command.action(async (...given: unknown[]) => {
      requireValues(command, running.argv);
      const work = (await load()) as (host: Host, ...given: unknown[]) => Promise<Exit | undefined>;
      // Commander adds the command itself.
      const exit = await work(running.host, ...given.slice(0, -1));
      running.done(exit ?? exits.done);
    });
  }
}

function childOf(command: Command, word: string): Command {
  return command.commands.find((one) => one.name() === word) as Command;
}

function aboutOf(given: string | Given<unknown>): string {
  return typeof given === 'string' ? given : given.about;
}

function configured<Of extends Option | Argument>(of: Of, given: string | Given<unknown>): Of {
  if (typeof given === 'string') return of;
  const { read, usual, choices, conflicts } = given;
  if (choices !== undefined) of.choices([...choices]);
  if (read !== undefined) of.argParser(read as (text: string, before: unknown) => unknown);
  if (usual !== undefined) of.default(usual);
  if (conflicts !== undefined && of instanceof Option) of.conflicts(conflicts);
  return of;
}

/** Throws for an empty value, and for an option in place of a value. The input of a worker may be empty. */
function requireValues(command: Command, argv: readonly string[]): void {
  const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === '';
  for (const [at, argument] of command.registeredArguments.entries()) {
    const given = [command.processedArgs[at]].flat();
    if (given.length > 0 && given.every(isEmpty) && argument.name() !== 'INPUT')
      command.error(`error: the argument ${argument.name()} is empty`);
  }
  for (const option of command.options) {
    const { flags, long } = option;
    const values: readonly unknown[] = [command.getOptionValue(option.attributeName())].flat();
    if (values.some(isEmpty)) command.error(`error: the value of option '${flags}' is empty`);
    // After `=` it is meant as the value.
    const next = argv.filter((_, at) => argv[at - 1] === long);
    const other = command.options.find((one) => values.includes(one.long) && next.includes(one.long ?? ''));
    const hint = `(Did you mean ${long} ${flags.split(' ').at(-1)} ${other?.long}?)`;
    if (other !== undefined) command.error(`error: option '${flags}' argument missing\n${hint}`);
  }
}
