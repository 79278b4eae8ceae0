import type { Effect } from '../../effect.js';
import type { Lister, Reading } from '../../programs/reading.js';
import { append } from '../../programs/words.js';
import { text, textOf, type Word } from '../../word.js';
import { type Context, mayExist } from '../../world.js';
import { ending, namesInPatch } from '../git/commands/apply.js';
import { has, pathEffects, valuesOf } from '../options.js';
import { textRead } from '../text-read.js';

/** patch(1): the file that an operand names, or else those that a plain patch names. */
export const patch: Lister = (reading, context) => {
  const [file, ...from] = reading.operands;
  const names = file === undefined ? namesOf(reading, context) : null;
  const isDry = has(reading, '--dry-run');
  const touched = isDry ? (words: readonly Word[]) => pathEffects('read', words) : patchFiles;
  const { folder } = reading;
  const place = (effects: readonly Effect[]) => ({
    effects: folder === null ? effects : effects.map((effect) => ({ ...effect, folder })),
  });
  const why = 'the patch says which files it reads, writes and removes';
  const unknown: Effect = { kind: 'opaque', why, ...(isDry && { onlyReads: true }) };
  if (file !== undefined) {
    const body = bodyOf(reading, context, from);
    const isKept = body !== null && !elsewhere.test(body) && reading.open === null && !has(reading, removing);
    const known = [...touched([file], { mayLink: true }), ...pathEffects('read', from)];
    return place(isKept ? known : [...known, unknown]);
  }
  if (names !== null) return place(touched(names));
  const anywhere = pathEffects('write', [text('.')], { deep: true, mayLink: true });
  return place(isDry ? [unknown] : [...anywhere, unknown]);
};

const removing = '-E --remove-empty-files';

/** A name, and a date after which there is a file. `patch` also takes other forms of a date for a deletion. */
const kept = String.raw`(?!\S*/dev/null)\S+(?:\t2\d{3}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4})?)?)?`;

/** What may remove the only file that is named, or name another one. */
const elsewhere = new RegExp(
  String.raw`^(?:[ \tX]|- )*(?:(?:deleted|new) file|rename |copy |(?:---|\+\+\+|\*\*\*) (?!(?:${kept}|[\d,]+ [-*]{4})(?:\n|(?![^]))))`,
  'm',
);

function patchFiles(words: readonly Word[], how = {}): readonly Effect[] {
  const beside = ['.orig', '.rej'].flatMap((end) => words.map((word) => append(word, end)));
  // First what it reads: what is written may be a link afterwards.
  return [...pathEffects('read', words), ...pathEffects('write', [...beside, ...words], how)];
}

/** A diff of one existing file, as git writes it. */
const plainHeader = /^(?:diff --git a\/(\S+) b\/\1\n(?:index .*\n)?)?--- a\/(\S+)\n\+\+\+ b\/\2$/gm;

/** Other forms of a patch: enclosed ones, scripts for `ed`, and names that count from elsewhere. */
const otherForm = /^(?:Index:|Prereq:|\*\*\*|\d+(?:,\d+)?[acdis]|(?:rename|copy) )/m;

/** What `patch` also reads behind these signs. */
const indented =
  /^(?:[ \tX]|- )+(?:(?:---|\+\+\+|diff|\*\*\*) |Index:|\d+(?:,\d+)?[acdi]\r?$|(?:rename|copy) (?:from|to) |(?:old|new|deleted) (?:file )?mode |index [\da-f]+\.\.)/m;

/** Null if the patch is unknown or of another form, or if it may remove a file. */
function namesOf(reading: Reading, context: Context): readonly Word[] | null {
  const { folder, world } = context;
  const strips = valuesOf(reading, '-p --strip').map(textOf);
  const isOther = reading.open !== null || reading.folder !== null || has(reading, removing);
  const { real } = folder;
  if (isOther || real === null || strips.length === 0 || strips.some((each) => each !== '1')) return null;
  const body = bodyOf(reading, context);
  const names = body === null || otherForm.test(body) || indented.test(body) ? null : namesInPatch(body);
  if (body === null || names === null) return null;
  const isThere = (name: string) => mayExist(`${real}/${name}`, world);
  const isLink = (name: string) => world.listing.kind(`${real}/${name}`) === 'link';
  const rest = body.replaceAll(plainHeader, '');
  const mayEnd = ending.test(rest) && (namesInPatch(rest) ?? names).some(isThere);
  return mayEnd || names.some(isLink) ? null : names.map(text);
}

/** The patch, which an option, an operand or else the standard input has; null if it is unknown. */
function bodyOf(reading: Reading, { folder, input, world }: Context, operands: readonly Word[] = []) {
  const [given, ...others] = [...valuesOf(reading, '-i --input').slice(-1), ...operands];
  return others.length > 0 ? null : textRead(given, { folder: folder.real, input, world });
}
