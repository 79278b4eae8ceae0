import { lstatSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { errorCode } from '@ambit/core';
import { isUnder, wellKnownAt } from '@ambit/toolsets';
import type { Kind } from '../files/folder-cache.js';
import { crossesOwn } from '../files/links.js';
import { anyNumber, marks, perhapsNumber, shapeOf, withNumber } from '../number.js';
import { isMany, isOpen, type Names, namesWord, textOf, textsIn, underOf, type Word } from '../word.js';
import { areNear, type Context, isBehindLink, mayBeRemoved, namesIn, onlyLink } from '../world.js';

/** A file or folder that a command line names, where a program may start. */
export interface Start {
  /** The path as named. */
  readonly text: string;
  /** The absolute path, as named. */
  readonly named: string;
  /** The real path; null if unknown. */
  readonly real: string | null;
  /** The kind of the file; null if missing or unknown. */
  readonly kind: Kind | null;
}

type Place = Pick<Context, 'folder' | 'world'>;

/** What words name. `follows`: whether a link that a word names is followed. */
export function startsOf(words: readonly Word[], context: Context, follows: boolean) {
  const all = words.map((word) => {
    const names = isMany(word) ? null : numberedNames(word, context);
    return names === null ? word : namesWord(names);
  });
  const named = new Set(all.flatMap(textsIn).filter((text) => text !== ''));
  const unders = all.filter(isOpen).map((word) => {
    const under = word.kind === 'names' ? underOf(word) : null;
    return under === null ? null : startAt(under, context, true).real;
  });
  return {
    list: [...named].map((text) => {
      const start = startAt(text, context, follows);
      return follows && start.real === null ? startBehindLink(start, context) : start;
    }),
    /** Whether the words may name other files too. */
    open: unders.length > 0,
    /** The real folders of these other files; null for an unknown one. */
    unders,
  };
}

/** The start behind a link that the line makes where nothing was. */
function startBehindLink(start: Start, context: Context): Start {
  const { listing, changes } = context.world;
  const { link, to } = onlyLink([start.named], changes) ?? { link: '', to: null };
  const isNew = listing.kind(link) === null && realOf(link, false) === link;
  if (to === null || !isNew || start.text.includes('..')) return start;
  const { real, kind } = startAt(to + start.named.slice(link.length), context, true);
  return { ...start, real, kind };
}

export function startAt(text: string, { folder, world }: Place, follows: boolean): Start {
  const isAbsolute = text.startsWith('/');
  const named = withoutSlash(posix.normalize(isAbsolute ? text : `${folder.named}/${text}`));
  const isFollowed = follows || /(?:^|\/)\.{0,2}$/.test(text);
  const base = isAbsolute ? '' : folder.real;
  const real = base === null || text.includes('\0') ? null : realOf(`${base}/${text}`, isFollowed);
  const isLost = [named, real].some((path) => path !== null && isBehindLink(path, world.changes, isFollowed));
  // If a link on the path was removed, the path may lead to another folder when the program runs.
  const isRelinked = real !== named && [...world.changes.removed].some((each) => isUnder(named, each));
  if (real === null || isLost || isRelinked) return { text, named, real: null, kind: null };
  return { text, named, real, kind: world.listing.kind(real) };
}

/** Whether words certainly name several files, or a folder; without words it is the folder where it starts. */
export function nameSeveral(words: readonly Word[], context: Context): boolean {
  const single = words.filter((word) => !isMany(word));
  return single.length > 1 || words.length === 0 || single.some((word) => isFolder(word, context));
}

function isFolder(word: Word, context: Context): boolean {
  const text = textOf(word);
  const start = text === null ? null : startAt(text, context, true);
  // An earlier command may have put a file in its place.
  return start?.kind === 'folder' && start.real !== null && !mayBeRemoved(start.real, context.world.changes);
}

/** Whether it is missing, or made by an earlier command of the line, which puts no link in its place or into it. */
export function hasNoLink({ real, kind }: Start, { world: { changes } }: Context): boolean {
  return real !== null && kind === null && ![...changes.links].some((link) => isUnder(link, real));
}

/** Where a link at `end` with this text leads. */
export function ledFrom(end: string, target: string, context: Context): string {
  if (target.startsWith('/')) return target;
  const folder = end.slice(0, end.lastIndexOf('/') + 1);
  const { real } = startAt(folder || '.', context, true);
  const [, up = '', rest = ''] = /^((?:\.{1,2}\/)*)(.*)$/s.exec(target) ?? [];
  return real === null ? folder + target : posix.join(posix.resolve(real, up), '/') + rest;
}

export function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}

