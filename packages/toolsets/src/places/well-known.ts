import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { type Capability, remembered } from '@ambit/core';
import { segmentsOf } from './paths.js';
import { isInPlace, originalsOf, type PlacePattern, placePattern } from './place-pattern.js';
import { holdsPublicTextOnly } from './public-content.js';
import { type WellKnownPlace, wellKnown } from './well-known-places.js';

/** Besides reading or writing. `isThere`: whether there is a file, such as one beside which another one is secret. */
export function wellKnownAt(
  path: string,
  capability: WellKnownPlace['capability'],
  homes: readonly string[],
  isThere: (path: string) => boolean = existsSync,
): readonly Capability[] {
  // `secret.read` says which secret by its path; several rows about one path are one secret.
  if (capability === 'secret.read')
    return originalsOf(path).some((each) => rowsAt(each, capability, { homes, isThere }).length > 0)
      ? [{ name: capability, path }]
      : [];
  return rowsAt(path, capability, { homes, isThere }).map(({ what }) => ({ name: capability, what, path }));
}

function rowsAt(
  path: string,
  capability: WellKnownPlace['capability'],
  { homes, isThere }: { readonly homes: readonly string[]; readonly isThere: (path: string) => boolean },
): readonly Row[] {
  const places = candidates(path).filter(({ row }) => row.capability === capability);
  if (places.length === 0) return [];
  const names = segmentsOf(path);
  const homeNames = homes.map(segmentsOf);
  const isIn = (place: PlacePattern) => isInPlace(names, place, homeNames);
  const touched = new Set(places.filter(({ place }) => isIn(place)).map(({ row }) => row));
  const isBeside = ({ beside }: Row) => beside === undefined || isThere(posix.join(path, '..', beside));
  return rows.filter((row) => touched.has(row) && !row.except.some(isIn) && isBeside(row));
}

/**
 * A file in which git keeps contents. The groups are the folder of the repository, and the id with a slash; a pack has many
 * contents.
 */
export const gitObject =
  /^(.*)\/objects\/(?:pack\/(?:[^/]+\.pack|tmp_pack_[^/]+)|([\da-f]{2}\/(?:[\da-f]{38}|[\da-f]{62})))$/s;

/** By name; the content of a few kinds shows that they hold none. An object of git may be any file. */
export function secretsAt(
  path: string,
  homes: readonly string[],
  isThere?: (path: string) => boolean,
): readonly Capability[] {
  if (gitObject.test(path)) return [{ name: 'secret.read', path }];
  const found = wellKnownAt(path, 'secret.read', homes, isThere);
  return found.length > 0 && holdsPublicTextOnly(path) ? [] : found;
}

/** Paths of secrets in the system or these homes, up to the first wildcard. */
export function secretStarts(homes: readonly string[]): readonly string[] {
  const places = wellKnown
    .filter(({ capability }) => capability === 'secret.read')
    .flatMap((row) => row.places);
  const starts = places.flatMap((place) => {
    if (place.startsWith('/')) return [startOf(place)];
    return homes.map((home) => `${home === '/' ? '' : home}${startOf(place.replace(/^(?:~|\*\*)/, ''))}`);
  });
  return [...new Set(starts)].filter(
    (start) => start !== '' && !/^\/(?:proc|dev)(?:\/|$)|\/\.git\//.test(start),
  );
}

function startOf(place: string): string {
  const segments = segmentsOf(place);
  const end = segments.findIndex((segment) => segment.includes('*'));
  return (end === -1 ? segments : segments.slice(0, end)).map((segment) => `/${segment}`).join('');
}

interface Row {
  readonly capability: WellKnownPlace['capability'];
  readonly what: string;
  readonly except: readonly PlacePattern[];
  readonly beside?: string;
}

interface Candidate {
  readonly row: Row;
  readonly place: PlacePattern;
}

const rows: readonly Row[] = wellKnown.map(({ except = [], ...row }) => ({
  ...row,
  except: except.map(placePattern),
}));

const byKey: ReadonlyMap<string, readonly Candidate[]> = indexed();

function indexed(): ReadonlyMap<string, readonly Candidate[]> {
  const index = new Map<string, Candidate[]>();
  wellKnown.forEach(({ places }, at) => {
    for (const text of places) {
      const names = segmentsOf(text).filter((name) => name !== '~' && name !== '**');
      const key = keyOf(names.findLast((name) => !name.includes('*')) ?? names.at(-1) ?? '');
      remembered(index, key, () => []).push({ row: rows[at] as Row, place: placePattern(text) });
    }
  });
  return index;
}

/** A literal name; for a pattern its suffix from the last dot or underscore, otherwise its prefix. */
function keyOf(pattern: string): string {
  const text = pattern.toLowerCase();
  if (!text.includes('*')) return text;
  const key = text.startsWith('*') ? endKey(text) : startKey(text);
  if (key.slice(1, -1).includes('*') || key.length < 2) throw new TypeError(`no key for \`${pattern}\``);
  return key;
}

function endKey(text: string): string {
  return `*${text.slice(Math.max(text.lastIndexOf('.'), text.lastIndexOf('_')))}`;
}

function startKey(text: string): string {
  return `${text.slice(0, 5)}*`;
}

/** Places that the names of the path and its folders may be in. */
function candidates(path: string): readonly Candidate[] {
  const slash = path.lastIndexOf('/');
  const lower = path.slice(slash + 1).toLowerCase();
  const folder = path.slice(0, Math.max(0, slash));
  if (inFolders.size >= 4_096) inFolders.clear();
  const found = folder === '' ? [] : [...remembered(inFolders, folder, () => candidates(folder))];
  for (const key of [lower, endKey(lower), startKey(lower)]) found.push(...(byKey.get(key) ?? []));
  return found;
}

const inFolders = new Map<string, readonly Candidate[]>();
