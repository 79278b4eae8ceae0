import type { FileSet } from './file-set.js';

/** How many members are named. */
const mostNamed = 3;

/** `1 204 files under /w/src: /w/src/a.ts, /w/src/b.ts, /w/src/c.ts, …, and perhaps others`. Not escaped. */
export function filesInWords({ paths, open, under }: FileSet): string {
  const members = [...new Set(paths)].sort();
  const where = under === undefined ? 'anywhere' : `under ${under}`;
  if (members.length === 0) return `unknown files ${where}`;
  const named = members.slice(0, mostNamed).join(', ');
  const more = members.length > mostNamed ? ', …' : '';
  const others = open === true ? `, and perhaps others ${where}` : '';
  if (members.length === 1) return `${named}${others}`;
  const folder = commonFolder(members);
  const within = folder === null || folder === '/' ? '' : ` under ${folder}`;
  return `${grouped(members.length)} files${within}: ${named}${more}${others}`;
}

/** `1 204`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ' ');
}

/** The deepest folder that all of them lie in; null where they are not all absolute. */
function commonFolder(members: readonly string[]): string | null {
  const [first = '', last = ''] = [members[0], members.at(-1)];
  if (!members.every((path) => path.startsWith('/'))) return null;
  // They are sorted, so what the first and the last have in common, all have.
  let end = 0;
  while (end < first.length && first[end] === last[end]) end += 1;
  const slash = first.lastIndexOf('/', first[end] === undefined ? end : end - 1);
  return slash <= 0 ? '/' : first.slice(0, slash);
}
