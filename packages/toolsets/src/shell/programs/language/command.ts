import type { Effect } from '../../effect.js';
import { textOf, type Word, type WordPart, word } from '../../word.js';
import { inFolder } from '../words.js';

/** A command in one text, as variables and settings have it: a shell runs it, but mostly it is only words. */
export function readCommand(text: Word, folder: Word | null): readonly Effect[] {
  const isPlain = text.parts.every((part) => typeof part === 'string' && isPlainText(part));
  if (!isPlain) return [{ kind: 'code', language: 'sh', text, ...inFolder(folder) }];
  const words = splitAtBlanks(text);
  return words.length === 0 ? [] : [{ kind: 'run', words, ...inFolder(folder) }];
}

/** A command whose words have commas between them. */
export function readCommaCommand(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(text);
  if (known === null) return [{ kind: 'code', language: 'sh', text: null, ...inFolder(folder) }];
  return [{ kind: 'run', words: known.split(',').map(word), ...inFolder(folder) }];
}

/** Whether a shell does nothing to the text but take it apart at blanks. */
export function isPlainText(text: string): boolean {
  return /^[\w ./:@%+,=-]*$/.test(text);
}

export function splitAtBlanks({ parts }: Word): readonly Word[] {
  const words: WordPart[][] = [[]];
  for (const part of parts) {
    if (typeof part !== 'string') {
      words.at(-1)?.push(part);
      continue;
    }
    part.split(/[ \t\n]+/).forEach((piece, index) => {
      if (index > 0) words.push([]);
      if (piece !== '') words.at(-1)?.push(piece);
    });
  }
  return words.filter((each) => each.length > 0).map((each) => ({ parts: each }));
}

/** The words of a text for `env -S`; null where they depend on variables, or it is not written as it may be. */
export function splitAsEnv(text: Word): readonly Word[] | null {
  const known = textOf(text);
  if (known === null) return null;
  const words: string[] = [];
  let current: string | null = null;
  for (let rest = known; rest !== ''; ) {
    const [piece, blank, single, double, escaped, plain] =
      /^(?:([ \t\n\r\f\v]+|\\_)|'([^'\\]*)'|"([^"\\$]*)"|\\([\\#$"'])|([^\s'"\\$#]|#))/.exec(rest) ?? [];
    if (piece === undefined || (piece === '#' && current === null)) return null;
    rest = rest.slice(piece.length);
    if (blank === undefined) current = (current ?? '') + (single ?? double ?? escaped ?? plain ?? '');
    else {
      if (current !== null) words.push(current);
      current = null;
    }
  }
  return [...words, ...(current === null ? [] : [current])].map(word);
}
