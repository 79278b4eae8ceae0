import type { Here } from './here.js';
import { folderOfNames } from './listed-names.js';
import { textOf, type Word, word } from './word.js';
import { compact } from './words/fields.js';
import { hasBlanks, isWithin } from './words/listed.js';

/** What a program writes, where that is its input, a number, or names of files in a folder. */
export function outputOf(name: string, words: readonly Word[], input: Word | null): Word | null {
  const texts = words.map(textOf);
  if ((name === 'cat' && texts.every((text) => text === '-')) || name === 'tee') return input;
  const known = texts.filter((text) => text !== null);
  if (known.length === texts.length && isNumber(name, known))
    return compact([{ kind: 'text', text: name, is_number: true }, '\n']);
  const folder = folderOfNames(name, words);
  return folder === null ? null : compact([folder, { kind: 'glob', text: '**' }, '\n']);
}

function isNumber(name: string, words: readonly string[]): boolean {
  const [first = ''] = words;
  switch (name) {
    case 'wc':
      return words.length === 1 && /^-[clmwL]$/.test(first);
    case 'date':
      return words.length === 1 && /^\+%[sYmdHMSjN]$/.test(first);
    case 'id':
      return words.length === 1 && /^-[ugG]$/.test(first);
    case 'grep':
      return words.includes('-c') && words.length <= 3;
    default:
      return name === 'nproc' && words.length === 0;
  }
}

const splitting = /^(?:-r|-t|-[nP]\d*|-0|--no-run-if-empty|--null|\d+)$/;

/** The words that `xargs` makes of its input; null where they are not known. */
export function namesFromInput(program: string, words: readonly Word[], here: Here): readonly Word[] | null {
  const { text: input } = here.input;
  if (program !== 'xargs' || input === null || input.parts.length === 0) return null;
  const texts = words.map((each) => textOf(each) ?? '-?');
  const command = texts.findIndex((text) => !splitting.test(text));
  const options = texts.slice(0, command === -1 ? texts.length : command);
  if (texts[command]?.startsWith('-') === true) return null;
  const known = textOf(input);
  if (known !== null) {
    const isPlain = /^[\w./\s-]*$/.test(known) && !options.some((text) => /0|null/.test(text));
    return isPlain
      ? known
          .split(/\s+/)
          .filter((text) => text !== '')
          .map(word)
      : null;
  }
  const isNames = input.parts.every((part) => typeof part === 'string' || part.kind === 'glob');
  const isWhole = options.some((text) => /^-.*0$|null/.test(text)) || !hasBlanks(input, here);
  if (!isWhole || !isWithin(input, here)) return null;
  return isNames ? [{ parts: input.parts.filter((part) => part !== '\n') }] : null;
}
