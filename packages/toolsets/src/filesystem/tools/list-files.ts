import { errorCode, type Json, membersOf, type Tool } from '@ambit/core';
import * as z from 'zod';
import { asFileSets } from '../../places/file-sets.js';
import { type Entry, entriesOf, foldersBelow, mostFolders } from '../contained/listing.js';
import { cannotTouch, capabilitiesOf } from '../roots/access.js';
import { FileError } from '../roots/failure.js';
import { isRealPlace, type Place, placeOf, type RealPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { atOnce, fileTool, type Plan } from './file-tool.js';

const input = z.strictObject({
  path: z.string().default('.').describe('the folder; `.` for all there is'),
  recursive: z.boolean().default(false).describe('also what lies in folders below; links are not followed'),
  after: z
    .string()
    .default('')
    .describe('list only what follows this path, for lists that are too long for one answer'),
});

const mostEntries = 250_000;

const pageEntries = 1000;

export function listFilesTool(roots: Roots): Tool<z.output<typeof input>> {
  return fileTool({
    name: 'list_files',
    description: 'Lists the files and folders in a folder, with their sizes.',
    input,
    turn: atOnce,
    plan: async ({ path, recursive }) => {
      const isTop = roots.naming === 'by_root' && ['', '.', './', '/'].includes(path);
      return isTop ? planTop(recursive, roots) : planFolder(await placeOf(path, roots), recursive, roots);
    },
    perform: async ({ after }, { places: [place], folders, names }) => {
      return { path: place?.shown ?? '.', ...pageAfter(await allEntries(names, folders, roots), after) };
    },
  });
}

interface FoldersListed extends Plan {
  /** Later folders are not entered. */
  readonly folders: readonly RealPlace[];
  readonly names: readonly Entry[];
}

async function planFolder(place: Place, recursive: boolean, roots: Roots): Promise<FoldersListed> {
  const cannot = cannotTouch(place, 'list', roots);
  const folders = cannot === null && isRealPlace(place) ? await foldersFrom(place, recursive) : [];
  const described = folders.length === 0 ? [place] : folders;
  return {
    capabilities: asFileSets(
      described.flatMap((folder) => capabilitiesOf(folder, { access: 'list' }, roots)),
    ),
    cannot: cannot ?? tooMany(folders),
    places: [place],
    folders,
    names: [],
  };
}

async function planTop(recursive: boolean, roots: Roots): Promise<FoldersListed> {
  const tops = await Promise.all(roots.list.map(({ name }) => placeOf(name, roots)));
  const plans = await Promise.all(tops.map((top) => planFolder(top, recursive, roots)));
  const usable = plans.filter(({ cannot }) => cannot === null);
  const folders = recursive ? usable.flatMap((plan) => plan.folders) : [];
  return {
    capabilities: asFileSets(plans.flatMap(({ capabilities }) => capabilities).flatMap(membersOf)),
    cannot: tooMany(folders),
    places: [],
    folders,
    names: roots.list.map(({ name }) => ({ path: name, kind: 'folder' })),
  };
}

async function foldersFrom(top: RealPlace, recursive: boolean): Promise<readonly RealPlace[]> {
  return recursive ? [top, ...(await foldersBelow(top))] : [top];
}

function tooMany(folders: readonly RealPlace[]): string | null {
  return folders.length > mostFolders
    ? `there are more than ${mostFolders} folders: list some of them, one by one`
    : null;
}

/** Rejects for a single folder that may not be read; among others it is marked. */
async function allEntries(
  names: readonly Entry[],
  folders: readonly RealPlace[],
  roots: Roots,
): Promise<readonly Entry[]> {
  const lists = [names];
  const unreadable = new Set<string>();
  // One after another, so that few handles are open at a time.
  let count = 0;
  for (const folder of folders) {
    const entries = await entriesOf(folder, roots).catch((error: unknown) => {
      if (folders.length === 1 || errorCode(error) !== 'EACCES') throw error;
      unreadable.add(folder.shown);
      return [];
    });
    count += entries.length;
    if (count > mostEntries)
      throw new FileError(`there are more than ${mostEntries} entries: list some of the folders`);
    lists.push(entries);
  }
  return lists.flat().map((entry) => (unreadable.has(entry.path) ? { ...entry, unreadable: true } : entry));
}

function pageAfter(found: readonly Entry[], after: string): { [key: string]: Json } {
  const rest = [...found].sort(byPath).filter(({ path }) => after === '' || path > after);
  const entries = rest.slice(0, pageEntries);
  const last = entries[entries.length - 1];
  const left = rest.length - entries.length;
  return {
    entries: entries.map((entry) => ({ ...entry })),
    rest:
      left > 0 && last !== undefined
        ? `${left} more: call again with after ${JSON.stringify(last.path)}`
        : null,
  };
}

/** By code units, so that the order is the same everywhere. */
function byPath(one: Entry, other: Entry): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}
