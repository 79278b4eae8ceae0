import { ownMember, remembered } from '@ambit/core';
import type { DefinedBy } from '../world.js';
import {
  commandNames,
  flagEntry,
  type KeyEntry,
  keysOf,
  type OperandEntry,
  type OptionEntry,
  operandEntry,
  optionsOf,
  type Print,
  printsOf,
  type Statement,
  standardFlags,
  statement,
} from './entry/entry.js';
import { resolve } from './entry/like.js';
import type { ProgramSpec, ProgramTable } from './entry/spec.js';

export interface Program {
  readonly spec: ProgramSpec;
  /** By each spelling, including inherited ones. */
  readonly options: ReadonlyMap<string, OptionEntry>;
  /** Options that are any word with this prefix, `-D*`; the longest first. */
  readonly prefixes: readonly OptionEntry[];
  readonly operands: readonly OperandEntry[];
  readonly does: readonly Statement[];
  /** Says that it is opaque; null for a program that is not. */
  readonly opaque: Statement | null;
  readonly prints: readonly Print[];
  readonly keys: readonly KeyEntry[];
  /** The entry for a subcommand; null if there is none. */
  command(name: string): Program | null;
  readonly hasCommands: boolean;
  readonly ignored: ReadonlySet<string>;
}

const compiled = new WeakMap<ProgramTable, Map<string, Program | null>>();

/** The entry of a program; null for an unknown one. Throws if the entry is malformed. */
export function programOf(table: ProgramTable, name: string): Program | null {
  return remembered(
    remembered(compiled, table, () => new Map()),
    name,
    () => {
      const spec = specOf(table, name);
      return spec === null ? null : compile(resolve(spec, table), null, table);
    },
  );
}

/** Finds it by name, or for `python3.11` and `gcc-12` by the name before the version. */
function specOf(table: ProgramTable, name: string): ProgramSpec | null {
  if (Object.hasOwn(table, name)) return table[name] ?? null;
  const base = name.replace(/-?\d+(?:\.\d+)*$/, '');
  const spec = ownMember(table, base);
  return spec?.versioned === true ? spec : null;
}

function compile(spec: ProgramSpec, parent: Program | null, table: ProgramTable): Program {
  const above = parent?.spec.inherits === true ? parent : null;
  const options = new Map<string, OptionEntry>(above?.options ?? []);
  const prefixes: OptionEntry[] = [...(above?.prefixes ?? [])];
  for (const option of [...(parent === null ? standardFlags.map(flagEntry) : []), ...optionsOf(spec)]) {
    for (const name of option.names) {
      if (name.length > 1 && name.endsWith('*')) prefixes.push({ ...option, names: [name.slice(0, -1)] });
      else options.set(name, option);
    }
  }
  prefixes.sort((a, b) => (b.names[0]?.length ?? 0) - (a.names[0]?.length ?? 0));
  const commands = new Map<string, Program>();
  const program: Program = {
    spec: above === null ? spec : { ...inherited(above.spec), ...spec },
    options,
    prefixes,
    operands: (spec.operands ?? []).map(operandEntry),
    does: (spec.does ?? []).map(statement),
    opaque: spec.opaque === undefined ? null : statement(`opaque:${spec.opaque}`),
    prints: printsOf(spec),
    keys: [...keysOf(spec), ...(parent?.keys ?? [])],
    command: (name) => {
      const key = commandKey(spec.commands ?? {}, name);
      const found = key === null ? undefined : spec.commands?.[key];
      if (key === null || found === undefined) return null;
      return remembered(commands, key, () => compile(resolve(found, table), program, table));
    },
    hasCommands: spec.commands !== undefined,
    ignored: new Set(spec.ignored?.split(' ') ?? []),
  };
  return program;
}

/** How words are read. Subcommands inherit it. */
function inherited({ dashed }: ProgramSpec): ProgramSpec {
  return { inherits: true, ...(dashed !== undefined && { dashed }) };
}

function commandKey(commands: Readonly<Record<string, ProgramSpec>>, name: string): string | null {
  const found = Object.keys(commands).find((key) => commandNames(key).includes(name));
  return found ?? (Object.hasOwn(commands, '*') ? '*' : null);
}

/** What defines an entry and those that it goes on to, as `python` does to `pytest` in `python -m pytest`. */
export function joinedDefinitions([first, ...others]: readonly DefinedBy[]): DefinedBy | undefined {
  return others.reduce<DefinedBy | undefined>((all, each) => {
    const keys = ['options', 'packages', 'modules'] as const;
    const names = keys.map((key) => [key, [all?.[key] ?? [], each[key] ?? []].flat().join(' ')] as const);
    const more = Object.fromEntries(names.filter(([, joined]) => joined !== ''));
    return { files: `${all?.files} ${each.files}`, ...more };
  }, first);
}
