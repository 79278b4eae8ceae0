import type { Capability, JsonObject } from '@ambit/core';
import { capabilitiesOf } from '../filesystem/access.js';
import type { Way } from '../filesystem/follow.js';
import { isInside, type Roots } from '../filesystem/root.js';
import { guardsAt } from '../guarded.js';
import { isUnder, plainPath, segmentsOf } from '../paths.js';
import { wellKnown, wellKnownAt } from '../well-known.js';
import { lookBelow } from './below.js';
import { isBehindLink } from './changes.js';
import type { PathAccess } from './effect.js';
import { followOnce } from './follow-once.js';
import type { Here } from './here.js';
import type { Folder } from './state.js';
import { homeStart, startOf, textOf, type Word, writtenAs } from './word.js';
import { textOfVariable } from './words/lookup.js';

export interface Touch {
  readonly access: PathAccess;
  /** Whether what lies in it is touched too. */
  readonly is_deep?: boolean;
  /** Whether it is only asked whether it is there: that which file it is is not known matters little. */
  readonly is_look?: boolean;
  /** Whether only names are read, not what is in the files. */
  readonly is_listing?: boolean;
  /** What is changed, for `meta`. */
  readonly what?: string;
}

/** Where a path leads from one folder. */
export interface Found {
  readonly named: string;
  readonly real: string | null;
  readonly way: Way | null;
}

/** Reports what touching the files that a word names is. */
export function touch(word: Word, want: Touch, here: Here): void {
  const text = textOf(word);
  if (text === '') return;
  if (text === null) {
    touchUnknown(word, want, here);
    return;
  }
  if (isNothing(text, want)) return;
  const places = placesOf(text, here);
  if (places.length === 0) {
    touchUnknown(word, want, here);
    return;
  }
  for (const place of places) touchPlace(place, want, { text, here });
}

/** Where a path may lead; nowhere where the working folder is not known. */
export function placesOf(text: string, here: Here): readonly Found[] {
  if (text.startsWith(homeStart)) {
    const home = textOfVariable('HOME', here);
    return home === null ? [] : placesOf(`${home}${text.slice(homeStart.length)}`, here);
  }
  if (text.startsWith('/')) return [placeFrom({ named: '/', real: '/' }, text, here)];
  return here.state.folders.map((folder) => placeFrom(folder, text, here));
}

function placeFrom(folder: Folder, text: string, here: Here): Found {
  const named = plainPath(`${folder.named}/${text}`);
  const { changes } = here.walk.world;
  if (folder.real === null || text.length > 4_096 || !here.walk.report.spend(2))
    return { named, real: null, way: null };
  // The parent of a real folder is its parent, whether or not it is there.
  const ups = /^(?:\.\.?(?:\/+|$))*/.exec(text)?.[0] ?? '';
  const start = plainPath(`${folder.real}/${ups}`);
  const rest = `${start}/${text.slice(ups.length)}`;
  const way = throughMissing(rest, here) ?? followOnce(rest, here.walk.world.looks);
  if (isOwn(named) || isOwn(way.real ?? '')) return { named, real: ownPath(named, way), way: null };
  if (way.real === null || isBehindLink(way.real, changes) || isBehindLink(named, changes))
    return { named, real: null, way };
  return { named, real: way.real, way };
}

/** Where `..` after a folder leads that is not there yet: up again, if nothing on the way is a link. Null where that is not asked. */
function throughMissing(path: string, { walk: { world } }: Here): Way | null {
  const segments = segmentsOf(path);
  const ups = segments.flatMap((segment, index) => (segment === '..' ? [index] : []));
  if (ups.length === 0 || ups.length > mostUps) return null;
  const isPlain = ups.every((index) => {
    const folder = plainPath(`/${segments.slice(0, index).join('/')}`);
    const { real } = followOnce(folder, world.looks);
    return real === folder && !isBehindLink(folder, world.changes);
  });
  return isPlain ? followOnce(plainPath(path), world.looks) : null;
}

const mostUps = 20;

/** Whether a path is about the program that looks: another one when the command runs. */
function isOwn(path: string): boolean {
  return /^\/(?:proc\/(?:self|thread-self|\d+)|dev\/fd)(?:\/|$)/.test(path);
}

