import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { mostArchiveBytes as mostBytes, readPlain, startOfPlain } from '@ambit/toolsets';
import { type Context, mayDiffer } from '../world.js';
import { startAt } from './start.js';
import { unchanged } from './text-read.js';

/** The most members that are named one by one. */
const mostMembers = 2_000;

/**
 * The names of the files and folders in an archive, and of the folders above them; null for an archive of another form,
 * with links or with names that lead elsewhere.
 */
export function archiveMembers(
  name: string,
  context: Context,
  membersOf: (bytes: Buffer) => readonly string[] | null,
): readonly string[] | null {
  const bytes = unchanged(name, context, mostBytes);
  const members = bytes && orNull(() => membersOf(bytes));
  if (members === null || members.length > mostMembers || !members.every(isPlainName)) return null;
  const names = members.map((each) => posix.normalize(each).replace(/\/$/, ''));
  return [...new Set(names.flatMap(withFolders))];
}

function isPlainName(name: string): boolean {
  return /^[ -~]+$/.test(name) && !/^\/|\\|(?:^|\/)\.\.(?:\/|$)/.test(name);
}

function withFolders(name: string): readonly string[] {
  const folder = posix.dirname(name);
  return folder === '.' ? [name] : [...withFolders(folder), name];
}

const thin = '!<thin>\n';

/** Whether a file may be an archive of `ar` whose members are files elsewhere, or may hold such an archive. */
export function mayBeThin(name: string, context: Context): boolean {
  const { real, kind } = startAt(name, context, true);
  if (real === null || mayDiffer(real, context.world.changes)) return true;
  if (kind !== 'file') return false;
  const start = orNull(() => startOfPlain(real, thin.length).toString('latin1'));
  if (start === null || start === thin) return true;
  if (!/^!<\w+>\n$/.test(start)) return false;
  return orNull(() => readPlain(real, mostBytes).includes(thin)) !== false;
}
