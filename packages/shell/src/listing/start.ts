import { lstatSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { errorCode } from '@ambit/core';
import { isUnder } from '@ambit/toolsets';
import type { Kind } from '../files/folder-cache.js';
import { crossesOwn } from '../files/links.js';
import { isMany, isOpen, textOf, textsIn, underOf, type Word } from '../word.js';
import { type Context, isBehindLink, mayBeRemoved, onlyLink } from '../world.js';

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

/** What words name. `follows`: whether a link that a word names is followed. */
export function startsOf(words: readonly Word[], context: Context, follows: boolean) {
  const named = new Set(words.flatMap(textsIn).filter((text) => text !== ''));
  const unders = words.filter(isOpen).map((word) => {
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

export function startAt(text: string, { folder, world }: Context, follows: boolean): Start {
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
