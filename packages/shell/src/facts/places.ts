import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import { orNull, remembered } from '@ambit/core';
import { followNow, isUnder, plainPath, segmentsOf, type Way } from '@ambit/toolsets';
import type { PathEffect } from '../effect.js';
import { crossesOwn, isOwn, stepsOf } from '../files/links.js';
import { textOf, type Word } from '../word.js';
import {
  type Changes,
  countOf,
  type Folder,
  isBehindLink,
  mayHaveChanged,
  onlyLink,
  type World,
} from '../world.js';

/** The target of a path, from one folder. */
export interface Found {
  /** Absolute, as named. */
  readonly named: string;
  /** With all links resolved; null if unknown. */
  readonly real: string | null;
  /** The real parent folder and the last name, so a link itself; null if unknown. */
  readonly entry: string | null;
  /** The possible targets of links that the line may have replaced. */
  readonly passed: readonly string[];
  /** The kind of the file; null if it is missing or unknown. */
  readonly stat: Extract<Way, { real: string }>['stat'];
}

/** The longest path that the system accepts. */
const longest = 4_096;

/** The most links of the line that are followed one after the other. */
export const mostLinks = 8;

/** The folder in which an effect takes place; null if unknown. */
export function startOf(
  { folder: word }: { readonly folder?: Word },
  folder: Folder,
  world: World,
): Folder | null {
  if (word === undefined) return folder;
  const known = textOf(word);
  return known === null ? null : folderNamed(known, folder, world);
}

/** The target of a path that a program opens. `left`: how many links that the line makes are followed. */
export function placeOf(path: string, folder: Folder, world: World, left = 0): Found {
  const named = plainPath(path.startsWith('/') ? path : `${folder.named}/${path}`);
  const start = path.startsWith('/') ? '' : folder.real;
  const nowhere = { named, real: null, entry: null, passed: [], stat: null };
  if (start === null || path.length > longest || path.includes('\0')) return nowhere;
  const asked = `${start}/${path}`;
  if (leavesLink(asked, world.changes)) return nowhere;
  if (isOwn(named) || isOwn(plainPath(asked))) return nowhere;
  const way = follow(asked, world);
  if (way.real === null || isOwn(way.real)) return nowhere;
  if (isBehindLink(way.real, world.changes) || isBehindLink(named, world.changes))
    return (way.real === plainPath(asked) ? placeBehindLink(named, way.real, world, left) : null) ?? nowhere;
  const passed = passedBy(asked, way.real, world.changes);
  return { named, real: way.real, entry: entryOf(asked, way, world), passed, stat: way.stat };
}

/** The place behind a link that the line makes. The link may be missing, or replaced. Null if its target is unknown. */
function placeBehindLink(named: string, path: string, world: World, left: number): Found | null {
  const { link, to } = onlyLink([path, named], world.changes) ?? { link: '', to: null };
  if (left === 0 || to === null || !isUnder(path, link)) return null;
  const target = placeOf(to + path.slice(link.length), { named: '/', real: '/' }, world, left - 1);
  if (target.real === null) return null;
  const passed = [path, target.named, ...(target.entry === null ? [] : [target.entry]), ...target.passed];
  return { ...target, named, entry: path === link ? path : target.entry, passed };
}

/** Where the links of a path led when the line began, and may not lead any more. */
function passedBy(path: string, real: string, changes: Changes): readonly string[] {
  if (countOf(changes) === 0 || real === plainPath(path)) return [];
  const passed = [...stepsOf(path)]
    .filter(({ rest }) => !rest.includes('..'))
    .map(({ at, rest }) => posix.join(at, ...rest));
  return [...new Set(passed)].filter((each) => each !== real && mayHaveChanged(each, changes));
}

function entryOf(path: string, way: Extract<Way, { real: string }>, world: World): string | null {
  if (!way.ends_in_link) return way.real;
  const plain = path.replace(/\/+$/, '');
  const above = follow(posix.dirname(plain), world);
  return above.real === null ? null : posix.join(above.real, posix.basename(plain));
}

