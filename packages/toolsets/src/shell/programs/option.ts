import { startOf, textOf, type Word } from '../word.js';
import type { OptionEntry } from './entry.js';
import type { Program } from './program.js';
import { dropStart, written } from './words.js';

/** What a word that begins like an option is. */
export interface FoundOption {
  /** Options without a value that stand before the last one in the same word. */
  readonly flags: readonly OptionEntry[];
  readonly entry: OptionEntry | null;
  /** The value that is glued to it, or after `=`. */
  readonly glued: Word | null;
  readonly unknown: string | null;
  /** Whether a part of the word is not known that may name options. */
  readonly isOpen: boolean;
}

export function findOption(program: Program, word: Word): FoundOption {
  const start = startOf(word);
  const text = textOf(word);
  const exact = text === null ? undefined : program.options.get(text);
  if (exact !== undefined) return found(exact, null);
  const equals = start.indexOf('=');
  if (start.startsWith('--') || program.spec.isDashed === true) {
    const name = equals === -1 ? text : start.slice(0, equals);
    const entry = name === null ? null : named(program, name);
    const isValueTaken = entry !== null && (equals === -1 || entry.values.length > 0);
    if (isValueTaken) return found(entry, equals === -1 ? null : dropStart(word, equals + 1));
  }
  const prefix = program.prefixes.find(({ names: [name = ''] }) => start.startsWith(name));
  if (prefix !== undefined) return found(prefix, dropStart(word, prefix.names[0]?.length ?? 0));
  if (start.startsWith('--')) return notFound(word);
  return cluster(program, word);
}

/** By its name, or by the beginning of a long name that no other option shares. */
function named({ options }: Program, name: string): OptionEntry | null {
  const exact = options.get(name);
  if (exact !== undefined || !name.startsWith('--')) return exact ?? null;
  const entries = new Set<OptionEntry>();
  for (const [each, entry] of options) if (each.startsWith(name)) entries.add(entry);
  const [only = null, ...others] = entries;
  return others.length === 0 ? only : null;
}

function cluster({ options, prefixes }: Program, word: Word): FoundOption {
  const start = startOf(word);
  const isWhole = textOf(word) !== null;
  const flags: OptionEntry[] = [];
  for (let index = 1; index < start.length; index += 1) {
    const letter = start[index] ?? '';
    const numbers = /^\d+/.exec(start.slice(index))?.[0];
    const number = numbers === undefined ? undefined : options.get('-#');
    const entry = options.get(`-${letter}`) ?? number;
    const prefix = prefixes.find(({ names }) => names[0] === `-${letter}`);
    if (entry === undefined && prefix !== undefined)
      return { ...found(prefix, dropStart(word, index + 1)), flags };
    if (entry === undefined) return { ...notFound(word), flags };
    const isLast = index === start.length - 1 && isWhole;
    if (entry === number && numbers !== undefined) {
      flags.push(entry);
      index += numbers.length - 1;
    } else if (entry.values.length > 0) {
      return { ...found(entry, isLast ? null : dropStart(word, index + 1)), flags };
    } else flags.push(entry);
  }
  return { flags, entry: null, glued: null, unknown: isWhole ? null : written(word), isOpen: !isWhole };
}

function found(entry: OptionEntry, glued: Word | null): FoundOption {
  return { flags: [], entry, glued, unknown: null, isOpen: false };
}

function notFound(word: Word): FoundOption {
  return { flags: [], entry: null, glued: null, unknown: written(word), isOpen: textOf(word) === null };
}
