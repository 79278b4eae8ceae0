import type { FileSet } from './file-set.js';
import { folderOf, type ListedSet } from './listed-set.js';

/** The number of named members. */
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
  return `${countInWords(members.length, folderOf(members))}: ${named}${more}${others}`;
}

/** `1 204 files under /w/src, and perhaps others`, for a set without its members. Not escaped. */
export function listedInWords({ folder, count, open, under }: ListedSet): string {
  const where = under === undefined ? 'anywhere' : `under ${under}`;
  return `${countInWords(count, folder)}${open === true ? `, and perhaps others ${where}` : ''}`;
}

function countInWords(count: number, folder: string | null): string {
  return `${grouped(count)} files${folder === null || folder === '/' ? '' : ` under ${folder}`}`;
}

/** `1 204`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ' ');
}
