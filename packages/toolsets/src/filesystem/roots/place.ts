import type { Stats } from 'node:fs';
import { posix } from 'node:path';
import { followNow, type NoWay } from '../../places/follow.js';
import { isUnder, namesFolder, plainPath } from '../../places/paths.js';
import { isInside, isRootItself, type OpenRoot, type Roots } from './root.js';

export interface Place {
  /** For the model: `ROOT/rest`. */
  readonly shown: string;
  /** Absolute, as named; null if the text names no place. */
  readonly named: string | null;
  /** Absolute, with links resolved; null if unknown. */
  readonly real: string | null;
  /** Null if missing or unknown. */
  readonly stat: Stats | null;
  /** Missing folders on the way, outermost first. */
  readonly missing: readonly string[];
  /** Whether the text can only mean a folder: it ends in `/`, `/.` or `/..`. */
  readonly names_folder: boolean;
  /** Whether the last name is a link. */
  readonly ends_in_link: boolean;
  /** For the model: why the text is not a path in a root. */
  readonly problem: string | null;
  /** Why `real` is null although `named` is not. */
  readonly lost: NoWay | null;
}

export type RealPlace = Place & { readonly named: string; readonly real: string };

export type FilePlace = RealPlace & { readonly stat: Stats };

/** Finds the target of a path that a model named. Reads the world, and opens nothing. */
export async function placeOf(text: string, roots: Roots): Promise<Place> {
  const name = nameOf(text, roots);
  const nowhere = { ...name, real: null, stat: null, missing: [], ends_in_link: false, lost: null };
  if (name.named === null) return nowhere;
  const way = followNow(name.named);
  return way.real === null ? { ...nowhere, lost: way.why } : { ...name, ...way, lost: null };
}

/** As named, and as real if that differs. */
export function pathsOf({ named, real }: Pick<Place, 'named' | 'real'>): readonly string[] {
  return [...new Set([named, real])].filter((path) => path !== null);
}

/** The place of something in a folder; `below` is relative and crosses no link. */
export function placeBelow(folder: RealPlace, below: string): Pick<RealPlace, 'shown' | 'named' | 'real'> {
  return {
    shown: folder.shown === '.' ? below : posix.join(folder.shown, below),
    named: posix.join(folder.named, below),
    real: posix.join(folder.real, below),
  };
}

export function isRealPlace(place: Place): place is RealPlace {
  return place.named !== null && place.real !== null;
}

/** Throws on other places: a bug. */
export function realPlace(place: Place): RealPlace {
  if (!isRealPlace(place)) throw new TypeError('a place without a real path must not be touched');
  return place;
}

export function filePlace(place: Place): FilePlace {
  const { stat } = place;
  if (stat === null) throw new TypeError('nothing exists at this path');
  return { ...realPlace(place), stat };
}

export function rootsInWords({ list, naming }: Roots): string {
  if (naming === 'by_path') return 'paths are relative to the working folder and stay in it';
  if (list.length === 0) return 'there are no roots to work in';
  return `paths are written ROOT/rest, and the roots are ${list.map(rootInWords).join(', ')}`;
}

type Name = Pick<Place, 'shown' | 'named' | 'problem' | 'names_folder'>;

function nameOf(text: string, roots: Roots): Name {
  const problem = problemOfText(text);
  const name =
    problem !== null
      ? { shown: text, named: null, problem }
      : roots.naming === 'by_path'
        ? nameByPath(text, roots)
        : nameByRoot(text, roots);
  return { ...name, names_folder: namesFolder(text) };
}

function problemOfText(text: string): string | null {
  if (text.includes('\0')) return 'a path cannot contain a NUL character';
  // UTF-8 would replace the character, so another file would be written.
  if (/\p{Surrogate}/u.test(text)) return 'the path is not well-formed text';
  if (Buffer.byteLength(text) > 4000) return 'the path is too long';
  if (text.split('/').some((segment) => Buffer.byteLength(segment) > 255))
    return 'a name in the path is longer than 255 bytes';
  return null;
}

function nameByPath(text: string, roots: Roots): Omit<Name, 'names_folder'> {
  const [root] = roots.list;
  if (root === undefined) return { shown: text, named: null, problem: rootsInWords(roots) };
  const named = plainPath(text.startsWith('/') ? text : `${root.folder}/${text}`);
  const shown = isUnder(named, root.folder) ? posix.relative(root.folder, named) || '.' : text;
  return { shown, named, problem: null };
}

function nameByRoot(text: string, roots: Roots): Omit<Name, 'names_folder'> {
  const [first, ...rest] = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  // A list, searched: the model chose this string, and it may be "constructor".
  const root = roots.list.find(({ name }) => name === first);
  if (text.startsWith('/')) {
    const hint = root === undefined ? rootsInWords(roots) : `did you mean \`${[first, ...rest].join('/')}\``;
    return { shown: text, named: plainPath(text), problem: `\`${text}\` is an absolute path: ${hint}` };
  }
  if (root === undefined) {
    const problem = `\`${text}\` begins with no root: ${rootsInWords(roots)}${meantIn(roots, [first, ...rest])}`;
    return { shown: text, named: null, problem };
  }
  const named = plainPath([root.folder, ...rest].join('/'));
  if (!isUnder(named, root.folder))
    return {
      shown: text,
      named,
      problem: `\`${text}\` leaves the root \`${root.name}\`: ${rootsInWords(roots)}`,
    };
  return { shown: posix.join(root.name, posix.relative(root.folder, named)), named, problem: null };
}

/** The same path in the only root, as a command line that starts there names it. */
function meantIn(
  { list: [root, ...others] }: Roots,
  [first, ...rest]: readonly (string | undefined)[],
): string {
  if (root === undefined || others.length > 0 || first === undefined || first === '..') return '';
  return `; did you mean \`${[root.name, first, ...rest].join('/')}\`?`;
}

function rootInWords({ name, mode, suffixes }: OpenRoot): string {
  const files = suffixes === undefined ? '' : `, files ${suffixes.join(' ')} only`;
  return `\`${name}\` (${mode === 'ro' ? 'read only' : 'read and write'}${files})`;
}

/** Whether every path of a place lies in a root. */
export function isContained(place: Pick<Place, 'named' | 'real'>, roots: Roots): boolean {
  return pathsOf(place).every((path) => isInside(path, roots));
}

export function isRootPlace(place: Pick<Place, 'named' | 'real'>, roots: Roots): boolean {
  return pathsOf(place).some((path) => isRootItself(path, roots));
}
