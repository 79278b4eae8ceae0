import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { orNull } from '@ambit/core';
import { anyBelow, type Effect, type FilesEffect, onFiles, onlyFiles } from '../../effect.js';
import { type Output, unknownOutput } from '../../word.js';
import { mayExist, mayHaveChangedBelow } from '../../world.js';
import type { Request } from './request.js';
import type { Repository } from './store/repository.js';
import { rememberIndex } from './work/index-memory.js';

/** Writes git's own files, but neither hooks nor settings. */
export function keep(request: Request, ...kinds: readonly (keyof typeof kept)[]): readonly FilesEffect[] {
  return ownFiles(request, 'write', kinds.map((kind) => kept[kind]).join(' '));
}

/** Touches git's own files. In these names, a folder has a slash at its end, and `^` stands for what all work trees share. */
export function ownFiles(
  { repository }: Request,
  access: 'write' | 'delete',
  names: string,
  more: Parameters<typeof onFiles>[2] = {},
): readonly FilesEffect[] {
  if (repository === null) return [];
  const places = placesOf(repository, names);
  const files = places.filter((place) => !place.endsWith('/'));
  const folders = new Set(places.filter((place) => place.endsWith('/')).map((place) => place.slice(0, -1)));
  const all = [onlyFiles(files), ...[...folders].map(anyBelow)];
  return all.flatMap((each) => onFiles(access, each, more));
}

function placesOf({ own, common }: Repository, names: string): readonly string[] {
  return names
    .split(/\s+/)
    .map((name) => (name.startsWith('^') ? `${common}/${name.slice(1)}` : `${own}/${name}`));
}

/** Git's own files besides the index: `objects`, and `references` with their logs. */
const kept = {
  message: 'COMMIT_EDITMSG',
  tag: 'TAG_EDITMSG',
  merge: `MERGE_HEAD MERGE_MSG MERGE_MSG.lock MERGE_MODE MERGE_RR MERGE_RR.lock MERGE_AUTOSTASH SQUASH_MSG AUTO_MERGE AUTO_MERGE.lock
    CHERRY_PICK_HEAD CHERRY_PICK_HEAD.lock REVERT_HEAD REVERT_HEAD.lock REBASE_HEAD
    sequencer/ rebase-merge/ rebase-apply/ ^rr-cache/`,
  objects: '^objects/',
  // A commit starts maintenance in the background.
  references: `HEAD HEAD.lock ORIG_HEAD ORIG_HEAD.lock ^packed-refs ^packed-refs.lock ^packed-refs.new
    ^gc.pid ^gc.pid.lock ^gc.log ^gc.log.lock ^refs/ logs/ ^logs/`,
};

/** Removes the notes about a merge or a picked commit, if they exist or the line may have made them. */
export function endMerge(request: Request): readonly Effect[] {
  const { repository, settings, world } = request;
  if (repository === null) return [];
  const names = kept.merge.split(/\s+/).filter((name) => /^[A-Z_]+$/.test(name));
  const paths = names.map((name) => `${repository.own}/${name}`).filter((path) => mayExist(path, world));
  // It also keeps how conflicts were resolved, unless neither the setting nor a file of this is there.
  const isKept =
    settings.get('rerere.enabled') !== null ||
    [`${repository.own}/MERGE_RR`, `${repository.common}/rr-cache`].some((path) => mayExist(path, world));
  return [...onFiles('delete', onlyFiles(paths)), ...(isKept ? keep(request, 'merge') : [])];
}

const stash = '^refs/stash ^logs/refs/stash';

export function stashOf(repository: Repository): readonly string[] {
  return placesOf(repository, stash);
}

/** Writes the stash. The other references keep their values, but not their logs. */
export function keepStash(request: Request): readonly FilesEffect[] {
  return [...keepReferences(request, true), ...ownFiles(request, 'write', stash)];
}

/** Writes references. `isRemembered`: later commands of the line know what became of them. */
export function keepReferences(request: Request, isRemembered: boolean): readonly FilesEffect[] {
  return keep(request, 'references').map((effect) => ({ ...effect, isRemembered }));
}