/** Null if unknown, and for paths that differ between processes. */
function realOf(path: string, isFollowed: boolean): string | null {
  if (/^\/+(?:proc|dev\/fd)(?:\/|$)/.test(path)) return null;
  const real = isFollowed ? follow(path) : lastUnfollowed(path);
  if (real === null || /^\/proc(?:\/|$)|\uFFFD/.test(real)) return null;
  return real !== posix.normalize(path) && crossesOwn(isFollowed ? path : posix.dirname(path)) ? null : real;
}

function lastUnfollowed(path: string): string | null {
  const above = follow(posix.dirname(path));
  return above === null ? null : posix.join(above, posix.basename(path));
}

/** The real path; of a missing file, the existing part of its path is resolved. */
function follow(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (error) {
    // An existing path without a target is a dangling link.
    const isMissing = errorCode(error) === 'ENOENT';
    const name = posix.basename(path);
    if (!isMissing || name === '..' || lstatSync(path, { throwIfNoEntry: false }) !== undefined) return null;
    const above = follow(posix.dirname(path));
    return above === null ? null : posix.join(above, name);
  }
}

/** The most files that are looked up for one word. */
const mostFound = 10_000;

interface NumberedNames extends Names {
  /** Whether each unknown one that is there was written by the line. */
  readonly isOwn: boolean;
}

/** Other numbers with which a file may run later: `authorized_keys2`, `package.json5`. */
const others = ['2', '5'];

/**
 * The files that a word of texts and numbers may name: all that are there, and examples of others, which are in `under`.
 * Null for other words, and where they may be anywhere.
 */
export function numberedNames(word: Word, context: Place): NumberedNames | null {
  const { folder, world } = context;
  const segments = shapeOf(word)?.split('/') ?? [];
  const first = segments.findIndex((each) => marks.test(each));
  const [start = ''] = segments;
  // Without the number that it begins with, the path may begin at the root folder.
  const isRoot = segments.length > 1 && start.replaceAll(perhapsNumber, '') === '' && start !== '';
  const leads = segments.some((each, at) => at >= first && each.replaceAll(perhapsNumber, '') === '..');
  if (first === -1 || isRoot || leads) return null;
  const under = segments.slice(0, first).join('/') || (first === 0 ? '.' : '/');
  const { real } = startAt(under, context, true);
  // What is there differs from process to process.
  if (real === null || /^\/(?:proc|dev|sys)(?:\/|$)/.test(real)) return null;
  let texts: readonly string[] = [segments.slice(0, first).join('/')];
  let [isOpen, isCut] = [false, false];
  for (const [at, segment] of segments.entries()) {
    if (at < first) continue;
    texts = texts.flatMap((text) => {
      const before = at === 0 ? '' : `${text}/`;
      if (!marks.test(segment)) return [before + segment];
      const there = namesIn(before === '' ? folder : startAt(before, context, true), world);
      isOpen ||= there.isOpen;
      isCut ||= there.isCut;
      const pattern = patternOf(segment);
      const found = there.names.filter((name) => pattern.test(name.normalize()));
      const all = [...new Set([...found, ...examplesOf(segment)])].map((name) => before + name);
      const runsLater = (one: string) => {
        const path = posix.resolve(folder.named, before + withNumber(segment, one));
        return wellKnownAt(path, 'sys.persist', world.roots.homes).length > 0;
      };
      const more = runsLater('1') ? [] : others.filter(runsLater);
      return [...all, ...more.map((one) => before + withNumber(segment, one))];
    });
    if (texts.length > mostFound) return null;
  }
  const { links, open, numbered } = world.changes;
  const mayLead = isCut || links.size > 0 || open.has('/');
  const isOwn = !mayLead && [...open].every((each) => numbered.has(each) || !areNear([each], real));
  return { texts, open: isOpen, isOwn, under: mayLead ? null : under };
}

function examplesOf(segment: string): readonly string[] {
  const isSure = !segment.includes(perhapsNumber);
  return ['1', ...(isSure ? [] : [''])].map((one) => withNumber(segment.replaceAll(anyNumber, '1'), one));
}

/** A file system may take small letters for capital ones, and signs apart from their letters for the same. */
function patternOf(segment: string): RegExp {
  const parts = segment
    .normalize()
    .split(/[\ue001\ue002]/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[-\\d\\s]*')}$`, 'iu');
}
