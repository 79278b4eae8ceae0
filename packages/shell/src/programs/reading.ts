import { isSigned } from '../number.js';
import {
  isMany,
  type NamesWord,
  startOf,
  textOf,
  textsIn,
  type UnknownWord,
  type Word,
  writtenAs,
} from '../word.js';
import type { Context, ListerResult } from '../world.js';
import type { OptionEntry } from './entry/entry.js';
import type { Role } from './entry/role.js';
import { findOption } from './option.js';
import type { Program } from './program.js';
import { isPlain, mayBeginWith, mayBeginWithDash } from './words.js';

/** The options, values and operands among a program's words. */
export interface Reading {
  /** Options and values in the given order. */
  readonly options: readonly GivenOption[];
  readonly operands: readonly Word[];
  /** Every spelling of the given options, those of the commands above it included. */
  readonly given: ReadonlySet<string>;
  /** A word that may be any option, or `--`; null if there is none. */
  readonly open: Word | null;
  /** Options, operands and ignored words (`( ) !`, and `--` at the end of options), in order. */
  readonly sequence: readonly Item[];
  readonly words: readonly Word[];
  /** The words after the first operand, if that names a subcommand. */
  readonly rest: readonly Word[];
  /** The folder of relative operands, if an option names one. */
  readonly folder: Word | null;
}

/** Lists the files that a program touches; null to leave it to the table. */
export type Lister = (reading: Reading, context: Context) => ListerResult | null;

export type Item =
  | { readonly kind: 'option'; readonly option: GivenOption }
  | { readonly kind: 'operand'; readonly word: Word }
  | { readonly kind: 'ignored'; readonly text: string };

export interface GivenOption {
  readonly entry: OptionEntry;
  readonly values: readonly Word[];
  /** The words of a command as its last value. */
  readonly command: readonly Word[];
}

interface State {
  readonly program: Program;
  readonly words: readonly Word[];
  readonly sequence: Item[];
  open: Word | null;
  problem: string | null;
  next: number;
  isEnded: boolean;
  /** Whether options may have ended, at a word that may not be an option. */
  mayBeEnded: boolean;
}

/** The meaning of each word, or a text that says why one has none. */
export function readWords(program: Program, words: readonly Word[]): Omit<Reading, 'folder'> | string {
  const state: State = {
    program,
    words,
    sequence: [],
    open: null,
    problem: null,
    next: 0,
    isEnded: false,
    mayBeEnded: false,
  };
  const file = program.spec.at_files === true && words.find((word) => mayBeginWith('@', word));
  if (file) return `\`${writtenAs(file)}\` may name a file of further words`;
  if (program.spec.bundled === true) readBundle(state);
  while (state.next < words.length && state.problem === null) {
    readWord(state);
    if (program.hasCommands && state.sequence.at(-1)?.kind === 'operand') break;
  }
  if (state.problem !== null) return state.problem;
  const { sequence, open, next } = state;
  const options = sequence.flatMap((item) => (item.kind === 'option' ? [item.option] : []));
  const operands = sequence.flatMap((item) => (item.kind === 'operand' ? [item.word] : []));
  const given = new Set(options.flatMap(spellingsOf));
  return { options, operands, given, open, sequence, words, rest: words.slice(next) };
}

/** Every spelling; `-i=` if `-i` has its optional value. */
export function spellingsOf({ entry, values }: GivenOption): readonly string[] {
  const isFull = entry.isOptional && values.length > 0;
  return isFull ? [...entry.names, ...entry.names.map((name) => `${name}=`)] : entry.names;
}

/** The options with one of these names, in the order in which they are given. */
export function optionsNamed({ options }: Pick<Reading, 'options'>, names: string): readonly GivenOption[] {
  const wanted = new Set(names.split(' '));
  return options.filter(({ entry }) => entry.names.some((name) => wanted.has(name)));
}

function readWord(state: State): void {
  const word = state.words[state.next];
  state.next += 1;
  if (word === undefined) return;
  const { program, open } = state;
  if (!state.isEnded) {
    const text = textOf(word);
    if (isTooLate(word, state)) state.problem = `\`${writtenAs(word)}\` may not be an option there`;
    if (text === '--') {
      state.sequence.push({ kind: 'ignored', text });
      state.isEnded = open === null;
      return;
    }
    if (text !== null && program.ignored.has(text)) {
      state.sequence.push({ kind: 'ignored', text });
      return;
    }
    if (isOption(word, program)) {
      if (state.mayBeEnded) state.problem = `\`${writtenAs(word)}\` may be an option or an operand`;
      readOption(state, word);
      // After a word that may be `--`, it is an operand.
      if (open !== null) addOperand(state, word);
      return;
    }
    if (mayBeginWithDash(word) && text === null && program.spec.closed !== true) addOpen(state, word);
    else if (program.spec.posix === true) {
      state.isEnded = !isMany(word);
      state.mayBeEnded = true;
    }
  }
  addOperand(state, word);
}