/** What leads out of there is followed where it leads to the same for every program; its own files are known by name alone. */
function ownPath(named: string, { real }: Way): string | null {
  if (/^\/(?:proc\/[^/]+(?:\/task\/[^/]+)?|dev)\/(?:cwd|exe|fd|map_files)(?:\/|$)/.test(named)) return null;
  return real === null || isOwn(real) ? (isOwn(named) ? named : null) : real;
}

function touchPlace(place: Found, want: Touch, at: { text: string; here: Here }): void {
  reportPlace(place, want, at);
  // After it was looked whether something is there: this command has not made it.
  if (want.access === 'write' || want.access === 'delete') noteWritten(place, want, at.here);
}

function reportPlace(place: Found, want: Touch, { text, here }: { text: string; here: Here }): void {
  const { report, world } = here.walk;
  const { named, real } = place;
  if (!report.isFirst(JSON.stringify([named, real, want])) || !report.spend(10)) return;
  for (const capability of reported(place, want, world.roots, here)) report.add(capability);
  if (real === null) {
    // Where it leads by now is one of the places that it may lead to.
    const now = place.way?.real ?? null;
    if (now !== null)
      for (const capability of reported({ ...place, real: now }, want, world.roots, here))
        report.add(capability);
    touchOutside(want, here);
    report.opaque(text, 'where it leads cannot be known');
  }
  if (want.is_deep === true) touchBelow(place, want, here);
}

function reported(place: Found, want: Touch, roots: Roots, here: Here): readonly Capability[] {
  const { access, what } = want;
  if (access === 'meta') return metaOf(place, what, roots);
  return capabilitiesOf(place, { access, facts: access === 'write' ? factsOf(place, here) : {} }, roots);
}

function metaOf({ named, real }: Found, what: string | undefined, roots: Roots): readonly Capability[] {
  const paths = [...new Set([named, real])].filter((path) => path !== null);
  return paths.flatMap((path) => [
    {
      name: isInside(path, roots) ? 'fs.meta' : 'fs.meta.outside',
      path,
      ...(what !== undefined && { what }),
    },
    ...guardsAt(path, roots.guarded),
  ]);
}

/** What is there may be another file by the time, where earlier commands write. */
function factsOf({ real, way }: Found, here: Here): JsonObject {
  const { written, is_open } = here.walk.world.changes;
  if (real === null || way === null || way.real === null) return {};
  if (way.stat === null) return is_open || written.has(real) ? {} : { exists: false };
  return way.stat.isFile() && way.stat.nlink > 1 ? { exists: true, links: way.stat.nlink } : { exists: true };
}

function noteWritten({ named, real }: Found, { access }: Touch, here: Here): void {
  if (access !== 'write') return;
  const { written } = here.walk.world.changes;
  written.add(real ?? named);
}

/** What lies in a folder: each by its name where it is little; else without a path, so that a rule about one of them is undecided. */
function touchBelow(place: Found, want: Touch, here: Here): void {
  const { report, world } = here.walk;
  const { real } = place;
  const inside = isInside(real ?? place.named, world.roots);
  const name = `fs.${want.access}${inside ? '' : '.outside'}`;
  if (want.access === 'write' || real === null || isBehindLink(`${real}/x`, world.changes)) {
    report.add({ name });
    return;
  }
  const { entries, looked, links, is_whole } = lookBelow(real);
  if (entries === null) report.add({ name });
  if (entries === null && want.access === 'read' && want.is_listing !== true) {
    for (const path of secretsBelow(real, world.roots)) {
      const way = is_whole ? followOnce(path, world.looks) : null;
      if (way === null || way.real === null || way.stat !== null) report.add({ name: 'secret.read', path });
    }
    // Those that are known by their names alone, wherever they lie.
    for (const path of looked)
      for (const secret of wellKnownAt(path, 'secret.read', world.roots.homes)) report.add(secret);
  }
  // Only reading goes through a link; there are places that are full of them.
  const followed = want.access === 'read' && want.is_listing !== true ? links : [];
  if (entries === null && followed.length > mostLinks) touchOutside(want, here);
  for (const entry of entries ?? followed.slice(0, mostLinks)) {
    const way = followed.includes(entry) ? followOnce(entry, world.looks) : null;
    const found: Found = {
      named: place.named + entry.slice(real.length),
      real: way === null ? entry : way.real,
      way,
    };
    for (const capability of reported(found, { access: want.access }, world.roots, here))
      report.add(capability);
  }
}

