import { posix } from 'node:path';
import { patternMatcher } from '../../pattern.js';

/** The files of a work tree that a command names. Paths are below the work tree. */
export interface Pathspec {
  matches(path: string): boolean;
  /** Whether it matches a path or a folder that the path lies in: git may take untracked folders as a whole. */
  mayMatch(path: string): boolean;
  /** The only paths that the words name; null if the words have patterns. */
  readonly named: readonly string[] | null;
  /** How the paths of exclusions begin: git reads the folders on the way to them, too. */
  readonly excluded: readonly string[];
  /** Whether no path is included explicitly, so that all paths are included except the exclusions. */
  readonly isWide: boolean;
}

/** The place from which words name paths. */
export interface PathspecPlace {
  /** The real work tree. */
  readonly tree: string;
  /** The folder in which git runs, below the work tree; empty for the work tree itself. */
  readonly prefix: string;
}

interface Item {
  readonly isExcluding: boolean;
  readonly path: string;
  readonly hasPattern: boolean;
  matches(path: string): boolean;
}

export const everyPath: Pathspec = {
  matches: () => true,
  mayMatch: () => true,
  named: null,
  excluded: [],
  isWide: true,
};

/** Null for texts that name nothing in the work tree: git refuses them. An inexact pattern matches more. */
export function readPathspec(texts: readonly string[], place: PathspecPlace): Pathspec | null {
  const items = texts.map((text) => readItem(text, place));
  if (items.includes(null)) return null;
  const known = items.filter((item) => item !== null);
  const excluded = known.filter((item) => item.isExcluding);
  const included = known.filter((item) => !item.isExcluding);
  const isWide = included.length === 0;
  const isOut = (path: string) => excluded.some((item) => item.matches(path));
  const matches = (path: string) => isWide || included.some((item) => item.matches(path));
  return {
    matches: (path) => matches(path) && !isOut(path),
    mayMatch: (path) => foldersOf(path).some(matches) && !isOut(path),
    named: isWide || included.some(({ hasPattern }) => hasPattern) ? null : included.map(({ path }) => path),
    excluded: excluded.map(({ path, hasPattern }) => (hasPattern ? '' : path)),
    isWide,
  };
}

/** Limits paths to a folder of the work tree, unless the words name others. */
export function within(spec: Pathspec, prefix: string): Pathspec {
  if (!spec.isWide || prefix === '') return spec;
  const isInside = (path: string) => path.startsWith(`${prefix}/`);
  return {
    ...spec,
    matches: (path) => isInside(path) && spec.matches(path),
    mayMatch: (path) => isInside(path) && spec.mayMatch(path),
  };
}

const knownMagic = ['exclude', 'top', 'literal', 'glob', 'icase'];

function readItem(text: string, place: PathspecPlace): Item | null {
  const { words, rest } = magicOf(text);
  const isExcluding = words.includes('exclude');
  const from = words.includes('top') ? { ...place, prefix: '' } : place;
  const path = pathOf(rest, from);
  if (path === null) return null;
  const isUnknown = words.some((word) => !knownMagic.includes(word));
  const ignoreCase = words.includes('icase');
  const hasPattern = ignoreCase || (!words.includes('literal') && wild.test(rest));
  // The folder in which git runs is not a pattern, even if it looks like one.
  if (isUnknown || (hasPattern && wild.test(from.prefix)))
    return { isExcluding, path: '', hasPattern: true, matches: () => !isExcluding };
  // Only certain names are left out: a pattern with a slash at the end leaves out no file of that name.
  const isBelow = isExcluding && rest.endsWith('/');
  const isPlain = (other: string) =>
    path === '' || (other === path && !isBelow) || other.startsWith(`${path}/`);
  if (!hasPattern || isBelow) return { isExcluding, path, hasPattern, matches: isPlain };
  const test = patternMatcher(path, { slashes: words.includes('glob'), cutsStart: true, ignoreCase });
  const isOne = (other: string) => (isExcluding ? test(other) === true : test(other) !== false);
  const isDeep = ignoreCase && !(isExcluding && wild.test(rest));
  const isMatch = (other: string) => (isDeep ? foldersOf(other).some(isOne) : isOne(other));
  return { isExcluding, path, hasPattern, matches: (other) => isPlain(other) || isMatch(other) };
}

const wild = /[*?[\\]/;

/** A path and the folders that it lies in. */
export function foldersOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function magicOf(text: string): { words: readonly string[]; rest: string } {
  const long = /^:\(([^)]*)\)/.exec(text);
  if (long !== null)
    return {
      words: (long[1] ?? '').split(',').filter((word) => word !== ''),
      rest: text.slice(long[0].length),
    };
  const short = /^:([!^/]*)(:?)/.exec(text);
  if (short === null) return { words: [], rest: text };
  const [all, signs = '', end] = short;
  const rest = text.slice(all.length);
  const words = [...signs].map((sign) => (sign === '/' ? 'top' : 'exclude'));
  // Git refuses other signs, or they belong to a later version.
  const isUnknown = end === '' && /^["#%&',\-;<=>@_`~]/.test(rest);
  return { words: isUnknown ? [...words, 'unknown'] : words, rest };
}

/** Below the work tree; null if it leads out of it. */
function pathOf(text: string, { tree, prefix }: PathspecPlace): string | null {
  if (text.startsWith('/')) {
    const path = posix.normalize(text).replace(/(?<=.)\/$/, '');
    if (path === tree) return '';
    return path.startsWith(tree === '/' ? '/' : `${tree}/`)
      ? path.slice(tree === '/' ? 1 : tree.length + 1)
      : null;
  }
  const path = posix.join(prefix, text).replace(/\/$/, '');
  if (path === '..' || path.startsWith('../')) return null;
  return path === '.' ? '' : path;
}