/** Whether the word looks like an option at a place where the program has no such option. */
function isTooLate(word: Word, { program, sequence }: State): boolean {
  const late = program.spec.late?.split(' ');
  if (late === undefined) return false;
  const text = textOf(word);
  if (text === null) return mayBeginWithDash(word);
  if (text === '--') return true;
  return (
    sequence.some(({ kind }) => kind === 'operand') &&
    text.startsWith('-') &&
    !late.some((name) => text.startsWith(name))
  );
}

function isOption(word: Word, { options, prefixes }: Program): boolean {
  const start = startOf(word);
  if (start === '-') return textOf(word) !== '-' || options.has('-');
  if (start.startsWith('-')) return true;
  if (start.startsWith('+') && options.has(start)) return true;
  return prefixes.some(({ names: [name = ''] }) => !name.startsWith('-') && start.startsWith(name));
}

function addOperand(state: State, word: Word): void {
  state.sequence.push({ kind: 'operand', word });
}

/** A word that may be any option. A file named like an option is an attack, so the command is opaque. */
function addOpen(state: State, word: Word): void {
  if (isSigned(word)) {
    if (state.program.spec.no_digits !== true)
      state.problem = `\`${writtenAs(word)}\` may be negative, and so an option`;
    return;
  }
  if (word.kind === 'names' && textsIn(word).some((text) => text.startsWith('-')))
    state.problem = `\`${writtenAs(word)}\` stands for a name that begins with a dash`;
  state.open ??= word;
}

function readOption(state: State, word: Word): void {
  const found = findOption(state.program, word);
  state.problem ??= found.problem;
  if (found.isOpen) state.open ??= word;
  for (const entry of found.flags) addOption(state, { entry, values: [], command: [] });
  if (found.entry !== null) take(state, found.entry, found.glued);
  // An unquoted value may split into further options and operands.
  if (isMany(word)) spill(state, word);
}

function addOption(state: State, option: GivenOption): void {
  state.sequence.push({ kind: 'option', option });
}

function spill(state: State, word: NamesWord | UnknownWord): void {
  if (word.kind === 'names' || isPlain(word)) state.problem ??= `\`${writtenAs(word)}\` may be several words`;
  else {
    state.open ??= word;
    addOperand(state, { ...word, start: '' });
  }
}

/** The words of an option; the first may be glued to it. */
function take(state: State, entry: OptionEntry, glued: Word | null): void {
  const values: Word[] = glued === null ? [] : [glued];
  let command: readonly Word[] = [];
  const first = entry.values[0]?.[0];
  if (glued !== null && first !== undefined && takesRest(first)) {
    // Some programs take no further word then.
    state.problem ??= `\`${writtenAs(glued)}\` is glued to the option of a command`;
  } else if (entry.isList === true) {
    // Programs disagree on whether the list goes on after a glued value.
    if (glued !== null) state.problem ??= `\`${writtenAs(glued)}\` is glued to the option of a list`;
    takeList(state, values);
  } else if (!entry.isOptional) {
    while (values.length < entry.values.length) {
      const role = entry.values[values.length]?.[0];
      if (role !== undefined && takesRest(role)) {
        command = takeCommand(state, role);
        break;
      }
      const word = state.words[state.next];
      if (word === undefined) break;
      state.next += 1;
      values.push(word);
      if (isMany(word)) spill(state, word);
    }
  }
  addOption(state, { entry, values, command });
}

/** All words up to the next option. */
function takeList(state: State, values: Word[]): void {
  let word = state.words[state.next];
  while (word !== undefined && !startOf(word).startsWith('-')) {
    if (mayBeginWithDash(word)) state.problem ??= `\`${writtenAs(word)}\` may end a list of values`;
    values.push(word);
    state.next += 1;
    word = state.words[state.next];
  }
}

/** Whether the following words belong to the option. */
export function takesRest({ kind }: Role): boolean {
  return kind === 'command' || kind === 'entry' || kind === 'rest' || kind === 'shell';
}

function takeCommand(state: State, role: Role): readonly Word[] {
  const from = state.next;
  const until = role.kind === 'command' ? role.until : 'end';
  const end = state.words.findIndex((word, at) => at >= from && isEnd(word, state.words[at - 1], until));
  if (end !== -1) {
    state.next = end + 1;
    // Including its end: `;` or `+`.
    return state.words.slice(from, end + 1);
  }
  state.next = state.words.length;
  return state.words.slice(from);
}

function isEnd(word: Word, before: Word | undefined, until: 'end' | ';' | '{}'): boolean {
  const text = textOf(word);
  if (until === '{}' && text === '+') return before !== undefined && textOf(before) === '{}';
  return until !== 'end' && text === ';';
}

/** `xzf`: the letters are options, and their values are the words after it. */
function readBundle(state: State): void {
  const first = state.words[0];
  if (first === undefined || mayBeginWithDash(first)) return;
  const letters = textOf(first);
  state.next = 1;
  if (letters === null) state.problem = `\`${writtenAs(first)}\` may be any options`;
  for (const letter of letters ?? '') {
    const entry = state.program.options.get(`-${letter}`);
    if (entry === undefined) state.problem ??= `the option \`${letter}\` is unknown`;
    else if (entry.isOptional) addOption(state, { entry, values: [], command: [] });
    else take(state, entry, null);
  }
}
