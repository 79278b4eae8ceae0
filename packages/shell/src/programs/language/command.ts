import { text, textOf, type Word } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { inFolder } from '../words.js';
import { shell } from './make-effect.js';

/** A command in one text, as in settings: a shell runs it, but mostly it consists of plain words. */
export function readCommand(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known === null || !/^[\w ./:@%+,=-]*$/.test(known) || /^\s*\w+=/.test(known))
    return [shell(known, around)];
  const words = known.split(/ +/).filter((each) => each !== '');
  return words.length === 0 ? [] : [{ kind: 'run', words: words.map(text), ...inFolder(around.folder) }];
}
