import { posix } from 'node:path';
import { isUnder } from '@ambit/toolsets';
import type { Kind } from '../files/folder-cache.js';
import { type Entry, joinPath, type Listed } from '../files/listing.js';
import { areNear, type Context } from '../world.js';
import type { Start } from './start.js';

/** A file at or below a start. */
export interface Member {
  /** The real path; it leads through no link. */
  readonly path: string;
  /** The kind of the file; null if an earlier command may have changed it. */
  readonly kind: Kind | null;
  readonly depth: number;
  /** The path as named from the start: the text of the start, a slash, and the rest. */
  readonly text: string;
}

export interface Members {
  readonly start: Start;
  /** Folders before their content. */
  readonly list: readonly Member[];
  /** Whether there may be others; their names and kinds are unknown. */
  readonly open: boolean;
}

interface MemberOptions {
  readonly depth?: number;
  /** Whether a folder is not entered. Not called for files that an earlier command may have created. */
  readonly skip?: (member: Member) => boolean;
}

/** Everything at and below a start that may be there when the command runs; links are not followed. */
export function membersOf(start: Start, context: Context, options: MemberOptions = {}): Members {
  const { real, named, text } = start;
  const { listing, changes } = context.world;
  if (real === null) return { start, list: [], open: true };
  const memberOf = (path: string, kind: Kind | null, depth: number): Member => {
    const rest = path.slice(real === '/' ? 1 : real.length + 1);
    return { path, kind, depth, text: rest === '' ? text : joinPath(text, rest) };
  };
  const { depth = Number.POSITIVE_INFINITY, skip } = options;
  const asked = skip && (({ path, kind, depth: at }: Entry) => skip(memberOf(path, kind, at)));
  const listed = listing.below(real, { depth, ...(asked !== undefined && { skip: asked }) });
  const list = listed.entries.map((entry) => memberOf(entry.path, entry.kind, entry.depth));
  for (const created of changes.created) {
    const above = [real, named].find((folder) => isUnder(created, folder));
    if (above === undefined) continue;
    const path = above === real ? created : real + created.slice(above.length);
    const rest = path
      .slice(real.length)
      .split('/')
      .filter((name) => name !== '');
    if (rest.length <= depth) list.push(memberOf(path, null, rest.length));
  }
  const isChanged = areNear(changes.open, real);
  return { start, list, open: listed.isOpen || isChanged };
}

/** The path of a member by the name of the start, if that leads through a link. */
export function namedPath({ path }: Member, { named, real }: Start): string {
  return real === null || named === real ? path : named + path.slice(real === '/' ? 0 : real.length);
}

/** Whether the last folder has a file where a folder of the others may come, or the other way. */
export function differInKind(ends: readonly string[], found: readonly Listed[]): boolean {
  const names = found.map(({ entries }, at) => {
    const isTarget = at === found.length - 1;
    const start = isTarget ? (ends[at] ?? '/') : posix.dirname(ends[at] ?? '/');
    return entries.map(({ path, kind }) => [posix.relative(start, path), kind === 'folder'] as const);
  });
  const there = new Map(names.pop());
  // A folder with a slash at its end does not come into the target itself.
  return names
    .flat()
    .some(([name, isFolder]) =>
      [name, name.slice(name.indexOf('/') + 1)].some((each) => there.get(each) === !isFolder),
    );
}
