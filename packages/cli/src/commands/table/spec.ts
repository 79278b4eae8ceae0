import type { NonEmpty } from '@ambit/core';
import type { Exit } from '../../failure.js';
import type { Host } from '../../host.js';

/** An option or an argument whose value is more than a text or a flag. */
export interface Given<Value> {
  readonly about: string;
  /** Reads one value; `before` is what the values before it made. Throws `InvalidArgumentError`. */
  readonly read?: (text: string, before: never) => Value;
  /** Without it, the value may be absent. */
  readonly usual?: Value;
  readonly choices?: readonly string[];
  /** The name of an option that may not be given, too. */
  readonly conflicts?: string;
}

/** Options by their flags (`-n, --lines <N>`). A description alone is for a text, or for a flag. */
type Options = Readonly<Record<string, string | Given<unknown>>>;

export interface Command {
  readonly about: string;
  /** Its arguments in order: `<FILE...>` is required, `[FILE]` is not. */
  readonly takes?: readonly (readonly [string, string | Given<unknown>])[];
  readonly options?: Options;
  /** A command without an example is the name of a group. */
  readonly example?: string;
  /** Whether the name of its group alone means it. */
  readonly isDefault?: true;
}

/** Commands by their words: `log verify`. A group stands before its commands. */
export type Table = Readonly<Record<string, Command>>;

/** A repeatable option: its values in order. */
export function list(about: string): Given<readonly string[]> {
  return { about, read: (text, before: readonly string[]) => [...before, text], usual: [] };
}

export function choice<const Word extends string>(
  about: string,
  choices: readonly Word[],
): Given<Word | undefined>;
export function choice<const Word extends string>(
  about: string,
  choices: readonly Word[],
  usual: Word,
): Given<Word>;
export function choice(about: string, choices: readonly string[], usual?: string): Given<unknown> {
  return { about, choices, usual };
}

export function read<Value>(about: string, reader: (text: string) => Value): Given<Value | undefined>;
export function read<Value>(about: string, reader: (text: string) => Value, usual: Value): Given<Value>;
export function read(about: string, reader: (text: string) => unknown, usual?: unknown): Given<unknown> {
  return { about, read: reader, usual };
}

/** Of `--no-NAME`: false if it is given. */
export function off<Value extends boolean = boolean>(about: string): Given<Value> {
  return { about };
}

export const json = {
  '--json': 'print one JSON document on stdout; text for people goes to stderr',
} as const;
export const policies = { '--policy <FILE>': list('policy file (repeatable; default: AMBIT_POLICY)') };
export const toolsets = { '--toolset <MODULE>': list('load the toolset in this module (repeatable)') };
export const open = { '--open': 'accept policies that all have `default: pre_approved`' } as const;
export const unverified = {
  '--unverified': 'accept a log that does not verify; the output still says so',
} as const;

type Camel<Words extends string> = Words extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Words;
type NameOf<Flags extends string> = Flags extends `${string}--no-${infer Long}`
  ? Camel<Long>
  : Flags extends `${string}--${infer Long} <${string}`
    ? Camel<Long>
    : Flags extends `${string}--${infer Long}`
      ? Camel<Long>
      : never;

type OptionValue<Flags, Of> =
  Of extends Given<infer Value>
    ? Value
    : Flags extends `${string}<${string}`
      ? string | undefined
      : boolean | undefined;
type ArgumentValue<Flags, Of> =
  Of extends Given<infer Value>
    ? Flags extends `<${string}`
      ? Exclude<Value, undefined>
      : Value
    : Flags extends `<${string}...>`
      ? NonEmpty<string>
      : Flags extends `[${string}...]`
        ? readonly string[]
        : Flags extends `<${string}`
          ? string
          : string | undefined;

/** Members that may be undefined may be absent. */
type WithOptional<All> = {
  readonly [Key in keyof All as undefined extends All[Key] ? Key : never]?: Exclude<All[Key], undefined>;
} & { readonly [Key in keyof All as undefined extends All[Key] ? never : Key]: All[Key] };

/** What the work of a command gets: its options by their names in code. */
export type OptionsIn<Of extends Command> = Of extends { readonly options: infer All extends Options }
  ? WithOptional<{ [Flags in keyof All & string as NameOf<Flags>]: OptionValue<Flags, All[Flags]> }>
  : object;

type ArgumentsIn<Of extends Command> = Of extends { readonly takes: infer All extends readonly unknown[] }
  ? {
      [Index in keyof All]: All[Index] extends readonly [infer Flags, infer Given]
        ? ArgumentValue<Flags, Given>
        : never;
    }
  : [];

/** Does what a command says. Without an exit code, it is done. */
export type Work<Of extends Command> = (
  host: Host,
  ...given: [...ArgumentsIn<Of>, OptionsIn<Of>]
) => Promise<Exit> | Promise<void>;
