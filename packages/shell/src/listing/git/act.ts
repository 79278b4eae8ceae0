import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Access, Effect, Files, FilesEffect } from '../../effect.js';
import { type Names, type Output, unknownOutput } from '../../word.js';
import { mayHaveChangedBelow } from '../../world.js';
import type { Request } from './request.js';
import { settingOf } from './settings/settings.js';
import type { Repository } from './store/repository.js';
import { rememberIndex } from './work/index-memory.js';

/** What a command does, or a text that says why it is unknown. */
export type Act = { readonly effects: readonly Effect[]; readonly output?: Output } | string;

export const nothing: Act = { effects: [] };

/** The effect on listed files, if there are any. */
export function touch(
  access: Access,
  files: Files,
  more: { readonly mayLink?: boolean } = {},
): readonly Effect[] {
  if (files.paths.length === 0 && !files.open) return [];
  return [{ kind: 'files', access, files, by: 'program', ...more }];
}

/** Git's own files besides the index: `objects`, and `references` with their logs. */
export type Kept = 'objects' | 'references' | 'message' | 'merge' | 'tag';

/** Writes git's own files, but neither hooks nor settings. */
export function keep({ repository }: Request, ...kinds: readonly Kept[]): readonly Effect[] {
  if (repository === null) return [];
  const { own, common } = repository;
  const plain: string[] = [];
  const below: string[] = [];
  for (const kind of kinds) {
    if (kind === 'message') plain.push(`${own}/COMMIT_EDITMSG`);
    if (kind === 'tag') plain.push(`${own}/TAG_EDITMSG`);
    if (kind === 'merge') plain.push(...merging.map((name) => `${own}/${name}`));
    if (kind === 'merge')
      below.push(`${own}/sequencer`, `${own}/rebase-merge`, `${own}/rebase-apply`, `${common}/rr-cache`);
    if (kind === 'objects') below.push(`${common}/objects`);
    if (kind === 'references') {
      plain.push(
        `${own}/HEAD`,
        `${own}/HEAD.lock`,
        `${own}/ORIG_HEAD`,
        `${own}/ORIG_HEAD.lock`,
        `${common}/packed-refs`,
        `${common}/packed-refs.lock`,
        `${common}/packed-refs.new`,
      );
      // What a commit starts in the background for maintenance.
      plain.push(`${common}/gc.pid`, `${common}/gc.pid.lock`, `${common}/gc.log`, `${common}/gc.log.lock`);
      below.push(`${common}/refs`, `${own}/logs`, `${common}/logs`);
    }
  }
  const effects = [...new Set(below)].map(
    (folder): Effect => write({ paths: [], open: true, under: folder }),
  );
  return plain.length === 0 ? effects : [write({ paths: plain, open: false, under: null }), ...effects];
}

/** The stash and its log. */
export function stashOf({ common }: Repository): readonly string[] {
  return [`${common}/refs/stash`, `${common}/logs/refs/stash`];
}

/** Writes the stash. The other references keep their values, but not their logs. */
export function keepStash(request: Request): readonly Effect[] {
  if (request.repository === null) return [];
  const others = keep(request, 'references').map((effect) => ({ ...effect, isRemembered: true }));
  return [...others, write({ paths: stashOf(request.repository), open: false, under: null })];
}

/** Deletes references with their logs. */
export function dropReferences({ repository }: Request): readonly Effect[] {
  if (repository === null) return [];
  const { own, common } = repository;
  const folders = new Set([`${common}/refs`, `${own}/logs`, `${common}/logs`]);
  return [...folders].flatMap((under) => touch('delete', { paths: [], open: true, under }));
}

/** Writes the index: adds these paths, or unknown ones. */
export function writeIndex(request: Request, added: Iterable<string> | null): readonly Effect[] {
  const { repository, world } = request;
  if (repository === null) return [];
  const path = `${repository.own}/index`;
  rememberIndex(world.changes, path, added);
  // A missing index file counts as new for other programs.
  const isRemembered = existsSync(path);
  return [{ ...write({ paths: [path], open: false, under: null }), isRemembered }, ...lockIndex(request)];
}

/** Makes the file that keeps other processes from the index, and removes it. */
export function lockIndex({ repository }: Request): readonly Effect[] {
  return repository === null
    ? []
    : [write({ paths: [`${repository.own}/index.lock`], open: false, under: null })];
}

const merging = optionNames(`
  MERGE_HEAD MERGE_MSG MERGE_MODE MERGE_RR MERGE_RR.lock MERGE_AUTOSTASH SQUASH_MSG AUTO_MERGE AUTO_MERGE.lock
  CHERRY_PICK_HEAD CHERRY_PICK_HEAD.lock REVERT_HEAD REVERT_HEAD.lock REBASE_HEAD
`);

function write(files: Files): FilesEffect {
  return { kind: 'files', access: 'write', files, by: 'program' };
}

/** Hooks that a command starts: when the index was written, or for anything that changes references too. */
const indexHooks = ['post-index-change'];
const otherwise = [
  'pre-push',
  'update',
  'post-update',
  'pre-receive',
  'post-receive',
  'proc-receive',
  'push-to-checkout',
  'fsmonitor-watchman',
  'sendemail-validate',
];

/**
 * Why a command that starts hooks is unknown; null if there are no hooks. `push` starts only its own hooks.
 */
export function hooksOf(
  { repository, settings, folder, world }: Request,
  kind: 'index' | 'references' | 'push',
): string | null {
  if (repository === null) return null;
  const named = settingOf(settings, 'core.hookspath');
  if (named?.startsWith('~') === true || named?.startsWith('%') === true) return 'hooks are somewhere else';
  const place = named === null ? `${repository.common}/hooks` : resolve(repository.tree ?? folder, named);
  if (mayHaveChangedBelow(place, world.changes)) return 'a command before may have changed its hooks';
  const names = executablesIn(place);
  if (names === null) return `the hooks in \`${place}\` cannot be read`;
  const found = names.find((name) => {
    if (name.endsWith('.sample')) return false;
    if (kind === 'index') return indexHooks.includes(name);
    return kind === 'push'
      ? name === 'pre-push' || name === 'reference-transaction'
      : !otherwise.includes(name);
  });
  return found === undefined ? null : `it runs the hook \`${found}\` of this repository`;
}

function executablesIn(folder: string): readonly string[] | null {
  try {
    if (!existsSync(folder)) return [];
    return readdirSync(folder).filter((name) => {
      const found = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
      return found?.isFile() === true && (found.mode & 0o111) !== 0;
    });
  } catch {
    return null;
  }
}

/** Names as git prints them, each ended by a line feed or a NUL; unknown if it would quote one. */
export function namesOutput(
  texts: readonly string[],
  options: { readonly isNul: boolean; readonly open: boolean },
): Output {
  const names: Names = { texts, open: options.open, under: null };
  if (options.isNul) return { kind: 'names', names, separator: '\0' };
  const isPlain = texts.every((each) => /^[ !#-[\]-~]*$/.test(each));
  return isPlain && !options.open ? { kind: 'names', names, separator: '\n' } : unknownOutput;
}

/** A path of the work tree as git prints it in one of its folders. */
export function relativeTo(prefix: string, path: string): string {
  if (prefix === '') return path;
  const from = prefix.split('/');
  const to = path.split('/');
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same += 1;
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/');
}

/** Options with white space between. */
export function optionNames(text: string): readonly string[] {
  return text.split(/\s+/).filter((name) => name !== '');
}
