import type { Effect } from '../effect.js';
import { textOf, type Word } from '../word.js';
import { code } from './languages.js';
import { role } from './role.js';
import { unknown } from './words.js';

/** What a program that finds a variable set does with its value, as a role; several with `+`. */
export type VariableTable = Readonly<Record<string, string>>;

/** What setting the variable can make later programs do. Nothing where the table does not know it. */
export function effectsOfVariable(name: string, value: Word | null, table: VariableTable): readonly Effect[] {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined || (value !== null && textOf(value) === '')) return [];
  return found.split('+').flatMap((text) => ofRole(text, value));
}

function ofRole(text: string, value: Word | null): readonly Effect[] {
  const known = role(text);
  if (known?.kind === 'load') return [{ kind: 'load', word: value ?? unknown('?') }];
  if (known?.kind === 'connect') return [{ kind: 'connect', to: value }];
  return known?.kind === 'code' ? code(known.language, value, null) : [];
}
