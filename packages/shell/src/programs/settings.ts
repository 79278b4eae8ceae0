import { realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { foldersUp, fromHome, isJsonObject, matchesWildcards, orNull } from '@ambit/core';
import { isUnder, readPlain } from '@ambit/toolsets';
import type { Effect } from '../effect.js';
import { isOpen, text, textsIn, type Word } from '../word.js';
import { areNear, type Context, mayDiffer, mayHaveChangedBelow, type World } from '../world.js';
import type { ProgramSpec } from './entry/spec.js';

/** Files that a program reads by itself if they exist: `data`, or `options`, which may be any option. */
export function ofSettings(
  { settings = {} }: ProgramSpec,
  context: Context,
  operands: readonly Word[] = [],
): readonly Effect[] {
  const found = new Set<string>();
  /** A folder above may be the home. The first entry that names a file counts. */
  const isFound = (path: string | null) => path !== null && (found.has(path) || !found.add(path));
  return Object.entries(settings).flatMap(([written, kind]): readonly Effect[] =>
    placesOf(written, context, operands)
      .filter((path) => mayBeNamed(path, kind, context) && !isFound(path))
      .flatMap((path) => ofFile(path, kind, { written, world: context.world })),
  );
}

/** `options of NAMES`: only a file or folder with one of these names before its first point. */
function mayBeNamed(path: string | null, kind: string, { folder: { real } }: Context): boolean {
  const names = /^options of (.+)$/.exec(kind)?.[1]?.split(' ');
  if (names === undefined || path === null || real === null) return true;
  return names.includes(/^[^./]*/.exec(posix.relative(real, path))?.[0] ?? '');
}

/** `path` is null if the program's folder is unknown. */
function ofFile(
  path: string | null,
  kind: string,
  { written, world }: { readonly written: string; readonly world: World },
): readonly Effect[] {
  if (path !== null && !mayBeNew(path, world) && world.listing.kind(path) === null) return [];
  const read: Effect = { kind: 'path', access: 'read', word: text(path ?? written), by: 'program' };
  const manifests = kind === workspaces && path !== null ? plainManifests(path, world) : null;
  if (manifests !== null) return [read, ...manifests.map((each): Effect => ({ ...read, word: text(each) }))];
  const [, how, names = ''] = /^options (if|unless) (.+)$/.exec(kind) ?? [];
  const isHarmless = how === 'if' ? lacksKeys : how === 'unless' ? setsOnly : () => kind === 'data';
  if (path === null ? kind === 'data' : isHarmless(path, names, world)) return [read];
  const isNamed = path !== null || !written.includes('*');
  return [
    ...(isNamed ? [read] : []),
    { kind: 'opaque', why: `\`${written.replace('^/', '')}\` may hold options for it` },
  ];
}

function placesOf(
  written: string,
  { folder, world }: Context,
  operands: readonly Word[],
): readonly (string | null)[] {
  const { real } = folder;
  const atHome = written.startsWith('~/') ? fromHome(written, world.home) : null;
  if (atHome?.includes('*')) return namesLike(posix.basename(atHome), posix.dirname(atHome), world);
  if (atHome !== null) return [atHome];
  if (real === null) return [null];
  if (written.includes('*'))
    return [...new Set(written.split(' ').flatMap((each) => namesLike(each, real, world)))];
  if (!written.startsWith('^/')) return [posix.join(real, written)];
  const named = operands.flatMap(textsIn).map((each) => posix.resolve(real, each));
  const places = new Set<string | null>(operands.some(isOpen) ? [null] : []);
  for (const start of [real, ...named.flatMap((each) => [each, orNull(() => realpathSync(each)) ?? each])])
    for (const at of foldersUp(start)) places.add(posix.join(at, written.slice(2)));
  return [...places];
}

/** Files of a folder or, where the pattern begins with a folder, of each folder in it. New names count as well. */
function namesLike(written: string, real: string, { listing, changes }: World): readonly (string | null)[] {
  const { length: depth, [depth - 1]: pattern = '' } = written.split('/');
  const { entries, isOpen: isUnsure } = listing.below(real, { depth });
  const isLost = areNear([...changes.open, ...changes.links], real);
  const links = entries.flatMap(({ kind, path, depth: at }) => (kind === 'link' && at < depth ? [path] : []));
  const created = [...changes.created].filter((path) => isUnder(path, real));
  const found = [...entries.map(({ path }) => path), ...created].filter(
    (path) =>
      posix.relative(real, path).split('/').length === depth &&
      matchesWildcards(pattern, posix.basename(path)),
  );
  return [...links, ...found, ...(isUnsure || isLost ? [null] : [])];
}

/** Whether an earlier command of the line may have created it. */
function mayBeNew(path: string, { changes }: World): boolean {
  return [...changes.created, ...changes.open, ...changes.links].some((each) => isUnder(path, each));
}

/** Whether the file certainly is a JSON object without these keys, or of another kind and without these texts. */
export function lacksKeys(path: string, keys: string, world: World): boolean {
  const written = textOfFile(path, world);
  if (written === null) return false;
  const hasText = (names: string) => new RegExp(`\\\\|${names.replaceAll('*', '')}`, 'i').test(written);
  if (!path.endsWith('.json')) return !hasText(keys);
  const value = orNull(() => JSON.parse(written) as unknown);
  if (!isJsonObject(value)) return false;
  return keys.split('|').every((key) => (key.startsWith('*') ? !hasText(key) : !Object.hasOwn(value, key)));
}

const workspaces = 'options by workspaces';

/** The manifests of a project's workspaces if each certainly is a JSON object and no link; otherwise null. */
function plainManifests(path: string, world: World): readonly string[] | null {
  if (lacksKeys(path, 'workspaces', world)) return [];
  const value = orNull(() => JSON.parse(textOfFile(path, world) ?? '') as unknown);
  if (!isJsonObject(value) || !Array.isArray(value.workspaces)) return null;
  const found = value.workspaces.map((each) => manifestsIn(posix.dirname(path), each, world));
  const isPlain = (manifest: string) =>
    world.listing.kind(manifest) === 'file' && lacksKeys(manifest, 'workspaces', world);
  return found.every((each) => each.length > 0 && each.every(isPlain)) ? found.flat() : null;
}

/** The manifests of `DIR` or `DIR/*`. Empty for any other pattern, for a folder without them, and for links among the folders. */
function manifestsIn(root: string, pattern: unknown, { listing, changes }: World): readonly string[] {
  const written = typeof pattern === 'string' ? pattern : '';
  const [, named, each] = /^(?:\.\/)?([\w@-][\w@.-]*(?:\/[\w@-][\w@.-]*)*)(\/\*)?\/?$/.exec(written) ?? [];
  const folder = posix.join(root, named ?? '');
  const isFolder = orNull(() => realpathSync(folder)) === folder && listing.kind(folder) === 'folder';
  if (named === undefined || !isFolder || mayHaveChangedBelow(folder, changes)) return [];
  const { entries, isOpen: isUnsure } = listing.below(folder, { depth: 1 });
  if (each !== undefined && (isUnsure || entries.some(({ kind }) => kind === 'link'))) return [];
  const folders = each === undefined ? [{ path: folder }] : entries;
  return folders
    .map((entry) => posix.join(entry.path, 'package.json'))
    .filter((entry) => listing.kind(entry) !== null);
}

/** Whether each line of the file certainly is empty, a comment, or a setting `NAME=value` with one of these names. */
function setsOnly(path: string, names: string, world: World): boolean {
  const isOne = (key: string) => names.split(' ').some((name) => matchesWildcards(name, key));
  const lines = textOfFile(path, world)
    ?.split(/[\r\n]+/)
    .map((line) => line.trim());
  return lines?.every((line) => /^(?:[#;]|$)/.test(line) || isOne(line.replace(/\s*=.*/, ''))) === true;
}

/** Null if an earlier command of the line may have changed it. */
function textOfFile(path: string, world: World): string | null {
  const isUnsure = mayBeNew(path, world) || mayDiffer(path, world.changes);
  return isUnsure ? null : orNull(() => readPlain(path, mostBytes).toString('utf8'));
}

const mostBytes = 1_000_000;
