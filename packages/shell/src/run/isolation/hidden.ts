import { lstatSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { type Capability, isOpaque, orNull } from '@ambit/core';
import {
  FileError,
  gitSettings,
  isUnder,
  type Roots,
  realPathOf,
  secretStarts,
  wellKnownAt,
} from '@ambit/toolsets';
import { folderCache } from '../../files/folder-cache.js';
import { listingFrom, mostEntries, outermost } from '../../files/listing.js';
import { pathsIn } from './bounds.js';

/** A place that a confined command cannot read. */
export interface Hidden {
  /** Real path. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** The most places that are hidden from one command. */
const mostHidden = 500;

/**
 * The well-known secrets that an opaque command must not read: those of the home folders, the system and the
 * roots, except those that the call carries or changes. Throws if they cannot be hidden. `entered` are
 * folders that stay visible.
 */
export function hiddenFrom(
  described: readonly Capability[],
  { roots, entered }: { readonly roots: Roots; readonly entered: readonly string[] },
): readonly Hidden[] {
  if (!described.some(({ name }) => isOpaque(name))) return [];
  const carried = carriedBy(described);
  if (carried === null) return [];
  const found = [...homeSecrets(roots), ...rootSecrets(roots)].flatMap(realOrNone);
  const folders = [...entered, ...roots.list.map(({ real }) => real)];
  const hidden = outermost(found).flatMap((path) => withoutShown(path, { carried, entered: folders }));
  if (hidden.length > mostHidden)
    throw new FileError(
      `more than ${mostHidden} well-known secrets would have to be hidden from this command: run it in a smaller folder`,
    );
  return hidden;
}

/** The secrets that a call carries, and the files that it changes; null if it may read any. */
function carriedBy(described: readonly Capability[]): readonly string[] | null {
  const secrets = described.filter(({ name }) => name === 'secret.read').map(pathsIn);
  if (secrets.some(({ isAnywhere }) => isAnywhere)) return null;
  const changes = described.filter(({ name }) => /^fs\.(?:write|delete|meta)(?:\.|$)/.test(name));
  return [...secrets, ...changes.map(pathsIn)].flatMap(({ known, under, isAnywhere }) =>
    isAnywhere ? [] : [...known, ...(under === null ? [] : [under])],
  );
}

/** Secrets at fixed places in the homes or the system. */
function homeSecrets({ homes }: Roots): readonly string[] {
  return secretStarts(homes).flatMap((start) => {
    if (wellKnownAt(start, 'secret.read', homes).length > 0) return [start];
    const names = namesIn(start).map((name) => posix.join(start, name));
    return names.filter((path) => wellKnownAt(path, 'secret.read', homes).length > 0);
  });
}

function rootSecrets({ list, homes }: Roots): readonly string[] {
  const listing = listingFrom(folderCache(() => 0));
  return list.flatMap(({ real }) => {
    const { entries } = listing.below(real);
    if (entries.length >= mostEntries)
      throw new FileError(`the secrets in a root of more than ${mostEntries} files cannot be hidden`);
    // Git does nothing without its settings.
    const others = entries.filter(({ path }) => !gitSettings.test(path));
    return others.flatMap(({ path }) => (wellKnownAt(path, 'secret.read', homes).length > 0 ? path : []));
  });
}

/** The part of a place that is hidden: no carried secret, and no folder that holds one or is entered. */
function withoutShown(
  path: string,
  shown: { readonly carried: readonly string[]; readonly entered: readonly string[] },
): readonly Hidden[] {
  if (shown.carried.includes(path)) return [];
  const kind = kindOf(path);
  if (kind === null) return [];
  const isEntered = [...shown.carried, ...shown.entered].some((one) => isUnder(one, path));
  if (kind === 'file' || !isEntered) return [{ path, kind }];
  return namesIn(path).flatMap((name) => withoutShown(posix.join(path, name), shown));
}

function kindOf(path: string): Hidden['kind'] | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSymbolicLink()) return null;
  return stat.isDirectory() ? 'folder' : 'file';
}

function namesIn(folder: string): readonly string[] {
  return orNull(() => readdirSync(folder)) ?? [];
}

function realOrNone(path: string): readonly string[] {
  const isMissing = () => lstatSync(path, { throwIfNoEntry: false }) === undefined;
  return orNull(() => (isMissing() ? [] : [realPathOf(path)])) ?? [];
}
