import type { Here, HowRun, Result } from '../here.js';
import { textOf, type Word, word } from '../word.js';

/** What a command does that the shell runs itself. */
export type Builtin = (words: readonly Word[], here: Here, how: HowRun & { readonly name: string }) => Result;

export const nothing: Result = { output: word('') };
export const unknownOutput: Result = { output: null };

export interface Options {
  /** What was given: each letter, with its value where it has one. */
  readonly options: readonly { readonly letter: string; readonly value: Word | null }[];
  readonly operands: readonly Word[];
  /** Whether a word that is not known may have been an option. */
  readonly is_open: boolean;
}

/** Reads short options as the shell's own commands do. `valued` are the letters with a value. */
export function readOptions(words: readonly Word[], valued: string, signs: '-' | '-+' = '-'): Options {
  const options: { letter: string; value: Word | null }[] = [];
  let is_open = false;
  for (let index = 0; index < words.length; index += 1) {
    const current = words[index] ?? word('');
    const text = textOf(current);
    const [start] = current.parts;
    if (text === '--') return { options, operands: words.slice(index + 1), is_open };
    const isOption = typeof start === 'string' && start.length > 1 && signs.includes(start[0] ?? '');
    if (!isOption) {
      is_open ||= typeof start !== 'string' && start !== undefined;
      return { options, operands: words.slice(index), is_open };
    }
    for (let at = 1; at < start.length; at += 1) {
      const letter = start[at] ?? '';
      if (!valued.includes(letter)) {
        options.push({ letter: start.startsWith('+') ? `+${letter}` : letter, value: null });
        continue;
      }
      const glued: Word = {
        parts: [start.slice(at + 1), ...current.parts.slice(1)].filter((part) => part !== ''),
      };
      if (glued.parts.length === 0) index += 1;
      options.push({ letter, value: glued.parts.length > 0 ? glued : (words[index] ?? null) });
      break;
    }
  }
  return { options, operands: [], is_open };
}

/** The name of a variable, or of an element of one, whose brackets are evaluated; null where it is neither or not known. */
export function nameOf(named: Word, here: Here): string | null {
  const text = textOf(named);
  if (text === null) {
    here.walk.report.opaque(
      named.parts.map((part) => (typeof part === 'string' ? part : part.text)).join(''),
      'which variable it is cannot be known',
    );
    return null;
  }
  if (/^[A-Za-z_]\w*$/.test(text)) return text;
  const [, name = null, index = ''] = /^([A-Za-z_]\w*)\[([\s\S]*)\]?/.exec(text) ?? [];
  if (name !== null) here.walk.arithmeticOf(word(index.replace(/\]$/, '')), here);
  return name;
}
