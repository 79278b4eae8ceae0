import { Command, Option } from 'commander';
import { type Exit, exits } from '../failure.js';
import type { Host } from '../host.js';
import { someOf } from './options.js';

/** What a command does with its arguments, and its options last. Without an exit code, it is done. */
type Work = (host: Host, ...given: never[]) => Promise<Exit> | Promise<void>;

/** The words of the command line, the host of the commands, and the callback for the exit code. */
export interface Running {
  readonly argv: readonly string[];
  readonly host: Host;
  readonly done: (exit: Exit) => void;
}

/** A command of the table of commands, with the kinds of options that several commands have. */
export class TableCommand extends Command {
  constructor(
    name: string | undefined,
    readonly running: Running,
  ) {
    super(name);
  }

  override createCommand(name?: string): TableCommand {
    return new TableCommand(name, this.running);
  }

  /** `load` is called when the command runs: most calls need the code of one command. */
  does(load: () => Promise<Work>): this {
    return this.action(async (...given: unknown[]) => {
      this.#requireValues();
      const work = await load();
      // Commander adds the command itself.
      const exit = await work(this.running.host, ...(given.slice(0, -1) as never[]));
      this.running.done(exit ?? exits.done);
    });
  }

  /** Throws for an empty value, and for an option in place of a value. The input of a worker may be empty. */
  #requireValues(): void {
    const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === '';
    for (const [at, argument] of this.registeredArguments.entries()) {
      const given = [this.processedArgs[at]].flat();
      if (given.length > 0 && given.every(isEmpty) && argument.name() !== 'INPUT')
        this.error(`error: the argument ${argument.name()} is empty`);
    }
    for (const option of this.options) {
      const { flags, long } = option;
      const values: readonly unknown[] = [this.getOptionValue(option.attributeName())].flat();
      if (values.some(isEmpty)) this.error(`error: the value of option '${flags}' is empty`);
      // After `=` it is meant as the value.
      const next = this.running.argv.filter((_, at) => this.running.argv[at - 1] === long);
      const other = this.options.find((one) => values.includes(one.long) && next.includes(one.long ?? ''));
      const hint = `(Did you mean ${long} ${flags.split(' ').at(-1)} ${other?.long}?)`;
      if (other !== undefined) this.error(`error: option '${flags}' argument missing\n${hint}`);
    }
  }

  /** A repeatable option: its values in order, none by default. */
  list(flags: string, description: string): this {
    return this.option(flags, description, (value, before: readonly string[]) => [...before, value], []);
  }

  choice(flags: string, description: string, choices: readonly string[], usual?: string): this {
    return this.addOption(new Option(flags, description).choices(choices).default(usual));
  }

  /** A repeatable option, each value one of these words: no log could match another one. */
  some(flags: string, description: string, words: readonly string[]): this {
    const option = new Option(flags, description).choices(words).argParser(someOf(words));
    return this.addOption(option.default([]));
  }

  json(description = 'print one JSON document on stdout; text for people goes to stderr'): this {
    return this.option('--json', description);
  }

  takesPolicies(): this {
    return this.list('--policy <FILE>', 'policy file (repeatable; default: AMBIT_POLICY)');
  }

  takesToolsets(): this {
    return this.list('--toolset <MODULE>', 'load the toolset in this module (repeatable)');
  }

  takesOpen(): this {
    return this.option('--open', 'accept policies that all have `default: pre_approved`');
  }

  acceptsUnverified(): this {
    return this.option('--unverified', 'accept a log that does not verify; the output still says so');
  }
}
