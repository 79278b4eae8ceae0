import { columnOf, linesWith, restBehind } from '../columns.js';
import { numberWord } from '../number.js';
import { isNothing } from '../outputs.js';
import { leftOf, type Scope } from '../state/scope.js';
import { type State, type Value, withArray, withVariable } from '../state/state.js';
import { isAssignable, splitsLines } from '../state/variables.js';
import {
  hasFreshLetter,
  isAnyNumber,
  isOpen,
  type Names,
  namesWord,
  noOutput,
  type Output,
  onlyNames,
  plainWord,
  type Table,
  text,
  textsIn,
  unknown,
  type Word,
} from '../word.js';
import { type Builtin, notDescribed, textsOf } from './builtin.js';

/** `read -r name…`: a line of the standard input, or a part of it. */
export const read: Builtin = (words, scope) => {
  if (!splitsLines(scope.state)) return readBy(null, words, scope);
  // One line has no line feed.
  if (!/^(?:-r )?\w+$/.test(textsOf('read', words).join(' '))) throw notDescribed('read', words);
  return readBy('', words, scope);
};

/** What `read` does with this character, or none, in `IFS`; null for the usual blanks. */
export function readBy(ifs: string | null, words: readonly Word[], scope: Scope): Output {
  const texts = textsOf('read', words);
  let separator: '\n' | '\0' = '\n';
  let isPart = false;
  let isArray = false;
  let isRaw = false;
  let at = 0;
  for (; texts[at]?.startsWith('-') === true; at += 1) {
    const found = /^-(?=.)[ars]*(?:([pdnNt])(.*))?$/s.exec(texts[at] ?? '');
    if (found === null) throw notDescribed('read', words);
    const [whole, option, glued] = found;
    // The name is the next word.
    const isLast = /^-[rs]*a[rs]*$/.test(whole);
    if (whole.replace(/[pdnNt].*$/s, '').includes('a') && !isLast) throw notDescribed('read', words);
    isArray ||= isLast;
    isRaw ||= /^-[ars]*r/.test(whole);
    if (option === undefined) continue;
    if (glued === '') at += 1;
    const value = glued || texts[at];
    if (value === undefined) throw notDescribed('read', words);
    if (option === 'd' && value === '') separator = '\0';
    else if (option !== 'p') isPart = true;
  }
  const names = at < texts.length ? texts.slice(at) : ['REPLY'];
  if (at < texts.length && !names.every((name) => name === '_' || isAssignable(name)))
    throw notDescribed('read', words);
  if (names.some((name) => scope.state.variables.get(name)?.isExported === true))
    throw notDescribed('read', words);
  const { output } = scope.input;
  if (isArray) {
    const [name = '', ...others] = names;
    if (others.length > 0 || name === 'REPLY' || scope.isPosix) throw notDescribed('read', words);
    scope.state = withArray(scope.state, name, [unknown('…', { count: 'many' })]);
    scope.failed = null;
    scope.input.output = isPart ? leftOf(output) : restOf(output, separator);
    return noOutput;
  }
  const line = isPart ? unknown('…') : lineOf(output, separator);
  const table = output.kind === 'table' && separator === '\n' && !isPart ? output : null;
  const values = names.map((_, at) => {
    const field = { at, count: names.length, ifs, isRaw };
    return table === null ? fieldOf(line, field) : fieldOfTable(table, field);
  });
  const before = scope.state;
  const set = (given: readonly Value[]): State =>
    names.reduce<State>(
      (state, name, at) =>
        // Bash itself sets `_` again after each command.
        name === '_'
          ? state
          : withVariable(state, name, { value: given[at] ?? unknown('…'), isExported: false }),
      before,
    );
  scope.state = set(values);
  // At the end of the input it fails, and keeps an incomplete last line.
  const isSure = output.kind === 'text' && output.text.includes('\n') && separator === '\n' && !isPart;
  scope.failed = isSure ? null : set(values.map(withNothing));
  scope.input.output = isPart ? leftOf(output) : restOf(output, separator);
  return noOutput;
}

interface Field {
  readonly at: number;
  readonly count: number;
  readonly ifs: string | null;
  readonly isRaw: boolean;
}

/** A field of a line: the last one has the rest. */
function fieldOf(line: Value, field: Field): Value {
  if (field.count === 1 && !field.ifs) return line;
  const isParted = line.kind === 'names' && !isOpen(line) && field.ifs !== '' && !hasFreshLetter(line);
  if (!isParted) return unknown('…');
  const all = new Set(textsIn(line).flatMap((each) => fieldsIn(each, field)));
  const [only, ...others] = all;
  return only !== undefined && others.length === 0 ? text(only) : namesWord(onlyNames([...all]));
}