/** Deletes references with their logs. */
export function dropReferences(request: Request): readonly Effect[] {
  return ownFiles(request, 'delete', '^refs/ logs/ ^logs/');
}

/** Remembers the id of a tag or branch that the command makes; null for an unknown one. */
export function rememberName({ repository, world }: Request, name: string, id: string | null): void {
  const file = `${repository?.common}/${name}`;
  world.changes.created.add(file);
  world.changes.tags.set(file, id);
}

/** Writes settings of branches, which name remotes and other branches. */
export function writeSettings(request: Request): readonly Effect[] {
  if (request.repository !== null) request.world.changes.branches.add(`${request.repository.common}/config`);
  return ownFiles(request, 'write', '^config ^config.lock', { runsNothing: true, isRemembered: true });
}

/** Writes the index: adds these paths or takes them out; null for unknown paths. */
export function writeIndex(request: Request, added: Iterable<string> | null): readonly Effect[] {
  const { repository, world } = request;
  if (repository === null) return [];
  rememberIndex(world.changes, repository, added);
  return [...ownFiles(request, 'write', 'index', { isRemembered: true }), ...lockIndex(request)];
}

/** Makes the file that keeps other processes from the index, and removes it. */
export function lockIndex(request: Request): readonly Effect[] {
  return ownFiles(request, 'write', 'index.lock');
}

/** Hooks that no command starts for the index or for references. */
const otherHooks =
  `pre-push update post-update pre-receive post-receive proc-receive push-to-checkout fsmonitor-watchman
  sendemail-validate`.split(/\s+/);

/** Why a command that starts hooks is unknown; null if there are no hooks. `push` starts only its own hooks. */
export function hooksOf(request: Request, kind: 'index' | 'references' | 'push'): string | null {
  if (request.repository === null) return null;
  if (/^[~%]/.test(request.settings.get('core.hookspath') ?? '')) return 'hooks are somewhere else';
  const [place, real] = placesOfHooks(request, request.repository);
  if ([place, real].some((each) => mayHaveChangedBelow(each, request.world.changes)))
    return 'an earlier command may have changed its hooks';
  const names = executablesIn(place);
  if (names === null) return `the hooks in \`${place}\` cannot be read`;
  const found = names.find((name) => {
    if (name.endsWith('.sample')) return false;
    if (kind === 'index') return name === 'post-index-change';
    return kind === 'push' ? /^(?:pre-push|reference-transaction)$/.test(name) : !otherHooks.includes(name);
  });
  return found === undefined ? null : `it runs the hook \`${found}\` of this repository`;
}

/** The folder of its hooks, as it is named and without links. */
export function placesOfHooks({ settings, folder }: Request, repository: Repository): [string, string] {
  const named = settings.get('core.hookspath');
  const place = named === null ? `${repository.common}/hooks` : resolve(repository.tree ?? folder, named);
  return [place, orNull(() => realpathSync(place)) ?? place];
}

/** Links count: what they lead to may change. */
function executablesIn(folder: string): readonly string[] | null {
  if (!existsSync(folder)) return [];
  return orNull(() =>
    readdirSync(folder).filter((name) => {
      const found = lstatSync(`${folder}/${name}`);
      return found.isSymbolicLink() || (found.isFile() && (found.mode & 0o111) !== 0);
    }),
  );
}

/** Names as git prints them, each ended by a line feed or a NUL; unknown if it would quote one. */
export function namesOutput(
  texts: readonly string[],
  options: { readonly isNul: boolean; readonly open: boolean },
): Output {
  const names = { texts, open: options.open, under: null };
  const isPlain = !options.open && texts.every((each) => /^[ !#-[\]-~]*$/.test(each));
  // The replacement character may stand for bytes that are not UTF-8.
  const isOdd = texts.some((each) => each.includes('\uFFFD'));
  if (isOdd || (!isPlain && !options.isNul)) return unknownOutput;
  return { kind: 'names', names, separator: options.isNul ? '\0' : '\n' };
}
