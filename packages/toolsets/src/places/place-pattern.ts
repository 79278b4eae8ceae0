import { matchesWildcards } from '@ambit/core';
import { segmentsOf } from './paths.js';

/** A place of the table, prepared for comparison. */
export interface PlacePattern {
  readonly in_home: boolean;
  readonly segments: readonly Segment[];
}

type Segment = '**' | ((name: string) => boolean);

/** Reads a pattern: segments with `*`, `**` for any folders, `~` for a home. Not for foreign patterns. */
export function placePattern(text: string): PlacePattern {
  const in_home = text.startsWith('~/');
  return { in_home, segments: segmentsOf(in_home ? text.slice(1) : text).map(segmentOf) };
}

/** Whether a canonical path, in segments, lies in such a place. */
export function isInPlace(
  path: readonly string[],
  { in_home, segments }: PlacePattern,
  homes: readonly (readonly string[])[],
): boolean {
  if (!in_home) return matches(path, 0, { segments, at: 0 });
  return homes.some(
    (home) =>
      home.every((name, index) => path[index] === name) && matches(path, home.length, { segments, at: 0 }),
  );
}

function matches(
  path: readonly string[],
  start: number,
  { segments, at }: { readonly segments: readonly Segment[]; readonly at: number },
): boolean {
  const segment = segments[at];
  if (segment === undefined) return path.length === start;
  const rest = { segments, at: at + 1 };
  if (segment !== '**') {
    const name = path[start];
    return name !== undefined && segment(name) && matches(path, start + 1, rest);
  }
  if (rest.at === segments.length) return path.length >= start;
  for (let index = start; index < path.length; index += 1) if (matches(path, index, rest)) return true;
  return false;
}

/** Ignores case: some file systems do, and `SERVER.PEM` is a key on all of them. */
function segmentOf(pattern: string): Segment {
  if (pattern === '**') return '**';
  const lower = pattern.toLowerCase();
  return (name) => matchesWildcards(lower, name.toLowerCase());
}

const emacs = /^#(.+)#$/s;
const copied =
  /(?<=.)(?:~|\.(?:bak|backup|old|orig|save|copy|tmp|sw[a-p]|~?\d+|t?(?:gz|bz2|xz|zst)|zip|7z|tar))+$/is;

/** The path of the file of which this may be a backup, a packed copy or an editor's file; otherwise the path itself. */
export function originalsOf(path: string): readonly string[] {
  const start = path.lastIndexOf('/') + 1;
  const original = path.slice(0, start) + path.slice(start).replace(emacs, '$1').replace(copied, '');
  // For a file without a dot, the editor puts one before its name.
  return /\.sw[a-p]$/i.test(path) ? [original, original.replace(/\/\.(?=[^/]*$)/, '/')] : [original];
}
