import { textOf, type Word, writtenAs } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { file } from './make-effect.js';

/** A single `SELECT` for `sqlite3` that calls only computing functions; anything else may write or load. */
export function readSqlite(written: Word): Effects {
  const known = textOf(written) ?? '';
  const statement = /^\s*(?:select|explain\s+select)\b([^;]*);?\s*$/i.exec(known)?.[1];
  const calls = [...(statement ?? '').matchAll(/(\w+)\s*\(/g)].map(([, name = '']) => name.toLowerCase());
  const isRead =
    statement !== undefined &&
    !/\n\.|["`[\]]|\/\*|--/.test(known) &&
    calls.every((name) => harmless.has(name));
  return isRead ? [] : 'its SQL may write, load and run';
}

const harmless = new Set(
  'abs avg cast coalesce count date datetime exists group_concat ifnull in instr length like lower max min not nullif printf round strftime substr sum time total trim typeof upper values and or on over from where'.split(
    ' ',
  ),
);

/** A database of `sqlite3`, with the files that it keeps beside it. */
export function readSqliteFile(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null || /^file:/i.test(known)) return `which file \`${writtenAs(written)}\` is`;
  if (known === '' || known === ':memory:') return [];
  const beside = ['-journal', '-wal', '-shm'].map((end) => known + end);
  return [
    file('read', known, around),
    ...[known, ...beside].map((name) => file('write', name, around)),
    ...beside.map((name) => file('delete', name, around)),
  ];
}
