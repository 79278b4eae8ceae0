import type { Capability } from '../capability.js';
import type { NonEmpty } from '../decision.js';
import { isJsonObject, isList, type Json } from '../json.js';
import { isCanonicalPath } from './canonical-path.js';

/**
 * Many files in place of one path (`docs/semantics.md`, "Sets of files"). In memory a set always holds its
 * members; the log and `ambit decide` write a large one as a folder, a count and a digest, with its members
 * in a manifest.
 */
export interface FileSet {
  /** Canonical paths, sorted, each once. Empty only for an open set. */
  readonly paths: readonly string[];
  /** Whether it may have further members, which are unknown. */
  readonly open?: true;
  /** The folder of every unknown member. Only beside `open`. */
  readonly under?: string;
}

/** A `path` fact: one file, or a set of them. */
export type PathFact = string | (FileSet & { readonly [key: string]: Json });

/** The shortest fact for these files: a plain path for a single one. Throws for none. */
export function pathFact(
  paths: Iterable<string>,
  unknown: { readonly open: boolean; readonly under?: string | null } = { open: false },
): PathFact {
  const members = [...new Set(paths)].sort();
  if (!unknown.open) {
    const [only] = members;
    if (only === undefined) throw new TypeError('a closed file set has at least one member');
    return members.length === 1 ? only : { paths: members };
  }
  const { under = null } = unknown;
  return { paths: members, open: true, ...(under !== null && { under }) };
}

/** The set of a fact; null for a plain path or another value. */
export function fileSetOf(fact: Json | undefined): FileSet | null {
  if (typeof fact !== 'object' || fact === null || isList(fact) || !Object.hasOwn(fact, 'paths')) return null;
  const { paths, open, under, ...rest } = fact;
  if (Object.keys(rest).length > 0 || paths === undefined || !isList(paths)) return null;
  if (!paths.every((path) => typeof path === 'string')) return null;
  if (open !== undefined && open !== true) return null;
  if (open === undefined && (under !== undefined || paths.length === 0)) return null;
  if (under !== undefined && typeof under !== 'string') return null;
  return fact as unknown as FileSet;
}

/** Why an object with `paths` is not a file set; null if it is one, or has no `paths`. */
export function fileSetProblem(fact: Json | undefined): string | null {
  if (!isJsonObject(fact) || !Object.hasOwn(fact, 'paths') || fileSetOf(fact) !== null) return null;
  const { paths, open, under, ...rest } = fact;
  const [odd] = Object.keys(rest);
  if (odd !== undefined) return `unknown key \`${odd}\``;
  if (paths === undefined || !isList(paths) || !paths.every((path) => typeof path === 'string'))
    return '`paths` is not a list of texts';
  if (open !== undefined && open !== true) return '`open` is `true`, or left out';
  if (under !== undefined && typeof under !== 'string') return '`under` is not a text';
  return open === true || under === undefined
    ? 'a set that is not `open` has at least one path'
    : '`under` goes with `open: true`';
}

/**
 * The capability once for each member, in order and each once, and once more for the unknown members of an
 * open set, with a `path` of `{paths: [], open: true, under?}`. A capability without a set is its only
 * member.
 */
export function membersOf(capability: Capability): NonEmpty<Capability> {
  const set = Object.hasOwn(capability, 'path') ? fileSetOf(capability.path) : null;
  if (set === null) return [capability];
  const known = sortedOnce(set.paths).map((path) => ({ ...capability, path }));
  const unknown = set.open === true ? [{ ...capability, path: unknownMember(set) }] : [];
  return [...known, ...unknown] as unknown as NonEmpty<Capability>;
}

/** The stand-in for the unknown members of an open set. A non-canonical `under` is dropped. */
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
