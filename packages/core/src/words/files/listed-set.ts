import { isJsonObject, type Json } from '../json.js';
import type { FileSet } from './file-set.js';

/** A file set as logs write a large one: its digest names the manifest with its members. */
export interface ListedSet {
  readonly folder: string;
  readonly count: number;
  /** HMAC-SHA-256 of the members, in hex. */
  readonly digest: string;
  readonly open?: true;
  readonly under?: string;
}

/** Larger sets are written as a `ListedSet`. */
export const mostWritten = 32;

/** Null for another value. */
export function listedSetOf(fact: Json | undefined): ListedSet | null {
  if (!isJsonObject(fact)) return null;
  const { folder, count, digest, open, under, ...rest } = fact;
  if (Object.keys(rest).length > 0 || typeof folder !== 'string' || typeof digest !== 'string') return null;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) return null;
  if (open !== undefined && open !== true) return null;
  if (under !== undefined && (open === undefined || typeof under !== 'string')) return null;
  return fact as unknown as ListedSet;
}

/** Its members must be sorted and distinct. */
export function listedSet(set: FileSet, digest: string): ListedSet & { readonly [key: string]: Json } {
  const { paths, open, under } = set;
  return {
    folder: folderOf(paths) ?? '/',
    count: paths.length,
    digest,
    ...(open !== undefined && { open }),
    ...(under !== undefined && { under }),
  };
}

/** The deepest common folder of sorted paths; null unless all are absolute. */
export function folderOf(paths: readonly string[]): string | null {
  const [first = '', last = ''] = [paths[0], paths.at(-1)];
  if (!paths.every((path) => path.startsWith('/'))) return null;
  // A listing has its start as a member.
  if (paths.length > 1 && paths.every((path) => path === first || path.startsWith(`${first}/`))) return first;
  // They are sorted, so the common prefix of the first and the last is that of all.
  let end = 0;
  while (end < first.length && first[end] === last[end]) end += 1;
  const slash = first.lastIndexOf('/', first[end] === undefined ? end : end - 1);
  return slash <= 0 ? '/' : first.slice(0, slash);
}
