import type { Effect } from '../effect.js';
import { textOf, type Word } from '../word.js';
import { code } from './languages.js';
import { role } from './role.js';
import { unknown } from './words.js';

/** What programs do with a variable's value, as a role, by its names; `*` is any text in a name. */
export type VariableTable = Readonly<Record<string, string>>;

/** What setting the variable can make later programs do. Nothing where the table does not know it, or where it is emptied. */
export function effectsOfVariable(name: string, value: Word | null, table: VariableTable): readonly Effect[] {
  const found = meaningOf(name, table);
  if (found === null || (value !== null && textOf(value) === '')) return [];
  const known = role(found);
  if (known === null) return [];
  const subject = value ?? unknown(`$${name}`);
  if (known.kind === 'load') return [{ kind: 'load', word: subject }];
  if (known.kind === 'connect') return [{ kind: 'connect', to: value }];
  if (known.kind === 'run') return [{ kind: 'run', words: [subject] }];
  if (known.kind === 'path') return [{ kind: 'path', access: known.access, word: subject }];
  return known.kind === 'code' ? code(known.language, value, null) : [];
}

const read = new WeakMap<
  VariableTable,
  { readonly names: Map<string, string>; readonly patterns: [RegExp, string][] }
>();

function meaningOf(name: string, table: VariableTable): string | null {
  const known = read.get(table) ?? namesOf(table);
  read.set(table, known);
  return known.names.get(name) ?? known.patterns.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

function namesOf(table: VariableTable) {
  const names = new Map<string, string>();
  const patterns: [RegExp, string][] = [];
  for (const [key, meaning] of Object.entries(table)) {
    for (const name of key.split(' ')) {
      if (name.includes('*')) patterns.push([new RegExp(`^${name.replaceAll('*', '\\w*')}`), meaning]);
      else names.set(name, meaning);
    }
  }
  return { names, patterns };
}
