import {
  flagEntry,
  type OperandEntry,
  type OptionEntry,
  operandEntry,
  optionEntry,
  type Statement,
  statement,
} from './entry.js';
import { type Role, role } from './role.js';
import type { ProgramSpec, ProgramTable } from './spec.js';

/** A program's entry, ready to read words with. */
export interface Program {
  readonly spec: ProgramSpec;
  /** By each spelling, those that hold for subcommands too included. */
  readonly options: ReadonlyMap<string, OptionEntry>;
  /** Options that are any word with this beginning, `-D*`; the longest first. */
  readonly prefixes: readonly OptionEntry[];
  readonly operands: readonly OperandEntry[];
  readonly does: readonly Statement[];
  readonly keys: readonly KeyEntry[];
  /** The entry for a subcommand; null where there is none. */
  command(name: string): Program | null;
  readonly hasCommands: boolean;
  readonly ignored: ReadonlySet<string>;
}

export interface KeyEntry {
  readonly pattern: RegExp;
  readonly roles: readonly Role[];
}

const standardFlags = [flagEntry('--help'), flagEntry('--version')];

const read = new WeakMap<ProgramTable, Map<string, Program | null>>();

/** The entry of a program; null for one that the table does not know. Throws where the entry is not written as it should be. */
export function programOf(table: ProgramTable, name: string): Program | null {
  const programs = read.get(table) ?? new Map<string, Program | null>();
  read.set(table, programs);
  const known = programs.get(name);
  if (known !== undefined) return known;
  const key = [name, name.replace(/-?\d+(?:\.\d+)*$/, '')].find((each) => Object.hasOwn(table, each));
  const spec = key === undefined ? undefined : table[key];
  const program = spec === undefined ? null : compile(resolve(spec, table), null);
  programs.set(name, program);
  return program;
}

/** With what it takes from the entries that it is like. */
export function resolve(spec: ProgramSpec, table: ProgramTable): ProgramSpec {
  if (spec.like === undefined) return spec;
  const other = Object.hasOwn(table, spec.like) ? table[spec.like] : undefined;
  if (other === undefined) throw new Error(`like \`${spec.like}\`, which the table does not know`);
  const base = without(resolve(other, table), new Set(optionsOf(spec).flatMap(({ names }) => names)));
  const commands = { ...base.commands, ...spec.commands };
  return {
    ...base,
    ...spec,
    ...joined('flags', base, spec),
    ...joined('values', base, spec),
    options: { ...base.options, ...spec.options },
    keys: { ...base.keys, ...spec.keys },
    ...(base.commands === undefined && spec.commands === undefined ? {} : { commands }),
  };
}

/** Without options that another entry says anew. */
function without(spec: ProgramSpec, names: ReadonlySet<string>): ProgramSpec {
  const kept = (text: string) =>
    text
      .split(' ')
      .filter((name) => !names.has(name.replace(/(?<=..)\?$/, '')))
      .join(' ');
  const { flags, values, options, ...rest } = spec;
  const left = Object.entries(options ?? {}).map(([text, role]) => [kept(text), role] as const);
  return {
    ...rest,
    ...(flags !== undefined && kept(flags) !== '' && { flags: kept(flags) }),
    ...(values !== undefined && kept(values) !== '' && { values: kept(values) }),
    options: Object.fromEntries(left.filter(([text]) => text !== '')),
  };
}

function joined(key: 'flags' | 'values', base: ProgramSpec, own: ProgramSpec): ProgramSpec {
  const text = [base[key], own[key]].filter((part) => part !== undefined).join(' ');
  return text === '' ? {} : { [key]: text };
}

function compile(spec: ProgramSpec, parent: Program | null): Program {
  const options = new Map<string, OptionEntry>(parent?.spec.isInherited === true ? parent.options : []);
  const prefixes: OptionEntry[] = parent?.spec.isInherited === true ? [...parent.prefixes] : [];
  for (const option of [...standardFlags, ...optionsOf(spec)]) {
    for (const name of option.names) {
      if (name.length > 1 && name.endsWith('*')) prefixes.push({ ...option, names: [name.slice(0, -1)] });
      else options.set(name, option);
    }
  }
  prefixes.sort((a, b) => (b.names[0]?.length ?? 0) - (a.names[0]?.length ?? 0));
  const commands = new Map<string, Program>();
  const program: Program = {
    spec: parent?.spec.isInherited === true ? { ...inheritedBy(parent.spec), ...spec } : spec,
    options,
    prefixes,
    operands: (spec.operands ?? []).map(operandEntry),
    does: (spec.does ?? []).map(statement),
    keys: [...keysOf(spec), ...(parent?.keys ?? [])],
    command: (name) => {
      const key = commandKey(spec.commands ?? {}, name);
      const found = key === null ? undefined : (commands.get(key) ?? spec.commands?.[key]);
      if (key === null || found === undefined) return null;
      const subprogram = 'spec' in found ? found : compile(found, program);
      commands.set(key, subprogram);
      return subprogram;
    },
    hasCommands: spec.commands !== undefined,
    ignored: new Set(spec.ignored?.split(' ') ?? []),
  };
  return program;
}

/** How words are read, which holds for subcommands too. */
function inheritedBy({ isInherited, isDashed, isLoose }: ProgramSpec): ProgramSpec {
  return {
    ...(isInherited !== undefined && { isInherited }),
    ...(isDashed !== undefined && { isDashed }),
    ...(isLoose !== undefined && { isLoose }),
  };
}

function commandKey(commands: Readonly<Record<string, ProgramSpec>>, name: string): string | null {
  const found = Object.keys(commands).find((key) => commandNames(key).includes(name));
  return found ?? (Object.hasOwn(commands, '*') ? '*' : null);
}

/** Several names of a subcommand have `|` between them. */
export function commandNames(key: string): readonly string[] {
  return key.split('|');
}

export function optionsOf({ flags, values, options }: ProgramSpec): readonly OptionEntry[] {
  return [
    ...(flags?.split(' ') ?? []).map(flagEntry),
    ...(values?.split(' ') ?? []).map((name) => optionEntry(name, 'value')),
    ...Object.entries(options ?? {}).map(([names, text]) => optionEntry(names, text)),
  ];
}

export function keysOf({ keys = {} }: ProgramSpec): readonly KeyEntry[] {
  return Object.entries(keys).map(([name, text]) => ({
    pattern: new RegExp(`^(?:${name.split('*').map(escaped).join('.*')})$`, 'is'),
    roles: text.split('+').map((part) => {
      const found = role(part);
      if (found === null) throw new Error(`\`${part}\` is not what a word can be`);
      return found;
    }),
  }));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
