import type { Capability } from '../capability.js';
import type { NonEmpty } from '../decision.js';
import { isJsonObject, isList, isObject, type Json, type JsonObject } from '../json.js';

/** Many files in place of one path. In memory a set holds its members; logs list large ones in a manifest. */
export interface FileSet {
  /** Canonical paths, sorted, each once. Empty only for an open set. */
  readonly paths: readonly string[];
  /** Whether it may have further members, which are unknown. */
  readonly open?: true;
  /** The folder of every unknown member. Only beside `open`. */
  readonly under?: string;
}

type PathFact = string | (FileSet & { readonly [key: string]: Json });

/** A single file is a plain path. Throws for none. */
export function pathFact(
  paths: Iterable<string>,
  unknown: { readonly open: boolean; readonly under?: string | null } = { open: false },
): PathFact {
  const members = [...new Set(paths)].sort();
  if (!unknown.open) {
    const [only] = members;
    if (only === undefined) throw new TypeError('a closed file set must have at least one member');
    return members.length === 1 ? only : { paths: members };
  }
  const { under = null } = unknown;
  return { paths: members, open: true, ...(under !== null && { under }) };
}

/** Null for a plain path or another value. */
export function fileSetOf(fact: Json | undefined): FileSet | null {
  return isSetLike(fact) && problemOf(fact) === null ? (fact as unknown as FileSet) : null;
}

/** Why an object with `paths` is not a file set; otherwise null. */
export function fileSetProblem(fact: Json | undefined): string | null {
  return isSetLike(fact) ? problemOf(fact) : null;
}

function isSetLike(fact: Json | undefined): fact is JsonObject {
  return isObject(fact) && Object.hasOwn(fact, 'paths');
}

function problemOf({ paths, open, under, ...rest }: JsonObject): string | null {
  const [odd] = Object.keys(rest);
  if (odd !== undefined) return `unknown key \`${odd}\``;
  if (paths === undefined || !isList(paths) || !paths.every((path) => typeof path === 'string'))
    return '`paths` is not a list of texts';
  if (open !== undefined && open !== true) return '`open` is `true`, or left out';
  if (under !== undefined && typeof under !== 'string') return '`under` is not a text';
  if (open === true || (under === undefined && paths.length > 0)) return null;
  return under === undefined
    ? 'a set that is not `open` has at least one path'
    : '`under` goes with `open: true`';
}

/** One capability for each member, and one for the unknown members of an open set. */
export function membersOf(capability: Capability): NonEmpty<Capability> {
  const set = Object.hasOwn(capability, 'path') ? fileSetOf(capability.path) : null;
  if (set === null) return [capability];
  const known = sortedOnce(set.paths).map((path) => ({ ...capability, path }));
  const unknown = set.open === true ? [{ ...capability, path: unknownMember(set) }] : [];
  return [...known, ...unknown] as unknown as NonEmpty<Capability>;
}

/** The members of all capabilities of a list; the list itself if it has no file sets. */
export function membersIn(list: readonly Capability[]): readonly Capability[] {
  return list.some(({ path }) => typeof path === 'object') ? list.flatMap(membersOf) : list;
}

/** A non-canonical `under` is dropped. */
export function unknownMember({ under }: Pick<FileSet, 'under'>): PathFact {
  return { paths: [], open: true, ...(under !== undefined && isCanonicalPath(under) && { under }) };
}

/** Whether a fact is the stand-in for the unknown members of an open set. */
export function isUnknownMember(fact: Json | undefined): fact is { paths: []; open: true; under?: string } {
  const set = fileSetOf(fact);
  return set !== null && set.open === true && set.paths.length === 0;
}

/** Most sets are in order already. */
function sortedOnce(paths: readonly string[]): readonly string[] {
  const isInOrder = paths.every((path, index) => index === 0 || (paths[index - 1] as string) < path);
  return isInOrder ? paths : [...new Set(paths)].sort();
}

/** A plain path, or the known members of a file set. */
export function knownPaths(fact: Json | undefined): readonly string[] {
  return typeof fact === 'string' ? [fact] : (fileSetOf(fact)?.paths ?? []);
}

/** Whether `path` is `folder` or lies in it. Both are canonical; names are compared byte by byte. */
export function isUnder(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return folder === '/' || path.length === folder.length || path[folder.length] === '/';
}

/** A path with the home folder in place of a leading `~`. */
export function fromHome(path: string, home: string): string {
  return /^~(?:\/|$)/.test(path) ? home.replace(/\/$/, '') + path.slice(1) || '/' : path;
}

/** Absolute, without `.`, `..`, empty segments, NUL or a slash at its end. */
export function isCanonicalPath(fact: Json): boolean {
  if (typeof fact !== 'string' || !fact.startsWith('/')) return false;
  return fact === '/' || !/\0|\/\.{0,2}(?:\/|$)/.test(fact);
}

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
