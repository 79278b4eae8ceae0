import type { Tool } from '@ambit/core';
import * as z from 'zod';
import { currentText } from '../contained/current.js';
import { readContained } from '../contained/read-contained.js';
import { isUnchanged, writeContained } from '../contained/write-contained.js';
import { cannotTouch, capabilitiesOf, mostBytes } from '../roots/access.js';
import { changed } from '../roots/failure.js';
import { filePlace, type Place, placeOf, realPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { fileTool, type Plan, type Turn } from './file-tool.js';
import { cannotTake } from './move-file.js';
import { tooLarge } from './read-file.js';
import { cannotCreateFolders, capabilitiesOfWriting } from './write-file.js';

const input = z.strictObject({
  path: z.string().describe('the file'),
  to: z.string().describe('the path of the copy, where nothing is yet; folders on the way are created'),
});

export function copyFileTool(roots: Roots, turn: Turn): Tool<z.output<typeof input>> {
  return fileTool({
    name: 'copy_file',
    description: 'Copies a file of any content. It replaces no file: delete an existing one first.',
    input,
    turn,
    roots,
    plan: async ({ path, to }) => planCopy(await placeOf(path, roots), await placeOf(to, roots), roots),
    preview: async (_, { places: [from, to] }) => ({
      path: to.named ?? to.shown,
      before: null,
      after: await currentText(from, roots),
    }),
    perform: async (_, { places: [from, to] }) => {
      const limit = Math.min(mostBytes(from, roots), mostBytes(to, roots));
      const { bytes, stat } = await readContained(from, { roots, limit });
      if (!isUnchanged(stat, filePlace(from).stat)) throw changed(from.shown);
      await writeContained(realPlace(to), bytes, { roots, replaces: null });
      return { path: from.shown, to: to.shown, bytes: bytes.length };
    },
  });
}

interface PlacesCopied extends Plan {
  readonly places: readonly [Place, Place];
}

function planCopy(from: Place, to: Place, roots: Roots): PlacesCopied {
  const cannot =
    cannotTouch(from, 'read', roots) ??
    tooLarge(from, roots) ??
    cannotTouch(to, 'write', roots) ??
    cannotCreateFolders(to, roots) ??
    cannotTake(to, from, roots);
  return {
    capabilities: [
      ...capabilitiesOf(from, { access: 'read' }, roots),
      ...capabilitiesOfWriting(to, from.stat?.isFile() === true ? { bytes: from.stat.size } : {}, roots),
    ],
    cannot,
    places: [from, to],
  };
}