/** The folder or file with this name in a folder. */
export function folderNamed(name: string, folder: Folder, world: World): Folder {
  const { named, real } = placeOf(name, folder, world);
  return { named, real };
}

/** Results for one line, by its listing. */
const looks = new WeakMap<World['listing'], Map<string, Way>>();

/** The target of a path in the file system now. Each path is resolved once for a line. */
function follow(path: string, world: World): Way {
  const plain = throughMissing(path, world);
  const known = remembered(looks, world.listing, () => new Map());
  return remembered(known, plain, () => inItsFolder(plain, world) ?? wayOf(plain));
}

/** Resolves the parent folder once for all its files. Null if that is not enough. */
function inItsFolder(path: string, world: World): Way | null {
  const plain = plainPath(path);
  if (process.platform !== 'linux' || plain === '/' || /\/\.{0,2}$|\/\.\.\//.test(path)) return null;
  const above = follow(posix.dirname(plain), world);
  if (above.real === null) return null;
  const real = posix.join(above.real, posix.basename(plain));
  // No path exists below a file, or below a missing folder, unless an earlier command creates a folder there.
  if (above.stat?.isDirectory() !== true) return { real, stat: null, missing: [], ends_in_link: false };
  return orNull(() => {
    const stat = lstatSync(real, { throwIfNoEntry: false }) ?? null;
    return stat?.isSymbolicLink() === true ? null : { real, stat, missing: [], ends_in_link: false };
  });
}

/** A path through `/proc` of one process leads elsewhere for another. */
function wayOf(plain: string): Way {
  const way = followNow(plain);
  // Without a link on the way, it leads through no other place.
  if (way.real === plainPath(plain)) return way;
  return way.real !== null && crossesOwn(plain) ? { real: null, why: 'an error of the system' } : way;
}

/** Resolves `..` after a missing folder as its parent, because an earlier command may create the folder. */
function throughMissing(path: string, { changes }: World): string {
  if (!segmentsOf(path).includes('..') || followNow(path).real !== null) return path;
  const plain = plainPath(path);
  const isMade = [...changes.created].some((made) =>
    isUnder(plainPath(path.slice(0, path.lastIndexOf('..'))), made),
  );
  return isMade ? plain : path;
}

/** Whether a `..` of the path follows a possible new link, so it leads out of an unknown folder. */
function leavesLink(path: string, changes: Changes): boolean {
  if (changes.links.size === 0) return false;
  const segments = segmentsOf(path);
  return segments.some(
    (segment, at) =>
      segment === '..' && isBehindLink(plainPath(`/${segments.slice(0, at).join('/')}`), changes),
  );
}

/**
 * Files that discard all data, or that stand for a descriptor in the direction in which it was opened. The other way, the
 * file behind the descriptor is opened anew: `echo x <a >/dev/stdin` writes `a`.
 */
export function isNothing(text: string, want: Pick<PathEffect, 'access'> & Partial<PathEffect>): boolean {
  const { access, by, mayLink } = want;
  if (access === 'delete' || access === 'meta') return false;
  // What may put a link there replaces the file. An archive is opened instead.
  if (access === 'write' && mayLink === true && by === 'program') return false;
  if (text === '/dev/null') return true;
  // The root folder is always there.
  if (text === '/' && want.isLook === true) return true;
  const isOutput = /^\/dev\/(?:stdout|stderr|fd\/[12])$/.test(text);
  if (access === 'write') return isOutput;
  // Zeros and random numbers hold nothing of the machine.
  if (access === 'read') return isStandardInput(text) || /^\/dev\/(?:zero|urandom|random)$/.test(text);
  return isOutput || isStandardInput(text);
}

export function isStandardInput(text: string): boolean {
  return /^\/dev\/(?:stdin|fd\/0)$/.test(text);
}
