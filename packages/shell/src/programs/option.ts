import { startOf, textOf, type Word, writtenAs } from '../word.js';
import type { OptionEntry } from './entry/entry.js';
import type { Program } from './program.js';
import { dropStart } from './words.js';

/** The meaning of a word that begins like an option. */
export interface FoundOption {
  /** Flags before the last option in the same word. */
  readonly flags: readonly OptionEntry[];
  readonly entry: OptionEntry | null;
  /** The value that is glued to the option or follows `=`. */
  readonly glued: Word | null;
  /** Why it is not an option of the program; null if it is one. */
  readonly problem: string | null;
  /** Whether an unknown part of the word may name options. */
  readonly isOpen: boolean;
}

export function findOption(program: Program, word: Word): FoundOption {
  const { options, prefixes, spec } = program;
  const start = startOf(word);
  const whole = textOf(word);
  const exact = whole === null ? undefined : options.get(whole);
  if (exact !== undefined) return found(exact, null);
  if (start.startsWith('--') || spec.dashed === true) {
    const equals = start.indexOf('=');
    const entry = equals === -1 ? undefined : options.get(start.slice(0, equals));
    if (entry !== undefined && entry.values.length > 0) return found(entry, dropStart(word, equals + 1));
  }
  const prefix = prefixes.find(({ names: [name = ''] }) => start.startsWith(name));
  if (prefix !== undefined) return found(prefix, dropStart(word, prefix.names[0]?.length ?? 0));
  return start.startsWith('--') || spec.dashed === true ? notFound(word) : cluster(program, word);
}

/** `-xvf`: flags, of which the last may have a value. */
function cluster({ options, prefixes, spec }: Program, word: Word): FoundOption {
  const start = startOf(word);
  const isWhole = textOf(word) !== null;
  const flags: OptionEntry[] = [];
  let hasNumber = false;
  for (let index = 1; index < start.length; index += 1) {
    const letter = start[index] ?? '';
    const digits = /^\d+/.exec(start.slice(index))?.[0] ?? '';
    const number = digits === '' ? undefined : options.get('-#');
    const entry = options.get(`-${letter}`) ?? number;
    if (entry === undefined) {
      const prefix = prefixes.find(({ names }) => names[0] === `-${letter}`);
      if (prefix === undefined) return notFound(word);
      return { ...found(prefix, dropStart(word, index + 1)), flags };
    }
    if (entry.values.length > 0) {
      const isLast = index === start.length - 1 && isWhole;
      // A letter after a number may change its meaning: `head -5c`.
      if (hasNumber || (spec.separate === true && !isLast)) return notFound(word);
      return { ...found(entry, isLast ? null : dropStart(word, index + 1)), flags };
    }
    flags.push(entry);
    hasNumber ||= entry === number;
    if (entry === number) index += digits.length - 1;
  }
  if (word.kind === 'names') return notFound(word);
  const isOpen = word.kind === 'unknown' && !(word.isNumber === true && options.has('-#'));
  return { flags, entry: null, glued: null, problem: null, isOpen };
}

function found(entry: OptionEntry, glued: Word | null): FoundOption {
  return { flags: [], entry, glued, problem: null, isOpen: false };
}

function notFound(word: Word): FoundOption {
  const problem = `the option \`${writtenAs(word)}\` is unknown`;
  return { flags: [], entry: null, glued: null, problem, isOpen: false };
}
