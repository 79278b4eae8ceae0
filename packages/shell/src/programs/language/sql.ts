import { textOf, type Word } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { inFolder } from '../words.js';

/** Commands for `psql` and `mysql`, which reach files or run programs here where they have one of these words. */
export function readSql(written: Word, { folder }: Around): Effects {
  const known = textOf(written);
  if (
    known === null ||
    /[\\`]|\b(?:copy|program|outfile|dumpfile|infile|load\w*|system|source|tee|pager|edit)\b/i.test(known)
  )
    return 'its SQL may reach files and run programs';
  return [{ kind: 'code', language: 'sql', text: known, ...inFolder(folder) }];
}

/** A single `SELECT` for `sqlite3` that calls no function but those that only compute; anything else may write or load. */
export function readSqlite(written: Word): Effects {
  const known = textOf(written) ?? '';
  const statement = /^\s*(?:select|explain\s+select)\b([^;]*);?\s*$/i.exec(known)?.[1];
  const calls = [...(statement ?? '').matchAll(/(\w+)\s*\(/g)].map(([, name = '']) => name.toLowerCase());
  const isRead =
    statement !== undefined && !known.includes('\n.') && calls.every((name) => harmless.has(name));
  return isRead ? [] : 'its SQL may write, load and run';
}

const harmless = new Set(
  'abs avg cast coalesce count date datetime exists group_concat ifnull in instr length like lower max min not nullif printf round strftime substr sum time total trim typeof upper values and or on over from where'.split(
    ' ',
  ),
);
