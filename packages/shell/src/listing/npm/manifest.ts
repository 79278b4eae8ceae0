import { posix } from 'node:path';
import { isJsonObject, orNull } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import { mayHaveChanged, mayHaveChangedBelow, type World } from '../../world.js';
import { anything, rulesOf } from './pack-rules.js';

export type Manifest = ReturnType<typeof manifestOf>;

/** Null if the file is missing or malformed, or an earlier command may have changed it. */
export function manifestIn(folder: string, world: World): Manifest | null {
  const path = posix.join(folder, 'package.json');
  if (mayHaveChanged(path, world.changes) || world.listing.kind(path) !== 'file') return null;
  return orNull(() => {
    const value: unknown = JSON.parse(readPlain(path).toString('utf8'));
    return isJsonObject(value) ? manifestOf(value, folder, world) : null;
  });
}

/** What a package.json says about the files of its package. */
function manifestOf(value: Readonly<Record<string, unknown>>, folder: string, world: World) {
  const { files, main, browser, bin, name, version } = value;
  const listed = textsOf(files);
  const programs = isJsonObject(bin)
    ? textsOf(Object.values(bin))
    : typeof bin === 'string'
      ? [bin]
      : bin
        ? null
        : [];
  const isPlain =
    ![value.workspaces, value.bundleDependencies, value.bundledDependencies, value.directories].some(
      Boolean,
    ) &&
    listed !== null &&
    programs !== null &&
    [main, browser].every((each) => !each || typeof each === 'string') &&
    // Whether entries of `files` are files or folders is looked up.
    !(files && mayHaveChangedBelow(folder, world.changes));
  const wanted = (listed ?? []).map((entry) => entryOf(entry, folder, world));
  const named = [browser, main, ...(programs ?? [])].filter((each): each is string => Boolean(each));
  return {
    /** Whether every setting is known. Otherwise each file may be packed. */
    isPlain,
    /** The name of the archive; null if unknown. */
    archive: typeof name === 'string' && typeof version === 'string' ? archiveOf(name, version) : null,
    /** The rules that `files` stands for; null without it. */
    files: files ? [...rulesOf('*'), ...wanted.flatMap(({ rules }) => rules)] : null,
    /** Files that `files` names. */
    required: wanted.flatMap(({ required }) => required),
    /** The rules for them, and for `main`, `browser` and `bin`. */
    first: wanted.flatMap(({ required }) => required.flatMap((path) => rulesOf(`!${path}`))),
    last: named.flatMap((path) => rulesOf(`!${posix.join('/', path)}`)),
  };
}

function textsOf(value: unknown): readonly string[] | null {
  if (!value) return [];
  const isList =
    Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes('\n'));
  return isList ? value : null;
}

/** `@scope/name` 1.0.0 is `scope-name-1.0.0.tgz`. */
function archiveOf(name: string, version: string): string | null {
  const archive = `${name}-${version}.tgz`.replace(/^@/, '').replace('/', '-');
  return /^[a-z0-9][\w.+-]*$/.test(archive) ? archive : null;
}

/** An entry of `files`: a file counts above ignore files, and a folder with all that is below. */
function entryOf(text: string, folder: string, { listing }: World) {
  const written = text.startsWith('./') ? text.slice(1) : text;
  const entry = written.endsWith('/*') ? `${written}*` : written;
  // What it takes away is not needed to know at least the packed files.
  if (entry.startsWith('!')) return { rules: entry.startsWith('!!') ? [anything] : [], required: [] };
  const kind = listing.kind(posix.join(folder, entry));
  if (kind === 'file') return { rules: [], required: [entry] };
  const rules = rulesOf(`!${entry}`);
  if (kind !== 'folder') return { rules, required: [] };
  return { rules: [...rules, ...rulesOf(`!${entry.replace(/\/+$/, '')}/**`)], required: [] };
}
