import { type FileSet, folderOf, type ListedSet } from './file-set.js';

const mostNamed = 3;

/** `1 204 files under /w/src: /w/src/a.ts, …, and perhaps others`; `first` members first. Not escaped. */
export function filesInWords({ paths, open, under }: FileSet, first: readonly string[] = []): string {
  const members = [...new Set(paths)].sort();
  const where = under === undefined ? 'anywhere' : `under ${under}`;
  if (members.length === 0) return `unknown files ${where}`;
  const named = membersNamed(members, first).join(', ');
  const more = members.length > mostNamed ? ', …' : '';
  const others = open === true ? `, and perhaps others ${where}` : '';
  if (members.length === 1) return `${named}${others}`;
  return `${countInWords(members.length, folderOf(members))}: ${named}${more}${others}`;
}

/** The members that words name: those that are `first`, then the others in order. */
function membersNamed(paths: readonly string[], first: readonly string[]): readonly string[] {
  const before = first.filter((path) => paths.includes(path)).slice(0, mostNamed);
  const after = paths.slice(0, mostNamed + before.length).filter((path) => !before.includes(path));
  return [...before, ...after].slice(0, mostNamed);
}

/** `1 204 files under /w/src, and perhaps others`. Not escaped. */
export function listedInWords({ folder, count, open, under }: ListedSet): string {
  const where = under === undefined ? 'anywhere' : `under ${under}`;
  return `${countInWords(count, folder)}${open === true ? `, and perhaps others ${where}` : ''}`;
}

function countInWords(count: number, folder: string | null): string {
  return `${withSpaces(count)} files${folder === null || folder === '/' ? '' : ` under ${folder}`}`;
}

/** `1 204`. */
export function withSpaces(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ' ');
}
