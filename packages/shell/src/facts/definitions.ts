import { readdirSync, realpathSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { foldersUp, type JsonObject, orNull } from '@ambit/core';
import { textOf, type Word } from '../word.js';
import type { DefinedBy, Folder, World } from '../world.js';
import { filesFact } from './content.js';

/** An opaque program, where it starts, and its words, the first of which names it. */
export interface Started {
  readonly definedBy: DefinedBy | undefined;
  readonly words: readonly Word[];
  readonly folder: Folder;
}

/**
 * The files that define what an opaque program does, with their contents: those of its working folder or else of the
 * nearest ones above, of the folders that its words name, files that an option names, and those of packages below.
 * `own`: the program itself.
 */
export function definitionFacts(
  { definedBy, words, folder: { real } }: Started,
  world: World,
  own: readonly string[] = [],
): JsonObject {
  if (definedBy === undefined || real === null) return filesFact(own, world);
  const names = definedBy.files.split(' ');
  const said = words.slice(1).map((word) => textOf(word) ?? '');
  const starts = definedBy.packages?.split(' ') ?? [];
  const modules = definedBy.modules?.split(' ') ?? [];
  const selects = said.some((text) => starts.some((start) => text.startsWith(start)));
  const files = [
    ...own,
    ...nearest(real, names, world),
    ...said.flatMap((text, index) => namedBy([said[index - 1] ?? '', text], { real, world }, definedBy)),
    ...said.flatMap((text, index) => moduleFiles([said[index - 1] ?? '', text], modules, real)),
    ...(selects ? foldersBelow(real).flatMap((folder) => names.map((name) => posix.join(folder, name))) : []),
  ];
  return filesFact(
    files.filter((file) => kindOf(file) === 'file').map((file) => realpathSync(file)),
    world,
  );
}

/** The nearest file of each name: settings may lie below scripts. Files in the home folder itself are the user's own. */
function nearest(real: string, names: readonly string[], { home }: World): readonly string[] {
  const folders = foldersUp(real).filter((folder) => folder !== home);
  return names.flatMap((name) => {
    const folder = folders.find((each) => kindOf(posix.join(each, name)) === 'file');
    return folder === undefined ? [] : posix.join(folder, name);
  });
}

/** What a word names, with the one before it: `DIR`, `-CDIR`, `--prefix=DIR`, `-f FILE`, `--manifest-path=FILE`. */
function namedBy(
  [before, text]: readonly [string, string],
  { real, world }: { readonly real: string; readonly world: World },
  { files, options }: DefinedBy,
): readonly string[] {
  const names = files.split(' ');
  const values = [text, text.replace(/^-[^=]*=/, ''), text.replace(/^-[A-Za-z]/, '')];
  const given = (options?.split(' ') ?? []).flatMap((option) => {
    if (
      before === option ||
      (/^-\w+$/.test(before) && /^-\w$/.test(option) && before.endsWith(option.slice(1)))
    )
      return [text];
    return text.startsWith(option) ? [text.slice(option.length).replace(/^=/, '')] : [];
  });
  return [...new Set([...values, ...given])].flatMap((value) => {
    const path = posix.resolve(real, value);
    if (value !== '' && kindOf(path) === 'folder') return nearest(path, names, world);
    return given.includes(value) || names.includes(posix.basename(path)) ? [path] : [];
  });
}

/** The files in this folder that a module of Python may be: `-m a.b`, `-ma.b`, `-Im a.b`. */
function moduleFiles(
  [before, text]: readonly [string, string],
  options: readonly string[],
  real: string,
): readonly string[] {
  const flags = options.map((option) => new RegExp(`^-\\w*?${option.slice(1)}`));
  const isNext = flags.some((flag) => flag.exec(before)?.[0] === before);
  const named = isNext ? [text] : flags.flatMap((flag) => (flag.test(text) ? [text.replace(flag, '')] : []));
  return named.flatMap((module) => {
    const parts = module.split('.').slice(0, 30);
    const places = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return places.flatMap((place) =>
      ['.py', '/__init__.py', '/__main__.py'].map((ending) => posix.join(real, `${place}${ending}`)),
    );
  });
}

/** Packages lie at most this deep, and in the first of so many folders. */
const deepest = 3;
const mostFolders = 1000;

function foldersBelow(real: string): readonly string[] {
  const found: string[] = [];
  const walk = (folder: string, depth: number): void => {
    for (const name of subfoldersOf(folder)) {
      if (found.length >= mostFolders) return;
      const path = posix.join(folder, name);
      found.push(path);
      if (depth < deepest) walk(path, depth + 1);
    }
  };
  walk(real, 1);
  return found;
}

function subfoldersOf(folder: string): readonly string[] {
  return (orNull(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

function kindOf(path: string): 'file' | 'folder' | null {
  const stat = orNull(() => statSync(path));
  if (stat?.isDirectory() === true) return 'folder';
  return stat?.isFile() === true ? 'file' : null;
}
