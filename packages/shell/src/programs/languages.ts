import { ownMember } from '@ambit/core';
import { likesOf } from '../number.js';
import { text, textOf, unknown, type Word } from '../word.js';
import type { Around, Effects, Languages } from './effects.js';
import { awk } from './language/awk.js';
import { commands } from './language/command.js';
import { curl } from './language/curl.js';
import { filters } from './language/filters.js';
import { git } from './language/git.js';
import { names } from './language/names.js';
import { perl } from './language/perl.js';
import { sed } from './language/sed.js';
import { small } from './language/small.js';
import { values } from './language/values.js';
import { inFolder } from './words.js';

/** Languages that are read here, by their names after `code:` in the table. */
const languages: Languages = {
  ...awk,
  ...commands,
  ...curl,
  ...filters,
  ...git,
  ...names,
  ...perl,
  ...sed,
  ...small,
  ...values,
};

/** The longest supported text, in characters. */
const longest = 10_000;

/** The effects of a text in a language: code for its interpreter, if the language is not supported. */
export function code(language: string, written: Word | null, around: Around): Effects {
  const read = ownMember(languages, language);
  const known = written ?? unknown('?');
  if (read === undefined)
    return [{ kind: 'code', language, text: textOf(known), ...inFolder(around.folder) }];
  const samples = (known.kind === 'unknown' && likesOf(known)) || [];
  const isFree = (each: string) =>
    free[language]?.test(each) === true && read(text(each), around).length === 0;
  const [rest, ...others] = samples.map((each) => untilLineEnd[language]?.exec(each)?.[0]);
  const isSame = others.every((each) => each === rest);
  if (samples.length > 0 && samples.every(isFree) && isSame) return [];
  return read((textOf(known)?.length ?? 0) > longest ? unknown('a long text') : known, around);
}

/**
 * Texts without effects that have none with other numbers. A number may be a separator of `s` and `y` in `sed`, but not
 * where all texts have another one. Several numbers end the script with an error there.
 */
const free: Readonly<Record<string, RegExp>> = {
  sed: /^[\d,+$~!pdq=;{}\s]*$|^[\d,$]*s([/|#])(?:(?:(?!\1)[^\\\n]|\\[^\n])*\1){2}[gpI]*$|^[\d,$]*[aic](?:[^\\\n]|\\[\s\S])*$/,
  awk: /^/,
  jq: /^/,
};

/** What ends at a line feed, as there are between several numbers: no number may stand in it. */
const untilLineEnd: Readonly<Record<string, RegExp>> = { sed: /[aic].*$/s, awk: /#.*$/s, jq: /#.*$/s };
