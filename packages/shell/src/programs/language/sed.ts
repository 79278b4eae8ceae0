import type { Effect } from '../../effect.js';
import { textOf } from '../../word.js';
import type { Around, Languages } from '../effects.js';
import { file, shell } from './make-effect.js';

export const sed: Languages = {
  /**
   * A script for `sed`: the files of `w`, `r`, `W`, `R` and the flag `w`, and the commands of `e` and the flag
   * `e`. A script must be understood to its end.
   */
  sed: (written, around) => {
    const text = textOf(written);
    if (text === null) return 'its script is unknown';
    const state: State = { text, next: 0, effects: [], around, depth: 0 };
    while (state.next < text.length)
      if (!readCommand(state)) return `its script is not understood at character ${state.next}`;
    return state.depth === 0 ? state.effects : 'its script has an unmatched brace';
  },
};

interface State {
  readonly text: string;
  readonly effects: Effect[];
  readonly around: Around;
  next: number;
  depth: number;
}

/** Returns false if the script is not understood. */
function readCommand(state: State): boolean {
  skip(state, /[\s;]*/y);
  if (state.next >= state.text.length) return true;
  if (!readAddresses(state)) return false;
  const command = state.text[state.next] ?? '';
  state.next += 1;
  if (command === '{' || command === '}') {
    state.depth += command === '{' ? 1 : -1;
    return command === '{' || (state.depth >= 0 && endsCommand(state));
  }
  // `#n` on the first line is an option.
  if (command === '#') return skip(state, /[^\n]*/y);
  if (command === 's') return readSubstitution(state);
  if (command === 'y') return readBetween(state, [false, false]) && endsCommand(state);
  // At the end of a script, the text is empty.
  if (/[aic]/.test(command)) return skip(state, /(?:[^\n\\]|\\[\s\S])*(?:\\$)?/y);
  if (/[:btT]/.test(command)) return skip(state, /[ \t]*[\w.-]*/y) && endsCommand(state);
  if (/[rR]/.test(command)) return readFileName(state, 'read');
  if (/[wW]/.test(command)) return readFileName(state, 'write');
  if (command === 'e') return readExecution(state);
  return /^[=dDgGhHlLnNpPqQxzF]$/.test(command) && skip(state, /[ \t]*\d*/y) && endsCommand(state);
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
  const from = state.next;
  skip(state, /(?:\d+~\d+|[+~]?\d+|\$)?/y);
  if (state.next > from) return true;
  const character = state.text[state.next];
  if (character !== '/' && character !== '\\') return true;
  if (character === '\\') state.next += 1;
  return readBetween(state, [true]) && skip(state, /[IM]*/y);
}

/** Reads parts that each end at the delimiter that begins them; `arePatterns`: which of them are patterns. */
function readBetween(state: State, arePatterns: readonly boolean[]): boolean {
  const delimiter = state.text[state.next] ?? '\n';
  if (/[\n\\]/.test(delimiter)) return false;
  state.next += 1;
  return arePatterns.every((each) => readUntil(state, delimiter, each));
}

function readSubstitution(state: State): boolean {
  if (!readBetween(state, [true, false])) return false;
  const start = state.next;
  skip(state, /[gpiImMe\d]*/y);
  if (state.text.slice(start, state.next).includes('e')) state.effects.push(shell(null, state.around));
  if (state.text[state.next] !== 'w') return endsCommand(state);
  state.next += 1;
  return readFileName(state, 'write');
}

function endsCommand(state: State): boolean {
  skip(state, /[ \t]*/y);
  return /^(?:[\n;}#]|$)/.test(state.text[state.next] ?? '');
}

/** A name extends to the end of its line. */
function readFileName(state: State, access: 'read' | 'write'): boolean {
  const name = restOfLine(state);
  if (name === '' || name.includes('\\')) return false;
  state.effects.push(file(access, name, state.around));
  return true;
}

function readExecution(state: State): boolean {
  const command = restOfLine(state);
  // Sed replaces what a backslash begins, and the command may go on behind it.
  state.effects.push(shell(/^[;}\s]*$|\\/.test(command) ? null : command, state.around));
  return true;
}

function restOfLine(state: State): string {
  skip(state, /[ \t]*/y);
  const start = state.next;
  skip(state, /[^\n]*/y);
  return state.text.slice(start, state.next);
}

/** Moves past the next delimiter that is not escaped and, in a pattern, not within brackets. */
function readUntil(state: State, delimiter: string, isPattern: boolean): boolean {
  const plain = isPattern
    ? /(?:\\[\s\S]|\[\^?\]?(?:\[([:.=])[^\n]*?\1\]|[^\]\n])*\]|[\s\S])/y
    : /\\[\s\S]|[\s\S]/y;
  while (state.next < state.text.length) {
    const character = state.text[state.next];
    if (character === '\n') return false;
    if (character === delimiter) {
      state.next += 1;
      return true;
    }
    plain.lastIndex = state.next;
    state.next += plain.exec(state.text)?.[0].length ?? 1;
  }
  return false;
}

/** Always true, for use in conditions. */
function skip(state: State, pattern: RegExp): true {
  pattern.lastIndex = state.next;
  state.next += pattern.exec(state.text)?.[0].length ?? 0;
  return true;
}
