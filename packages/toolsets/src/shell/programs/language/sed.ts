import type { Effect } from '../../effect.js';
import { textOf, type Word, word } from '../../word.js';
import { inFolder, within, withNumbers } from '../words.js';
import { shell } from './effect-of.js';

/**
 * A program for `sed`: the files that `w`, `r`, `W` and `R` and the flag `w` name, and the commands of `e`.
 * What is not read to its end counts as code.
 */
export function readSed(text: Word, folder: Word | null): readonly Effect[] {
  const known = textOf(withNumbers(text));
  const code: Effect = { kind: 'code', language: 'sed', text, ...inFolder(folder) };
  if (known === null) return [code];
  const state: State = { text: known, next: 0, effects: [], folder, depth: 0 };
  while (state.next < known.length) {
    if (!readCommand(state)) return [...state.effects, code];
  }
  return state.effects;
}

interface State {
  readonly text: string;
  readonly effects: Effect[];
  readonly folder: Word | null;
  next: number;
  depth: number;
}

/** False where it is not understood. */
function readCommand(state: State): boolean {
  skip(state, /[\s;]*/y);
  if (state.next >= state.text.length) return true;
  if (!readAddresses(state)) return false;
  const command = state.text[state.next] ?? '';
  state.next += 1;
  switch (command) {
    case '{':
      state.depth += 1;
      return true;
    case '}':
      state.depth -= 1;
      return true;
    case '#':
      skip(state, /[^\n]*/y);
      return true;
    case 's':
      return readSubstitution(state);
    case 'y':
      return readTransliteration(state);
    case 'a':
    case 'i':
    case 'c':
      skip(state, /(?:[^\n\\]|\\[\s\S])*/y);
      return true;
    case ':':
    case 'b':
    case 't':
    case 'T':
    case 'v':
      skip(state, /[^\n;}]*/y);
      return true;
    case 'r':
    case 'R':
      return readFile(state, 'read');
    case 'w':
    case 'W':
      return readFile(state, 'write');
    case 'e':
      return readExecution(state);
    default:
      if (!/^[=dDgGhHlLnNpPqQxzF]$/.test(command)) return false;
      skip(state, /[ \t]*\d*[ \t]*/y);
      return /^(?:[\n;}#]|$)/.test(state.text[state.next] ?? '');
  }
}

function readAddresses(state: State): boolean {
  for (let count = 0; count < 2; count += 1) {
    if (!readAddress(state)) return false;
    skip(state, /[ \t]*/y);
    if (state.text[state.next] !== ',') break;
    state.next += 1;
    skip(state, /[ \t]*/y);
  }
  skip(state, /[ \t!]*/y);
  return state.next < state.text.length;
}

function readAddress(state: State): boolean {
  if (skip(state, /(?:\d+~\d+|[+~]?\d+|\$)/y)) return true;
  const character = state.text[state.next];
  if (character !== '/' && character !== '\\') return true;
  state.next += character === '\\' ? 2 : 1;
  const delimiter = state.text[state.next - 1];
  if (delimiter === undefined || !readUntil(state, delimiter, true)) return false;
  skip(state, /[IM]*/y);
  return true;
}

function readSubstitution(state: State): boolean {
  const delimiter = state.text[state.next];
  if (delimiter === undefined || delimiter === '\n' || delimiter === '\\') return false;
  state.next += 1;
  if (!readUntil(state, delimiter, true) || !readUntil(state, delimiter, false)) return false;
  const start = state.next;
  skip(state, /[gpiImMe\d]*/y);
  if (state.text.slice(start, state.next).includes('e')) {
    state.effects.push(shell(null, state.folder));
  }
  if (state.text[state.next] === 'w') {
    state.next += 1;
    return readFile(state, 'write');
  }
  return endsCommand(state);
}

function readTransliteration(state: State): boolean {
  const delimiter = state.text[state.next];
  if (delimiter === undefined) return false;
  state.next += 1;
  return readUntil(state, delimiter, false) && readUntil(state, delimiter, false) && endsCommand(state);
}

function endsCommand(state: State): boolean {
  skip(state, /[ \t]*/y);
  return /^(?:[\n;}#]|$)/.test(state.text[state.next] ?? '');
}

/** A name goes to the end of its line. */
function readFile(state: State, access: 'read' | 'write'): boolean {
  skip(state, /[ \t]*/y);
  const start = state.next;
  skip(state, /[^\n]*/y);
  const name = state.text.slice(start, state.next);
  if (name === '') return false;
  if (name !== '/dev/stdout' && name !== '/dev/stderr' && name !== '/dev/stdin') {
    state.effects.push({ kind: 'path', access, word: within(state.folder, word(name)) });
  }
  return true;
}

function readExecution(state: State): boolean {
  skip(state, /[ \t]*/y);
  const start = state.next;
  skip(state, /[^\n]*/y);
  const command = state.text.slice(start, state.next);
  state.effects.push(shell(/^[;}\s]*$/.test(command) ? null : command, state.folder));
  return true;
}

/** Goes behind the next delimiter that is not escaped, nor, in a pattern, within brackets. */
function readUntil(state: State, delimiter: string, isPattern: boolean): boolean {
  let isInBrackets = false;
  for (; state.next < state.text.length; state.next += 1) {
    const character = state.text[state.next];
    if (character === '\\' && !isInBrackets) state.next += 1;
    else if (isInBrackets) isInBrackets = character !== ']';
    else if (character === delimiter) {
      state.next += 1;
      return true;
    } else if (isPattern && character === '[') {
      isInBrackets = true;
      // A bracket right behind the first one stands for itself.
      if (skipAfter(state, /\^?\]/y)) state.next -= 1;
    }
  }
  return false;
}

function skipAfter(state: State, pattern: RegExp): boolean {
  pattern.lastIndex = state.next + 1;
  const found = pattern.exec(state.text);
  if (found === null) return false;
  state.next += 1 + found[0].length;
  return true;
}

function skip(state: State, pattern: RegExp): boolean {
  pattern.lastIndex = state.next;
  const found = pattern.exec(state.text);
  if (found === null) return false;
  state.next += found[0].length;
  return found[0] !== '';
}
