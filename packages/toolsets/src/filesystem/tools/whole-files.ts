import type { Tool } from '@ambit/core';
import * as z from 'zod';
import { saidBy } from '../../places/said-by.js';
import { deleteContained, moveContained } from '../contained/change-contained.js';
import { currentText } from '../contained/current.js';
import { readContained } from '../contained/read-contained.js';
import { isUnchanged, writeContained } from '../contained/write-contained.js';
import { cannotTouch, capabilitiesOf, mostBytes } from '../roots/access.js';
import { changed } from '../roots/failure.js';
import { filePlace, type Place, placeOf, realPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { fileTool, type Plan, type Turn } from './file-tool.js';
import { tooLarge } from './read-file.js';
import { cannotCreateFolders, capabilitiesOfWriting } from './write-file.js';

const inputTo = (what: string) =>
  z.strictObject({
    path: z.string().describe('the file'),
    to: z.string().describe(`${what}, where nothing exists yet; folders on the way are created`),
  });

export function copyFileTool(roots: Roots, turn: Turn): Tool<z.output<ReturnType<typeof inputTo>>> {
  return fileTool({
    name: 'copy_file',
    description: 'Copies a file of any content. It replaces no file: delete an existing one first.',
    input: inputTo('the path of the copy'),
    ...common(['read'], roots, turn),
    perform: async (_, { places: [from, to] }) => {
      const limit = Math.min(mostBytes(from, roots), mostBytes(to, roots));
      const { bytes, stat } = await readContained(from, { roots, limit });
      if (!isUnchanged(stat, filePlace(from).stat)) throw changed(from.shown);
      await writeContained(realPlace(to), bytes, { roots, replaces: null });
      return { path: from.shown, to: to.shown, bytes: bytes.length };
    },
  });
}

/** A move reads too: it makes the content available under another path, with other rules. */
export function moveFileTool(roots: Roots, turn: Turn): Tool<z.output<ReturnType<typeof inputTo>>> {
  return fileTool({
    name: 'move_file',
    description: 'Moves or renames a file. It replaces no file: delete an existing one first.',
    input: inputTo('its new path'),
    ...common(['read', 'delete'], roots, turn),
    perform: async (_, { places: [from, to] }) => {
      const limit = Math.min(mostBytes(from, roots), mostBytes(to, roots));
      await moveContained({ from: filePlace(from), to: realPlace(to), roots, limit });
      return { path: from.shown, to: to.shown };
    },
  });
}

const deleted = z.strictObject({ path: z.string().describe('the file') });

export function deleteFileTool(roots: Roots, turn: Turn): Tool<z.output<typeof deleted>> {
  return fileTool({
    name: 'delete_file',
    description: 'Deletes a file. Folders and links are not deleted.',
    input: deleted,
    turn,
    roots,
    plan: async ({ path }) => {
      const place = await placeOf(path, roots);
      const capabilities = capabilitiesOf(place, { access: 'delete' }, roots);
      return { capabilities, cannot: cannotTouch(place, 'delete', roots), places: [place] as const };
    },
    preview: async (_, { places: [place] }) => ({
      before: await currentText(place, roots),
      after: null,
    }),
    perform: async (_, { places: [place] }) => {
      await deleteContained(filePlace(place), roots);
      return { path: place.shown, deleted: true };
    },
  });
}

type Access = 'read' | 'delete';

interface PlanOfTwo extends Plan {
  readonly places: readonly [Place, Place];
}

function common(accesses: readonly Access[], roots: Roots, turn: Turn) {
  return {
    turn,
    roots,
    plan: async ({ path, to }: { readonly path: string; readonly to: string }) =>
      planOf([await placeOf(path, roots), await placeOf(to, roots)], accesses, roots),
    preview: async (_: unknown, { places: [from] }: PlanOfTwo) => ({
      before: null,
      after: await currentText(from, roots),
    }),
  };
}

function planOf(places: PlanOfTwo['places'], accesses: readonly Access[], roots: Roots): PlanOfTwo {
  const [from, to] = places;
  const cannot =
    accesses.map((access) => cannotTouch(from, access, roots)).find((why) => why !== null) ??
    tooLarge(from, roots) ??
    cannotTouch(to, 'write', roots) ??
    cannotCreateFolders(to, roots) ??
    cannotTake(to, from, roots);
  const size = from.stat?.isFile() === true ? { bytes: from.stat.size } : {};
  const written = capabilitiesOfWriting(to, size, roots);
  return {
    // A move loses no file, unlike a deletion: rules for `mv` apply to it.
    capabilities: [
      ...capabilitiesOf(from, { access: 'read' }, roots),
      ...(accesses.includes('delete')
        ? saidBy('mv', [...capabilitiesOf(from, { access: 'delete' }, roots), ...written])
        : written),
    ],
    cannot,
    places,
  };
}

function cannotTake(to: Place, from: Place, roots: Roots): string | null {
  if (to.stat !== null) return `\`${to.shown}\` exists already`;
  const most = mostBytes(to, roots);
  const size = from.stat?.size ?? 0;
  return size > most
    ? `\`${from.shown}\` holds ${size} bytes, and \`${to.shown}\` may hold at most ${most}`
    : null;
}
