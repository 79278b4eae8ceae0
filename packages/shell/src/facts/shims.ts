import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { foldersUp, orNull } from '@ambit/core';
import { isUnder, readPlain } from '@ambit/toolsets';
import type { Walk } from '../state/scope.js';
import type { Folder } from '../world.js';

/** Files of a project by which asdf, mise, proto, Volta and others choose a version, and where these lie. */
const choosing =
  /\/(?:\.tool-versions|\.prototools|\.volta\/hooks\.json|\.[a-z]+-version|\.nvmrc|\.?(?:mise|rtx)(?:\.[^/]+)?\.toml|\.?mise\/(?:[^/]+\/)?[^/]+\.toml)$/;
const places = '. .mise mise .config .config/mise .mise/conf.d .config/mise/conf.d .volta'.split(' ');

/** What names a file or changes the environment, as plain versions do not. */
const leading = /\b(?:path|env|plugins|bin)\b|\\|_\.|\{\{|\.\.|(?:^|[\s"'=])[~.]?\//m;

/**
 * The files of the project that may choose by a path which program a shim of a version manager runs; null if none
 * does, or if it is another program. `paths`: the program, if it is named by a path.
 */
export function chosenBy(
  name: string,
  paths: readonly string[],
  { folder, walk }: { readonly folder: Folder; readonly walk: Walk },
): readonly string[] | null {
  const sought = walk.searchPath.map((each) => `${each}/${name}`);
  const found = name.includes('/') ? paths : sought.filter(existsSync).slice(0, 1);
  const ends = found.flatMap((path) => [path, orNull(() => realpathSync(path)) ?? path]);
  if (!ends.some((path) => /\/(?:shims\/[^/]+|volta-shim)$/.test(path))) return null;
  const { created, open } = walk.world.changes;
  const isOpen = [...open].some((each) => each !== '/' && isUnder(folder.named, each));
  const isChosen = (path: string) => choosing.test(path) && (created.has(path) || namesPath(path));
  const chosen = [...new Set([...filesAbove(folder.real ?? folder.named), ...created])].filter(isChosen);
  return isOpen || chosen.length > 0 ? chosen : null;
}

/** The names in the folders that version managers read, from this one up. */
function filesAbove(start: string): readonly string[] {
  const all = foldersUp(start).flatMap((folder) => places.map((place) => posix.join(folder, place)));
  return all.flatMap((at) => (orNull(() => readdirSync(at)) ?? []).map((name) => posix.join(at, name)));
}

/** Whether it says more than versions. Tasks of mise do not matter to shims. */
function namesPath(file: string): boolean {
  const text = orNull(() =>
    readPlain(file, 65_536)
      .toString('utf8')
      .replace(/^\s*#.*$/gm, ''),
  );
  const hasBlocks = text === null || /"""|'''/.test(text);
  const read = hasBlocks ? text : text.replace(/^\[tasks\b[\s\S]*?(?=^\[(?!tasks)|(?![\s\S]))/gm, '');
  return read === null || leading.test(read);
}
