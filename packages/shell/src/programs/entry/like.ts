import { commandNames, optionsOf } from './entry.js';
import type { ProgramSpec, ProgramTable } from './spec.js';

/** An entry with everything that it inherits by `like`. Throws if one of those entries is missing. */
export function resolve(spec: ProgramSpec, table: ProgramTable, depth = 0): ProgramSpec {
  if (spec.like === undefined) return spec;
  const other = depth > 10 ? null : entryOf(spec.like, table);
  if (other === null) throw new Error(`like \`${spec.like}\`, which the table does not have`);
  const names = new Set(optionsOf(spec).flatMap((option) => option.names));
  const base = without(resolve(other, table, depth + 1), names);
  const commands = { ...base.commands, ...spec.commands };
  return {
    ...base,
    ...spec,
    ...joinWords('flags', base, spec),
    ...joinWords('values', base, spec),
    options: { ...base.options, ...spec.options },
    keys: { ...base.keys, ...spec.keys },
    ...(base.commands === undefined && spec.commands === undefined ? {} : { commands }),
  };
}

/** The entry with this name; `git diff` names a subcommand. */
function entryOf(name: string, table: ProgramTable): ProgramSpec | null {
  if (Object.hasOwn(table, name)) return table[name] ?? null;
  const space = name.lastIndexOf(' ');
  const { commands = {} } = (space === -1 ? null : entryOf(name.slice(0, space), table)) ?? {};
  const key = Object.keys(commands).find((each) => commandNames(each).includes(name.slice(space + 1)));
  return key === undefined ? null : (commands[key] ?? null);
}

/** The inherited options, without those that the entry redefines. */
function without(spec: ProgramSpec, names: ReadonlySet<string>): ProgramSpec {
  const kept = (text: string) =>
    text
      .split(' ')
      .filter((name) => !names.has(name.replace(/(?<=..)\?$/, '')))
      .join(' ');
  const { flags = '', values = '', options, ...rest } = spec;
  const left = Object.entries(options ?? {}).map(([text, role]) => [kept(text), role] as const);
  return {
    ...rest,
    ...(kept(flags) !== '' && { flags: kept(flags) }),
    ...(kept(values) !== '' && { values: kept(values) }),
    options: Object.fromEntries(left.filter(([text]) => text !== '')),
  };
}

function joinWords(key: 'flags' | 'values', base: ProgramSpec, own: ProgramSpec): ProgramSpec {
  const text = [base[key], own[key]].filter((part) => part !== undefined).join(' ');
  return text === '' ? {} : { [key]: text };
}
