import { resolve } from 'node:path';
import { fromHome } from '@ambit/core';
import { joinPath } from '../../files/listing.js';
import { mayDiffer } from '../../world.js';
import { type Request, whyOf, workTreeOf } from './request.js';
import { smallText } from './store/read-files.js';
import { foldersBelow } from './work/work-tree.js';

/** Drivers that attributes choose: filters for content, programs for differences. */
export type Driver = 'filter' | 'diff';

/**
 * Why files pass through programs of the settings; null if no attribute names one. They are tracked files and `others`, or
 * `any`: those that are compared may have lain in a folder where no file is tracked any more.
 */
export function driversOf(
  request: Request,
  driver: Driver,
  others: readonly string[] | 'any' = driver === 'diff' ? 'any' : [],
): string | null {
  const why = whyOf(request, [driver]);
  if (why === null) return null;
  const all = others === 'any' ? filesOf(request) : others;
  return all === null || areNamed(request, textsOfDrivers(request, driver), all) ? why : null;
}

/** All files of the work tree; null if there are too many. */
function filesOf(request: Request): readonly string[] | null {
  const work = workTreeOf(request);
  if (work === null) return [];
  const found = work.world.listing.below(work.tree, { skip: ({ path }) => path.endsWith('/.git') });
  return found.isOpen ? null : found.entries.map(({ path }) => path);
}

/** How attributes name the drivers of the settings: `filter=lfs`. */
export function textsOfDrivers({ settings }: Request, driver: Driver): readonly string[] {
  const start = `${driver}.`;
  const keys = settings.all.map(({ key }) => key).filter((key) => key.startsWith(start));
  return keys.map((key) => `${driver}=${key.slice(start.length, key.lastIndexOf('.'))}`);
}

/** Whether attributes may have one of these texts. */
export function areNamed(
  request: Request,
  names: readonly string[],
  others: readonly string[] = [],
): boolean {
  // Without a work tree, some versions take the attributes of the last commit.
  if (request.repository !== null && workTreeOf(request) === null) return true;
  return attributeFiles(request, others).some((file) => mayName(request, file, names));
}

/** Places of attributes: `others` are untracked files. */
function attributeFiles(request: Request, others: readonly string[]): readonly string[] {
  const { repository, world, settings, folder } = request;
  const own = settings.get('core.attributesfile') ?? '~/.config/git/attributes';
  const file = resolve(repository?.tree ?? folder, fromHome(own, world.home));
  const files = [
    '/etc/gitattributes',
    '/usr/local/etc/gitattributes',
    file,
    `${repository?.common ?? ''}/info/attributes`,
  ];
  const work = workTreeOf(request);
  if (work === null) return files;
  const tracked = (work.index?.entries ?? []).map(({ path }) => joinPath(work.tree, path));
  const folders = [work.tree, ...foldersBelow(work, [...tracked, ...others, ...world.changes.created])];
  return [...files, ...folders.map((each) => joinPath(each, '.gitattributes'))];
}

/** Git reads a missing tracked file from the index, so its content is unknown. */
function mayName(request: Request, file: string, names: readonly string[]): boolean {
  if (mayDiffer(file, request.world.changes)) return true;
  const text = smallText(file, 1_000_000);
  if (text === null) return isTracked(request, file);
  return text === undefined || names.some((name) => text.includes(name));
}

function isTracked(request: Request, file: string): boolean {
  const work = workTreeOf(request);
  return work?.index?.entries.some(({ path }) => joinPath(work.tree, path) === file) === true;
}
