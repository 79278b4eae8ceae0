import { posix } from 'node:path';
import { patternMatcher } from '../pattern.js';

/** Which files of a work tree a command is about. Paths are below the work tree. */
export interface Pathspec {
  matches(path: string): boolean;
  /** The only paths that it names, where it has no patterns; null otherwise. */
  readonly named: readonly string[] | null;
}

/** Where words that name paths are from. */
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

export const everyPath: Pathspec = { matches: () => true, named: null };

/** Null for texts that name nothing in the work tree: git refuses them. What is not known exactly matches more. */
export function readPathspec(texts: readonly string[], place: PathspecPlace): Pathspec | null {
  const items = texts.map((text) => readItem(text, place));
  const wanted = items.filter((item) => item === null || !item.isExcluding);
  if (wanted.includes(null)) return null;
  const known = items.filter((item) => item !== null);
  const excluded = known.filter((item) => item.isExcluding);
  const included = known.filter((item) => !item.isExcluding);
  const named = included.map(({ path }) => path);
  return {
    matches: (path) =>
      (included.length === 0 || included.some((item) => item.matches(path))) &&
      !excluded.some((item) => item.matches(path)),
    named: included.length === 0 || included.some(({ hasPattern }) => hasPattern) ? null : named,
  };
}

function readItem(text: string, place: PathspecPlace): Item | null {
  const { words, rest } = magicOf(text);
  const isExcluding = words.includes('exclude');
  const known = ['exclude', 'top', 'literal', 'glob', 'icase'];
  const isUnknown = words.some((word) => !known.includes(word));
  const path = pathOf(rest, words.includes('top') ? { ...place, prefix: '' } : place);
  if (path === null) return null;
  if (isUnknown) return { isExcluding, path: '', hasPattern: true, matches: () => !isExcluding };
  const hasPattern = words.includes('icase') || (!words.includes('literal') && /[*?[\\]/.test(rest));
  const isPlain = (other: string) => path === '' || other === path || other.startsWith(`${path}/`);
  if (!hasPattern) return { isExcluding, path, hasPattern, matches: isPlain };
  const ignoreCase = words.includes('icase');
  const test = patternMatcher(path, { slashes: words.includes('glob'), ignoreCase });
  const matches = (other: string) =>
    isPlain(other) ||
    foldersOf(other).some((each) => (isExcluding ? test(each) === true : test(each) !== false));
  // What an exclusion leaves out has to be certain.
  return {
    isExcluding,
    path,
    hasPattern,
    matches: isExcluding ? (other) => isPlain(other) || test(other) === true : matches,
  };
}

/** A path and the folders that it lies in. */
function foldersOf(path: string): readonly string[] {
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
  const short = /^:([!^/]+):?/.exec(text);
  if (short === null)
    return { words: text.startsWith(':') && text !== ':' ? ['unknown'] : [], rest: text === ':' ? '' : text };
  const words = [...(short[1] ?? '')].map((sign) => (sign === '/' ? 'top' : 'exclude'));
  return { words, rest: text.slice(short[0].length) };
}

/** Below the work tree; null where it leads out of it. */
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
