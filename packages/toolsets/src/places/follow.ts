import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { errorCode, orNull } from '@ambit/core';
import { entryNameOf } from './entry-name.js';
import { segmentsOf } from './paths.js';

export type Way =
  | {
      readonly real: string;
      /** Null if missing. */
      readonly stat: Stats | null;
      /** Outermost first. */
      readonly missing: readonly string[];
      /** Whether the path's own last name is a link. */
      readonly ends_in_link: boolean;
    }
  | { readonly real: null; readonly why: NoWay };

export type NoWay =
  | 'a loop of links'
  | 'a link to a folder that does not exist'
  | 'a name that is not UTF-8'
  | 'a file where a folder is expected'
  | 'a name that is too long'
  | 'permission denied'
  | 'an error of the system';

/** As many as the kernel follows. */
const mostLinks = 40;

/** Reads links, and opens nothing. `..` has the system's meaning. Synchronous: a thread for each name takes longer. */
export function followNow(path: string): Way {
  return followIn(path, system);
}

export interface Looker {
  readonly stat: (path: string) => { readonly stat: Stats | null } | { readonly why: NoWay };
  /** Null if the target is not UTF-8, or is gone. */
  readonly target: (link: string) => string | null;
  readonly name: (path: string, stat: Stats) => string;
}

const system: Looker = {
  stat: lookNow,
  target: (link) => asText(orNull(() => readlinkSync(link, { encoding: 'buffer' }))),
  name: entryNameOf,
};

export function followIn(path: string, look: Looker): Way {
  let real = '/';
  let pending = [...segmentsOf(path)];
  let links = 0;
  let endsInLink = false;
  const top = look.stat('/');
  let stat = 'why' in top ? null : top.stat;
  for (let segment = pending.shift(); segment !== undefined; segment = pending.shift()) {
    if (segment === '.') continue;
    // `real` holds no link: its parent is the parent.
    const next = segment === '..' ? posix.dirname(real) : posix.join(real, segment);
    const looked = look.stat(next);
    if ('why' in looked) return { real: null, why: looked.why };
    stat = looked.stat;
    if (stat === null) return nothingAt(next, pending, endsInLink);
    if (!stat.isSymbolicLink()) {
      if (pending.length > 0 && !stat.isDirectory())
        return { real: null, why: 'a file where a folder is expected' };
      real = posix.join(posix.dirname(next), look.name(next, stat));
      continue;
    }
    links += 1;
    if (links > mostLinks) return { real: null, why: 'a loop of links' };
    endsInLink ||= pending.length === 0;
    const target = look.target(next);
    if (target === null) return { real: null, why: 'a name that is not UTF-8' };
    if (target.startsWith('/')) real = '/';
    pending = [...segmentsOf(target), ...pending];
  }
  return { real, stat, missing: [], ends_in_link: endsInLink };
}

function nothingAt(first: string, pending: readonly string[], endsInLink: boolean): Way {
  // As in the system, `..` of a missing folder is an error.
  if (pending.includes('..')) return { real: null, why: 'a link to a folder that does not exist' };
  const rest = pending.filter((segment) => segment !== '.');
  const places = [first, ...rest.map((_, index) => posix.join(first, ...rest.slice(0, index + 1)))];
  return {
    real: places[places.length - 1] ?? first,
    stat: null,
    missing: places.slice(0, -1),
    ends_in_link: endsInLink,
  };
}

function lookNow(path: string): ReturnType<Looker['stat']> {
  try {
    return { stat: lstatSync(path, { throwIfNoEntry: false }) ?? null };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { stat: null };
    if (code === 'EACCES' || code === 'EPERM') return { why: 'permission denied' };
    if (code === 'ENAMETOOLONG') return { why: 'a name that is too long' };
    return { why: code === 'ENOTDIR' ? 'a file where a folder is expected' : 'an error of the system' };
  }
}

function asText(bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : null;
}
