import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { readPlain } from '@ambit/toolsets';
import type { Effect } from '../../effect.js';
import { append } from '../../programs/words.js';
import { text, textOf, type Word } from '../../word.js';
import { mayDiffer, mayHaveChanged, type Scene } from '../../world.js';
import { ending, namesIn } from '../git/commands/apply.js';
import type { Lister, Reading } from '../lister.js';
import { has, pathEffects, valuesOf } from '../options.js';

/** patch(1): the file that an operand names, or else those that a plain patch names. */
export const patch: Lister = (reading, scene) => {
  const [file, ...from] = reading.operands;
  const names = file === undefined ? namesOf(reading, scene) : null;
  const isDry = has(reading, '--dry-run');
  const { folder } = reading;
  const place = (effects: readonly Effect[]) => ({
    effects: folder === null ? effects : effects.map((effect) => ({ ...effect, folder })),
  });
  if (file !== undefined) return place([...changed([file], { mayLink: true }), ...pathEffects('read', from)]);
  if (names !== null) return place(isDry ? pathEffects('read', names) : changed(names));
  const anywhere = pathEffects('write', [text('.')], { deep: true, mayLink: true });
  const why = 'the patch says which files it writes and removes';
  return place(isDry ? [] : [...anywhere, { kind: 'opaque', why }]);
};

function changed(words: readonly Word[], how = {}): readonly Effect[] {
  const beside = ['.orig', '.rej'].flatMap((end) => words.map((word) => append(word, end)));
  return [
    ...pathEffects('write', beside, how),
    ...pathEffects('read', words),
    ...pathEffects('write', words, how),
  ];
}

/** A diff of one existing file, as git writes it. */
const plainHeader = /^(?:diff --git a\/(\S+) b\/\1\n(?:index .*\n)?)?--- a\/(\S+)\n\+\+\+ b\/\2$/gm;

/** Other forms of a patch: indented or enclosed ones, scripts for `ed`, and names that count from elsewhere. */
const otherForm =
  /^(?:Index:|Prereq:|\*\*\*|\d+(?:,\d+)?[acdis]|(?:rename|copy) |(?:[ \t]+|- |X)(?:---|\+\+\+|diff|Index:|\*\*\*) )/m;

/** Null if the patch is unknown or of another form, or if it may remove a file. */
function namesOf(reading: Reading, { folder, input, world }: Scene): readonly Word[] | null {
  const strips = valuesOf(reading, '-p --strip').map(textOf);
  const isOther = reading.open !== null || reading.folder !== null || has(reading, '-E --remove-empty-files');
  const { real } = folder;
  if (isOther || real === null || strips.length === 0 || strips.some((each) => each !== '1')) return null;
  const given = valuesOf(reading, '-i --input').at(-1);
  const named = textOf(given);
  const path =
    named !== null ? posix.resolve(real, named) : input.kind === 'unknown' ? input.file : undefined;
  const isKnown = path !== undefined && named !== '-' && !mayDiffer(path, world.changes);
  const read = isKnown ? orNull(() => readPlain(path).toString('utf8')) : null;
  const body = given === undefined && input.kind === 'text' ? input.text : read;
  const names = body === null || otherForm.test(body) ? null : namesIn(body);
  if (body === null || names === null) return null;
  const kindOf = (name: string) => world.listing.kind(`${real}/${name}`);
  const isThere = (name: string) => kindOf(name) !== null || mayHaveChanged(`${real}/${name}`, world.changes);
  const rest = body.replaceAll(plainHeader, '');
  const mayEnd = ending.test(rest) && (namesIn(rest) ?? names).some(isThere);
  return mayEnd || names.some((name) => kindOf(name) === 'link') ? null : names.map(text);
}