function fieldOfTable(table: Table, { at, count, ifs, isRaw }: Field): Value {
  const by = ifs === ' ' && table.separator !== '\t' ? null : ifs;
  // A backslash may join fields, other blanks do not part them, and a separator at the end may be lost.
  const isOdd = (text: string) =>
    hasFreshLetter({ kind: 'text', text }) ||
    /\\/.test(text) ||
    (ifs === ' ' && /\t/.test(text)) ||
    text.endsWith(by ?? '\n');
  if ([table.rest, ...table.columns].some((each) => typeof each === 'object' && each?.texts.some(isOdd)))
    return unknown('…');
  if (!isRaw && table.mayEscape === true) return unknown('…');
  const isLast = at === count - 1;
  const isColumn = !isLast || (table.isWhole === true && table.columns.length === count);
  const column = isColumn ? columnOf(table, by, at + 1) : restBehind(table, by, at);
  if (column === 'perhaps-number') return withNothing(unknown('…', { isNumber: true }));
  const lines = linesWith(column);
  return lineOf(isLast && lines.kind === 'words' ? { ...lines, areSeveral: true } : lines, '\n');
}

/** The possible texts of a field of this line. Shells differ in whether the last field keeps a separator at its end. */
function fieldsIn(line: string, { at, count, ifs }: Field): readonly string[] {
  const isLast = at === count - 1;
  if (ifs !== null && !/\s/.test(ifs)) {
    const parts = line.split(ifs);
    const rest = parts.slice(at).join(ifs);
    return isLast ? [rest, rest.endsWith(ifs) ? rest.slice(0, -1) : rest] : [parts[at] ?? ''];
  }
  const blanks = ifs === null ? /[ \t\n]+/ : new RegExp(`${ifs}+`);
  let rest = line;
  for (let left = at; left > 0; left -= 1) {
    const [blank = rest] = blanks.exec(rest) ?? [];
    rest = rest.slice(rest.indexOf(blank) + blank.length);
  }
  return isLast ? [rest] : rest.split(blanks, 1);
}

/** `readarray -t name`: all lines of the standard input, or with `-d ''` all texts that a NUL ends. */
export const readArray: Builtin = (words, scope) => {
  const texts = textsOf('readarray', words);
  const name = texts.at(-1) ?? '';
  const options = texts.slice(0, -1).join(' ');
  if (!/^(?:-t|-t -d |-d {2}-t|-td )$/.test(options) || !isAssignable(name) || scope.isPosix)
    throw notDescribed('readarray', words);
  const value = lineOf(scope.input.output, options === '-t' ? '\n' : '\0');
  // There may be no line at all.
  const all: Word = value.kind === 'text' ? unknown('…', { count: 'many' }) : { ...value, count: 'many' };
  scope.state = withArray(scope.state, name, [all]);
  scope.input.output = leftOf(scope.input.output);
  return noOutput;
};

/** The value, or also no text at all. */
function withNothing(value: Value): Value {
  if (value.kind === 'text') return namesWord(onlyNames([value.text, '']));
  if (isAnyNumber(value)) return { ...value, count: 'many', isOne: true };
  if (value.kind === 'unknown' && value.isPlain === true) {
    const { shape: _, ...rest } = value;
    return { ...rest, mayBeLines: true };
  }
  if (value.kind !== 'names') return value;
  return { ...value, names: { ...value.names, texts: [...value.names.texts, ''] } };
}

function lineOf(output: Output, separator: '\n' | '\0'): Value {
  if (output.kind === 'words' && separator === '\n') return plainWord(output, '…');
  if (output.kind === 'number' && separator === '\n')
    return numberWord({ kind: 'number', ...(output.mayBeNegative && { mayBeNegative: true }) }, '…');
  const names = linesOf(output, separator);
  return names === null ? unknown('…') : namesWord(names);
}

function linesOf(output: Output, separator: '\n' | '\0'): Names | null {
  if (output.kind === 'text') {
    const texts = separator === '\0' ? [output.text] : output.text.replace(/\n$/, '').split('\n');
    return isKept(texts) ? onlyNames(texts) : null;
  }
  if (output.kind !== 'names' || output.separator !== separator) return null;
  const { names } = output;
  if (!isKept(names.texts) || (separator === '\n' && names.texts.some((name) => name.includes('\n'))))
    return null;
  // A name with a line feed would become two names.
  return { ...names, under: separator === '\0' ? names.under : null };
}

/** The input that is left for the next command: some of the lines. */
function restOf(output: Output, separator: '\n' | '\0'): Output {
  if (separator === '\n' && output.kind === 'number') return { ...output, mayBeMissing: true };
  if (separator === '\n' && (output.kind === 'words' || output.kind === 'table')) return output;
  const names = isNothing(output) ? null : linesOf(output, separator);
  if (names === null) return leftOf(output);
  const mayRunOn = output.kind === 'text' ? !output.text.endsWith(separator) : 'mayRunOn' in output;
  return { kind: 'names', names, separator, ...(mayRunOn && { mayRunOn }) };
}

/** Whether the lines stay the same when blanks at both ends and escaping backslashes are removed. */
function isKept(lines: readonly string[]): boolean {
  return lines.every((line) => !/^\s|\s$|\\/.test(line));
}