const mostLinks = 50;

/** Where well-known secrets are that have a place of their own, and lie in a folder. */
function secretsBelow(folder: string, { homes }: Roots): readonly string[] {
  const places = wellKnown
    .filter(({ capability }) => capability === 'secret.read')
    .flatMap((row) => row.places);
  const fixed = places.flatMap((place) => {
    if (place.startsWith('/')) return [fixedStart(place)];
    return homes.map((home) => `${home}/${fixedStart(place.replace(/^(?:~|\*\*)\//, ''))}`);
  });
  const below = fixed.filter((path) => !path.endsWith('/') && isUnder(path, folder));
  return [...new Set(below.map(plainPath))];
}

function fixedStart(place: string): string {
  const segments = segmentsOf(place);
  const end = segments.findIndex((segment) => segment.includes('*'));
  const start = (end === -1 ? segments : segments.slice(0, end)).join('/');
  return place.startsWith('/') ? `/${start}` : start;
}

/** A file that cannot be told: it may be any. */
export function touchUnknown(word: Word, want: Touch, here: Here): void {
  const gaps = word.parts.filter((part) => typeof part !== 'string');
  const isPattern = gaps.length > 0 && gaps.every(({ kind }) => kind === 'glob');
  if (want.access === 'write' || want.access === 'delete') here.walk.world.changes.is_open = true;
  if (isPattern && touchMatched(word, want, here)) return;
  touchOutside(want, here);
  if (isPattern || want.is_look === true) return;
  here.walk.report.opaque(writtenAs(word), 'which file it names is not known');
}

/** Files that a pattern matches lie in the folder before it, but for links that are there. Says whether that folder is known. */
function touchMatched(word: Word, want: Touch, here: Here): boolean {
  const { report, world } = here.walk;
  const start = startOf(word);
  const folder = start.slice(0, start.lastIndexOf('/') + 1);
  const places = placesOf(folder === '' ? '.' : folder, here);
  for (const place of places) {
    const { real } = place;
    // What `find` finds may lie deep below.
    const isDeep = word.parts.some((part) => typeof part !== 'string' && part.text === '{}');
    if (isDeep && real !== null && !isInside(real, world.roots))
      touchBelow(place, { access: want.access }, here);
    const below = real === null || isBehindLink(`${real}/x`, world.changes) ? null : lookBelow(real);
    if (real === null || below === null || !below.is_whole) return false;
    const inside = isInside(real, world.roots);
    report.add({ name: `fs.${want.access}${inside ? '' : '.outside'}` });
    if (below.links.length > 0) touchBelow(place, { access: want.access }, here);
    if (want.access === 'read' && isDeep) {
      for (const path of below.looked.filter((each) => mayBeFound(each, word)))
        for (const secret of wellKnownAt(path, 'secret.read', world.roots.homes)) report.add(secret);
    }
  }
  return places.length > 0;
}

/** Whether `find` may have found a file of this name. */
function mayBeFound(path: string, { parts }: Word): boolean {
  const sought = parts.flatMap((part) =>
    typeof part === 'string' || part.name === undefined ? [] : [part.name],
  );
  const name = path.slice(path.lastIndexOf('/') + 1);
  return sought.every((pattern) => {
    const expression = pattern.replace(/[.+-]/g, '\\$&').replaceAll('?', '.').replace(/\*+/g, '.*');
    return new RegExp(`^${expression}$`, 's').test(name);
  });
}

function touchOutside({ access, what }: Touch, here: Here): void {
  here.walk.report.add({ name: `fs.${access}.outside`, ...(what !== undefined && { what }) });
}

/** Files that only stand for a descriptor of the command, or swallow everything. */
function isNothing(text: string, { access }: Touch): boolean {
  if (access === 'delete' || access === 'meta') return false;
  return text === '/dev/null' || isDescriptor(text);
}

export function isDescriptor(text: string): boolean {
  return /^\/dev\/(?:stdin|stdout|stderr|fd\/\d+)$/.test(text);
}
