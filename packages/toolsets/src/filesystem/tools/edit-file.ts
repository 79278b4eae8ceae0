import type { JsonObject, Tool } from '@ambit/core';
import * as z from 'zod';
import { currentText } from '../contained/current.js';
import { readContained } from '../contained/read-contained.js';
import { writeContained } from '../contained/write-contained.js';
import { cannotTouch, capabilitiesOf, mostBytes } from '../roots/access.js';
import { changedSinceRead, FileError } from '../roots/failure.js';
import { type Place, placeOf, realPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { type Changing, fileTool, type PlanOfOne } from './file-tool.js';
import { readableText, tooLarge } from './read-file.js';
import { cannotHoldText, capabilitiesOfWriting } from './write-file.js';

const input = z.strictObject({
  path: z.string().describe('the file'),
  old_text: z
    .string()
    .min(1)
    .describe('the text to replace, exactly as in the file; it must occur once, unless `replace_all` is set'),
  new_text: z.string().describe('what to put in its place'),
  replace_all: z.boolean().default(false).describe('replace every occurrence'),
});
type Edit = z.output<typeof input>;

export function editFileTool(roots: Roots, { turn, seen }: Changing): Tool<Edit> {
  return fileTool({
    name: 'edit_file',
    description:
      'Replaces a piece of a text file (UTF-8) by another. Fails where the file changed since it was last read.',
    input,
    turn,
    roots,
    plan: async (edit) => planEdit(await placeOf(edit.path, roots), edit, roots),
    preview: async (edit, { places: [place] }) => {
      const before = await currentText(place, roots);
      const result = before === null ? null : edited(before, edit);
      return { before, after: result?.text ?? null };
    },
    perform: async (edit, { places: [place] }) => {
      const read = await readContained(place, { roots, limit: mostBytes(place, roots) });
      const { real, shown } = realPlace(place);
      if (seen.isOther(real, read)) throw changedSinceRead(shown);
      const { bytes, stat } = read;
      const result = edited(readableText(bytes, place.shown), edit);
      if (result.text === null) throw new FileError(`\`${place.shown}\`: ${result.problem}`);
      const written = Buffer.from(result.text);
      const most = mostBytes(place, roots);
      if (written.length > most) throw new FileError(`\`${place.shown}\` may hold at most ${most} bytes`);
      await writeContained(realPlace(place), written, { roots, replaces: stat });
      seen.forget(real);
      return { path: place.shown, bytes: written.length, replaced: result.count };
    },
  });
}

function planEdit(place: Place, edit: Edit, roots: Roots): PlanOfOne {
  const facts = sizeAfter(place, edit);
  const { old_text, new_text } = edit;
  const cannot =
    cannotTouch(place, 'read', roots) ??
    cannotTouch(place, 'write', roots) ??
    tooLarge(place, roots) ??
    cannotHoldText(place, { roots, bytes: facts.bytes ?? 0, text: new_text }) ??
    (old_text === new_text ? 'the new text equals the old one' : null);
  return {
    capabilities: [
      ...capabilitiesOf(place, { access: 'read' }, roots),
      ...capabilitiesOfWriting(place, facts, roots),
    ],
    cannot,
    places: [place],
  };
}

/** The new size, if the old text occurs once; unknown otherwise. */
function sizeAfter(
  { stat }: Place,
  { old_text, new_text, replace_all }: Edit,
): JsonObject & { readonly bytes?: number } {
  if (stat === null || !stat.isFile() || replace_all) return {};
  const bytes = stat.size - Buffer.byteLength(old_text) + Buffer.byteLength(new_text);
  return bytes < 0 ? {} : { bytes };
}

type Edited =
  | { readonly text: string; readonly count: number }
  | { readonly text: null; readonly problem: string };

function edited(text: string, { old_text, new_text, replace_all }: Edit): Edited {
  const first = text.indexOf(old_text);
  if (first === -1) return { text: null, problem: 'the old text does not occur in it' };
  if (replace_all) {
    const pieces = text.split(old_text);
    return { text: pieces.join(new_text), count: pieces.length - 1 };
  }
  // Overlapping occurrences count as two.
  if (text.includes(old_text, first + 1))
    return {
      text: null,
      problem: 'the old text occurs more than once: give more of the text around it, or replace all',
    };
  return { text: text.slice(0, first) + new_text + text.slice(first + old_text.length), count: 1 };
}
