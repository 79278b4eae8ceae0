import type { Tool } from '@ambit/core';
import * as z from 'zod';
import { deleteContained } from '../contained/change-contained.js';
import { currentText } from '../contained/current.js';
import { cannotTouch, capabilitiesOf } from '../roots/access.js';
import { filePlace, placeOf } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { fileTool, type Turn } from './file-tool.js';

const input = z.strictObject({ path: z.string().describe('the file') });

export function deleteFileTool(roots: Roots, turn: Turn): Tool<z.output<typeof input>> {
  return fileTool({
    name: 'delete_file',
    description: 'Deletes a file. Folders and links are not deleted.',
    input,
    turn,
    roots,
    plan: async ({ path }) => {
      const place = await placeOf(path, roots);
      const capabilities = capabilitiesOf(place, { access: 'delete' }, roots);
      return { capabilities, cannot: cannotTouch(place, 'delete', roots), places: [place] as const };
    },
    preview: async (_, { places: [place] }) => ({
      path: place.named ?? place.shown,
      before: await currentText(place, roots),
      after: null,
    }),
    perform: async (_, { places: [place] }) => {
      await deleteContained(filePlace(place), roots);
      return { path: place.shown, deleted: true };
    },
  });
}
