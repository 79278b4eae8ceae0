import type { Capability } from '../capability.js';
import type { NonEmpty } from '../decision.js';
import { isList, isObject, type Json, type JsonObject } from '../json.js';
import { isCanonicalPath } from './canonical-path.js';

/** Many files in place of one path. In memory a set holds its members; logs list large ones in a manifest. */
export interface FileSet {
  /** Canonical paths, sorted, each once. Empty only for an open set. */
  readonly paths: readonly string[];
  /** Whether it may have further members, which are unknown. */
  readonly open?: true;
  /** The folder of every unknown member. Only beside `open`. */
  readonly under?: string;
}

export type PathFact = string | (FileSet & { readonly [key: string]: Json });

/** A single file is a plain path. Throws for none. */
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
