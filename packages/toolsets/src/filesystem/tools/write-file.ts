import { posix } from 'node:path';
import type { Capability, JsonObject, Tool } from '@ambit/core';
import * as z from 'zod';
import { currentText } from '../contained/current.js';
import { writeContained } from '../contained/write-contained.js';
import { cannotTouch, capabilitiesOf, mostBytes, mostNewFolders } from '../roots/access.js';
import { changedSinceRead } from '../roots/failure.js';
import { type Place, pathsOf, placeOf, realPlace } from '../roots/place.js';
import { isInside, type Roots } from '../roots/root.js';
import { type Changing, fileTool, type PlanOfOne } from './file-tool.js';

const input = z.strictObject({
  path: z.string().describe('the file; folders on the way are created'),
  content: z.string().describe('the whole new content'),
});

export function writeFileTool(roots: Roots, { turn, seen }: Changing): Tool<z.output<typeof input>> {
  return fileTool({
    name: 'write_file',
    description:
      'Writes a text file (UTF-8), whole. It replaces an existing file, unless that changed since it was last read.',
    input,
    turn,
    roots,
    plan: async ({ path, content }) => planWrite(await placeOf(path, roots), { roots, content }),
    preview: async ({ content }, { places: [place] }) => ({
      before: await currentText(place, roots),
      after: content,
    }),
    perform: async ({ content }, { places: [place] }) => {
      const bytes = Buffer.from(content);
      const { real, shown, stat } = realPlace(place);
      if (stat !== null && seen.isOther(real, { stat })) throw changedSinceRead(shown);
      await writeContained(realPlace(place), bytes, { roots, replaces: stat });
      seen.forget(real);
      return { path: place.shown, bytes: bytes.length, created: place.stat === null };
    },
  });
}

function planWrite(place: Place, { roots, content }: { roots: Roots; content: string }): PlanOfOne {
  const bytes = Buffer.byteLength(content);
  return {
    capabilities: capabilitiesOfWriting(place, { bytes }, roots),
    cannot:
      cannotTouch(place, 'write', roots) ??
      cannotCreateFolders(place, roots) ??
      cannotHoldText(place, { roots, bytes, text: content }),
    places: [place],
  };
}

/** With the folders that it creates. */
export function capabilitiesOfWriting(place: Place, facts: JsonObject, roots: Roots): readonly Capability[] {
  // More are not created, so they need not be described one by one.
  const created = place.missing.length > mostNewFolders ? [] : place.missing;
  const folders = created.map((real) => ({ real, named: namedAs(real, place) }));
  return [
    ...folders.flatMap((folder) =>
      capabilitiesOf(folder, { access: 'write', facts: { exists: false }, isNewFolder: true }, roots),
    ),
    ...capabilitiesOf(place, { access: 'write', facts: { ...facts, ...whatIsThere(place) } }, roots),
  ];
}

export function cannotCreateFolders({ shown, missing }: Place, roots: Roots): string | null {
  return missing.every((folder) => isInside(folder, roots))
    ? null
    : `the folder that \`${shown}\` lies in does not exist, and lies outside the sandbox`;
}

export function cannotHoldText(
  place: Place,
  { roots, bytes, text }: { roots: Roots; bytes: number; text: string },
): string | null {
  const most = mostBytes(place, roots);
  if (bytes > most) return `that is ${bytes} bytes, and \`${place.shown}\` may hold at most ${most}`;
  // Written as UTF-8, it would silently differ from the text that was judged.
  return /\p{Surrogate}/u.test(text) ? 'the content is not well-formed text' : null;
}

/** The facts of a write about the file that it replaces. */
export function whatIsThere({ real, stat }: Pick<Place, 'real' | 'stat'>): JsonObject {
  if (real === null) return {};
  if (stat === null) return { exists: false };
  return stat.isFile() && stat.nlink > 1 ? { exists: true, links: stat.nlink } : { exists: true };
}

/** A folder on the real path as the named path has it, where the two end alike. */
function namedAs(folder: string, place: Place): string | null {
  const [named] = pathsOf(place);
  const below = posix.relative(folder, place.real ?? folder);
  return named?.endsWith(`/${below}`) === true ? named.slice(0, -below.length - 1) || '/' : null;
}
