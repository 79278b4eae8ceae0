import { readdirSync } from 'node:fs';

/** What lies in a folder, as far as it was looked through; links are not followed. */
export interface Below {
  /** All of it where it is little; else null. */
  readonly entries: readonly string[] | null;
  /** What was looked at, in no order. */
  readonly looked: readonly string[];
  /** The links that were found. */
  readonly links: readonly string[];
  /** Whether a name has something in it at which names are told apart. */
  readonly has_blanks: boolean;
  /** Whether everything was looked at. */
  readonly is_whole: boolean;
}

/** The most entries that are named one by one. */
const mostEntries = 64;

/** The most entries that are looked at. */
const mostLooked = 2_000;

export function lookBelow(folder: string): Below {
  const looked: string[] = [];
  const links: string[] = [];
  const pending = [folder];
  let has_blanks = false;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const found = entriesOf(next);
    if (found === null || looked.length + found.length > mostLooked)
      return { entries: null, looked, links, has_blanks: true, is_whole: false };
    for (const entry of found) {
      const path = next === '/' ? `/${entry.name}` : `${next}/${entry.name}`;
      looked.push(path);
      has_blanks ||= /[\s'"\\]/.test(entry.name);
      if (entry.isDirectory()) pending.push(path);
      if (entry.isSymbolicLink()) links.push(path);
    }
  }
  const entries = looked.length > mostEntries ? null : looked;
  return { entries, looked, links, has_blanks, is_whole: true };
}

/** Null where the folder cannot be read; nothing where it is none. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : null;
  }
}
