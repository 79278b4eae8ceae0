import type { Tool } from '@ambit/core';
import * as z from 'zod';
import { moveContained } from '../contained/change-contained.js';
import { currentText } from '../contained/current.js';
import { cannotTouch, capabilitiesOf, mostBytes } from '../roots/access.js';
import { filePlace, type Place, placeOf, realPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { fileTool, type Plan, type Turn } from './file-tool.js';
import { tooLarge } from './read-file.js';
import { cannotCreateFolders, capabilitiesOfWriting } from './write-file.js';

const input = z.strictObject({
  path: z.string().describe('the file'),
  to: z.string().describe('its new path, where nothing is yet; folders on the way are created'),
});

export function moveFileTool(roots: Roots, turn: Turn): Tool<z.output<typeof input>> {
  return fileTool({
    name: 'move_file',
    description: 'Moves or renames a file. It replaces no file: delete an existing one first.',
    input,
    turn,
    roots,
    plan: async ({ path, to }) => planMove(await placeOf(path, roots), await placeOf(to, roots), roots),
    preview: async (_, { places: [from, to] }) => ({
      path: to.named ?? to.shown,
      before: null,
      after: await currentText(from, roots),
    }),
    perform: async (_, { places: [from, to] }) => {
      const limit = Math.min(mostBytes(from, roots), mostBytes(to, roots));
      await moveContained({ from: filePlace(from), to: realPlace(to), roots, limit });
      return { path: from.shown, to: to.shown };
    },
  });
}

interface PlacesMoved extends Plan {
  readonly places: readonly [Place, Place];
}

/** A move reads too: it makes the content available under another path, with other rules. */
function planMove(from: Place, to: Place, roots: Roots): PlacesMoved {
  const cannot =
    cannotTouch(from, 'read', roots) ??
    cannotTouch(from, 'delete', roots) ??
    tooLarge(from, roots) ??
    cannotTouch(to, 'write', roots) ??
    cannotCreateFolders(to, roots) ??
    cannotTake(to, from, roots);
  return {
    capabilities: [
      ...capabilitiesOf(from, { access: 'read' }, roots),
      ...capabilitiesOf(from, { access: 'delete' }, roots),
      ...capabilitiesOfWriting(to, from.stat?.isFile() === true ? { bytes: from.stat.size } : {}, roots),
    ],
    cannot,
    places: [from, to],
  };
}

/** Why a file cannot get a name. */
export function cannotTake(to: Place, from: Place, roots: Roots): string | null {
  if (to.stat !== null) return `\`${to.shown}\` exists already`;
  const most = mostBytes(to, roots);
  const size = from.stat?.size ?? 0;
  return size > most
    ? `\`${from.shown}\` holds ${size} bytes, and \`${to.shown}\` may hold at most ${most}`
    : null;
}
