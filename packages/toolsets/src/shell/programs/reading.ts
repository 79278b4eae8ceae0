import { startOf, textOf, type Word } from '../word.js';
import type { OptionEntry } from './entry.js';
import { findOption } from './option.js';
import type { Program } from './program.js';
import type { Role } from './role.js';
import { isMany, isOpenStart, isUnknownStart, written } from './words.js';

/** Which of a program's words are options, their values, and operands. */
export interface Reading {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Word[];
  readonly given: ReadonlySet<string>;
  /** A word that may be any option; null where there is none. */
  readonly open: Word | null;
  /** A pattern that may match a file whose name is an option (`tar cf a.tar *`); null where there is none. */
  readonly pattern: Word | null;
  /** Options that the table does not know, as they are written. */
  readonly unknown: readonly string[];
  /** Words that mean nothing by themselves, `( ) !`. */
  readonly ignored: readonly string[];
  /** What follows the first operand, where that names a subcommand. */
  readonly rest: readonly Word[];
}

export interface GivenOption {
  readonly entry: OptionEntry;
  readonly values: readonly Word[];
  /** The words of a command that is its value. */
  readonly command: readonly Word[];
}

interface State {
  readonly program: Program;
  readonly words: readonly Word[];
  readonly options: GivenOption[];
  readonly operands: Word[];
  readonly unknown: string[];
  readonly ignored: string[];
  open: Word | null;
  pattern: Word | null;
  next: number;
  isEnded: boolean;
}

export function readWords(program: Program, words: readonly Word[]): Reading {
  const state: State = {
    program,
    words,
    options: [],
    operands: [],
    unknown: [],
    ignored: [],
    open: null,
    pattern: null,
    next: 0,
    isEnded: false,
  };
  if (program.spec.isBundled === true) readBundle(state);
  while (state.next < words.length) {
    readWord(state);
    if (program.hasCommands && state.operands.length > 0) break;
  }
  const { options, operands, open, pattern, unknown, ignored, next } = state;
  const given = new Set(options.flatMap(namesOf));
  return { options, operands, open, pattern, unknown, ignored, given, rest: words.slice(next) };
}

/** Its spellings; where it need not have a value and has one, `-i=` besides. */
function namesOf({ entry, values }: GivenOption): readonly string[] {
  const isFull = entry.isOptional && values.length > 0;
  return isFull ? [...entry.names, ...entry.names.map((name) => `${name}=`)] : entry.names;
}

function readWord(state: State): void {
  const word = state.words[state.next];
  state.next += 1;
  if (word === undefined) return;
  const text = textOf(word);
  if (!state.isEnded) {
    if (text === '--') {
      state.isEnded = true;
      return;
    }
    if (text !== null && state.program.ignored.has(text)) {
      state.ignored.push(text);
      return;
    }
    if (isOpenStart(word)) {
      if (mayBeOption(word, state.program)) state.open ??= word;
      else state.pattern ??= word;
    } else if (isOption(word, state.program)) {
      readOption(state, word);
      return;
    } else if (state.program.spec.isPosix === true) state.isEnded = true;
  }
  state.operands.push(word);
}

function mayBeOption(word: Word, { spec, hasCommands }: Program): boolean {
  return spec.isClosed !== true && (isUnknownStart(word) || hasCommands);
}

function isOption(word: Word, { options, prefixes }: Program): boolean {
  const start = startOf(word);
  if (start.startsWith('-')) return textOf(word) !== '-' || options.has('-');
  if (start.startsWith('+') && options.has(start)) return true;
  return prefixes.some(({ names }) => names[0]?.startsWith('-') === false && start.startsWith(names[0]));
}

function readOption(state: State, word: Word): void {
  const found = findOption(state.program, word);
  if (found.isOpen) state.open ??= word;
  for (const entry of found.flags) state.options.push({ entry, values: [], command: [] });
  if (found.unknown !== null) state.unknown.push(found.unknown);
  if (found.entry !== null) take(state, found.entry, found.glued);
}

/** The words that belong to an option, the first perhaps glued to it. */
function take(state: State, entry: OptionEntry, glued: Word | null): void {
  const values: Word[] = glued === null ? [] : [glued];
  if (entry.isOptional) {
    state.options.push({ entry, values, command: [] });
    return;
  }
  if (glued !== null && isEntry(entry.values[0])) {
    state.options.push({ entry, values: [], command: [glued, ...state.words.slice(state.next)] });
    state.next = state.words.length;
    return;
  }
  while (values.length < entry.values.length) {
    const kind = entry.values[values.length]?.[0]?.kind;
    if (kind === 'rest') {
      state.next = state.words.length;
      break;
    }
    if (kind === 'command' || kind === 'entry' || kind === 'split' || kind === 'shell') {
      state.options.push({ entry, values, command: takeCommand(state, entry, values.length) });
      return;
    }
    const word = state.words[state.next];
    if (word === undefined) break;
    state.next += 1;
    values.push(word);
    if (isMany(word)) {
      if (isUnknownStart(word)) state.open ??= word;
      else state.operands.push(word);
    }
  }
  state.options.push({ entry, values, command: [] });
}

function isEntry(roles: readonly Role[] | undefined): boolean {
  return roles?.[0]?.kind === 'entry' || roles?.[0]?.kind === 'split';
}

function takeCommand(state: State, entry: OptionEntry, index: number): readonly Word[] {
  const role = entry.values[index]?.[0];
  const from = state.next;
  const end = state.words.findIndex((word, at) => at >= from && isEnd(word, state.words[at - 1]));
  const until = role?.kind === 'command' && role.until === ';' && end !== -1 ? end : state.words.length;
  state.next = until + 1;
  return state.words.slice(from, until);
}

function isEnd(word: Word, before: Word | undefined): boolean {
  const text = textOf(word);
  return text === ';' || (text === '+' && before !== undefined && textOf(before) === '{}');
}

/** `xzf`: the letters are options, and their values are the words after it. */
function readBundle(state: State): void {
  const first = state.words[0];
  if (first === undefined || isOpenStart(first) || startOf(first).startsWith('-')) return;
  state.next = 1;
  const text = textOf(first);
  if (text === null) state.open = first;
  for (const letter of startOf(first)) {
    const entry = state.program.options.get(`-${letter}`);
    if (entry === undefined) state.unknown.push(written(first));
    else if (entry.isOptional) state.options.push({ entry, values: [], command: [] });
    else take(state, entry, null);
  }
}
