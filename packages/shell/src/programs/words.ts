import { posix } from 'node:path';
import { isSigned, likesOf } from '../number.js';
import {
  type NamesWord,
  namesWord,
  onlyNames,
  startOf,
  text,
  textOf,
  textsIn,
  type UnknownWord,
  unknown,
  type Word,
  writtenAs,
} from '../word.js';
import type { Context } from '../world.js';

/** Removes the first `count` characters of a word; they are known. */
export function dropStart(word: Word, count: number): Word {
  if (word.kind === 'text') return text(word.text.slice(count));
  if (word.kind === 'names') return { ...word, before: word.before.slice(count) };
  const { shape, ...rest } = word;
  const isKnown = shape !== undefined && count <= word.start.length;
  return { ...rest, start: word.start.slice(count), ...(isKnown && { shape: shape.slice(count) }) };
}

export function mayBeginWithDash(word: Word): boolean {
  return mayBeginWith('-', word);
}

/** Whether one of its arguments may begin with this character. */
export function mayBeginWith(character: string, word: Word): boolean {
  if (word.kind === 'text') return word.text.startsWith(character);
  if (word.kind === 'unknown')
    return isPlain(word)
      ? isSigned(word) && character === '-'
      : isStart(word.start, character) && !beginsOtherwise(word, character);
  if (word.before !== '') return word.before.startsWith(character);
  const { texts, open, under } = word.names;
  if (texts.some((each) => `${each}${word.after}`.startsWith(character))) return true;
  return open && (under === null || isStart(under, character));
}

/** Whether all its texts are one argument, no pattern, and no option except a negative number. */
export function isPlain(word: NamesWord | UnknownWord): boolean {
  if (word.kind !== 'unknown') return false;
  return (
    word.isNumber === true ||
    word.isPlain === true ||
    likesOf(word)?.every((each) => plain.test(each)) === true
  );
}

/** Whether certainly none of its texts begins with this character, even if they hold blanks. */
function beginsOtherwise(word: UnknownWord, character: string): boolean {
  if (word.mayBeNegative === true) return false;
  const likes = likesOf(word) ?? [];
  return (
    likes.length > 0 && likes.every((each) => each !== '' && !each.startsWith(character)) && character !== '@'
  );
}

const plain = /^[^-\s*?[\\][^\s*?[\\]*$/;

function isStart(start: string, character: string): boolean {
  return start === '' || start.startsWith(character);
}

export function isUnknownStart(word: Word): word is UnknownWord {
  return word.kind === 'unknown' && word.start === '' && !isPlain(word);
}

export function append(word: Word, suffix: string): Word {
  if (word.kind === 'text') return text(word.text + suffix);
  if (word.kind === 'names') return { ...word, after: word.after + suffix };
  const { shape, end } = word;
  return {
    ...word,
    ...(end !== undefined && { end: end + suffix }),
    ...(shape !== undefined && { shape: shape + suffix }),
  };
}

/** Why a program that does more than read a pipe is opaque. */
export function notRead(pipe: Word): string {
  return `\`${writtenAs(pipe)}\` is described only where it is read as a file`;
}

/** Unknown names in the folder of a path; an unknown word if the path is unknown. */
export function beside(word: Word): Word {
  const path = textOf(word);
  if (path === null) return unknown(writtenAs(word), { start: '' });
  return namesWord({ texts: [], open: true, under: posix.dirname(path) });
}

/** Maps each text of a word; an unknown one with the same start stays unknown. */
export function mapWord(word: Word, change: (value: string) => string): Word {
  if (word.kind === 'text') return text(change(word.text));
  if (word.kind === 'unknown' || word.names.open) return unknown(startOf(word), { count: word.count });
  return namesWord(onlyNames(textsIn(word).map(change)), word.count);
}

/** `folder/path`, or `path` itself if it is absolute; null if unknown. */
export function pathBelow(folder: Word | null, path: Word): Word | null {
  if (folder === null || startOf(path).startsWith('/')) return path;
  const [before, after] = [textOf(folder), textOf(path)];
  return before === null || after === null ? null : text(`${before}/${after}`);
}

/** The folder property of an effect with relative paths. */
export function inFolder(folder: Word | null): { readonly folder?: Word } {
  return folder === null ? {} : { folder };
}

/** Whether a word may name the standard input by a path, or by a link that the line creates. */
export function mayBeStream(word: Word, { world }: Context): boolean {
  if (word.kind === 'unknown') return true;
  const isElsewhere = (text: string) => /^\/+(?:dev|proc)\/|(?:^|\/)\.{1,2}\/.*(?:dev|proc)\//.test(text);
  return world.changes.links.size > 0 || textsIn(word).some(isElsewhere);
}
