import type { RunEffect } from '../effect.js';
import { numberWord, perhapsNumber } from '../number.js';
import { linesIn } from '../outputs.js';
import {
  isAnyNumber,
  type Names,
  namesWord,
  type Output,
  onlyNames,
  plainWord,
  text,
  textOf,
  unknown,
  type Word,
} from '../word.js';

/** The words of a command that a program runs, with those from the standard input (`xargs`). */
export function moreWords({ words, more, placeholder, isSplit }: RunEffect, input: Output): readonly Word[] {
  if (placeholder !== undefined) {
    const lines = input.kind === 'text' ? namesIn(input.text) : input;
    const isKept = lines.kind === 'names' && (more === 'nul' ? lines.separator === '\0' : isUnquoted(lines));
    const line = isKept
      ? namesWord(lines.names)
      : input.kind === 'words' && more !== 'nul'
        ? plainWord(input, placeholder)
        : input.kind === 'number' && more !== 'nul'
          ? { ...numberWord(input, placeholder), count: 'one' as const }
          : unknown(placeholder);
    return words.map((word) => replacePlaceholder(word, placeholder, line));
  }
  if (more === undefined) return words;
  const found = wordsFrom(more, input);
  const texts = found.map(textOf).filter((each) => each !== null);
  const isLong = texts.join(' ').length > longest;
  if (texts.length < found.length || texts.length === 0 || (isSplit !== true && !isLong))
    return [...words, ...found];
  return [...words, namesWord(onlyNames(texts), 'many')];
}

/** The number of characters that certainly fit into one command. */
const longest = 30_000;

function wordsFrom(more: NonNullable<RunEffect['more']>, input: Output): readonly Word[] {
  if (input.kind === 'names') {
    const isOther = (more === 'nul') !== (input.separator === '\0');
    const names = isOther ? null : more === 'blanks' ? splitAtBlanks(input.names) : input.names;
    return [names === null ? unknown('…', { count: 'many' }) : namesWord(names, 'many')];
  }
  if (input.kind === 'words' && more === 'blanks') return [{ ...plainWord(input, '…'), count: 'many' }];
  if (input.kind === 'number') return [numberWord(input, '…')];
  if (input.kind !== 'text' || more === 'nul') return [unknown('…', { count: 'many' })];
  // It interprets quotes and backslashes.
  if (/['"\\]/.test(input.text)) return [unknown('…', { count: 'many' })];
  const parts = input.text.split(/[ \t\n]+/).filter((part) => part !== '');
  // After `-d`, an empty line is put in like any other.
  return (more === 'lines' ? linesIn(input.text) : parts).map(text);
}

/** The most names that are put into a word in several places. */
const mostNames = 1_000;

/** The lines of a text, which are put in one by one. */
function namesIn(written: string): Extract<Output, { kind: 'names' }> {
  return { kind: 'names', names: onlyNames(linesIn(written)), separator: '\n' };
}

/** Whether a line stays the same when quotes, backslashes and leading blanks are removed. */
function isUnquoted({ names, separator }: Extract<Output, { kind: 'names' }>): boolean {
  return separator === '\n' && !names.open && names.texts.every((name) => !/^\s|['"\\\n]/.test(name));
}

/** The words between blanks; null where quotes and backslashes are removed from them. */
function splitAtBlanks({ texts, open }: Names): Names | null {
  // Which other blanks part words is not the same in all programs.
  if (open || texts.some((name) => /['"\\\v\f\r]/.test(name))) return null;
  const words = texts.flatMap((name) => name.split(/[ \t\n]+/)).filter((word) => word !== '');
  return onlyNames([...new Set(words)]);
}

/** A word with another word in place of a text. */
function replacePlaceholder(word: Word, placeholder: string, by: Word): Word {
  if (word.kind !== 'text' || !word.text.includes(placeholder)) return word;
  const [before = '', ...rest] = word.text.split(placeholder);
  if (by.kind === 'names' && rest.length === 1) return { ...by, before, after: rest[0] ?? '' };
  if (by.kind === 'names' && !by.names.open && by.names.texts.length <= mostNames)
    return namesWord(onlyNames(by.names.texts.map((name) => [before, ...rest].join(name))));
  const [after = '', ...others] = rest;
  if (before === '' && by.kind === 'unknown' && by.isPlain && /^[^\s*?[]*$/.test(rest.join('')))
    return unknown(word.text, {
      isPlain: true,
      ...(by.mayBeLines && { mayBeLines: true }),
      ...(by.afterId === '' && others.length === 0 && { afterId: after, ...(by.ids && { ids: by.ids }) }),
    });
  if (!isAnyNumber(by)) return unknown(word.text, { start: before });
  if (word.text === placeholder) return by;
  const shape = word.text.replaceAll(placeholder, perhapsNumber);
  return unknown(word.text, { start: before, shape, ...(by.mayBeNegative && { mayBeNegative: true }) });
}
