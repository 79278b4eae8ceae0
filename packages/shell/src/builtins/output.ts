import { withFinalLineFeed } from '../columns.js';
import { mayBeNone } from '../listing/options.js';
import { anyNumber, isSigned, marks, numberOutput } from '../number.js';
import { withVariable } from '../state/state.js';
import { isAssignable } from '../state/variables.js';
import {
  areSeveral,
  isAnyNumber,
  type NamesWord,
  noOutput,
  type Output,
  onlyNames,
  text,
  textOf,
  textsIn,
  type UnknownWord,
  unknown,
  unknownOutput,
  type Word,
  wholeNames,
} from '../word.js';
import { type Builtin, notDescribed } from './builtin.js';

export const echo: Builtin = (words, scope) => {
  const options = words.findIndex((word) => !/^-[neE]+$/.test(textOf(word) ?? ''));
  const rest = options === -1 ? [] : words.slice(options);
  const given = words.slice(0, words.length - rest.length).map((word) => textOf(word) ?? '');
  const [only, ...others] = rest;
  if (
    only?.kind === 'names' &&
    only.count === 'one' &&
    others.length === 0 &&
    given.length === 0 &&
    !scope.isPosix
  )
    return lines(only, '\n');
  const texts = rest.map(textOf);
  const known = texts.filter((text) => text !== null);
  if (known.length < texts.length) {
    if (rest.length > 1) return unknownOutput;
    if (given.length === 0 && !scope.isPosix && isLines(only)) return withFinalLineFeed(only.lines);
    // Without quotes, several words become one line.
    return isAnyNumber(only) && !areSeveral(only) ? numberOutput(only) : unknownOutput;
  }
  const joined = known.join(' ');
  const isEscaped = joined.includes('\\') && (scope.isPosix || given.some((option) => option.includes('e')));
  if (isEscaped || (scope.isPosix && given.length > 0)) return unknownOutput;
  return { kind: 'text', text: given.some((option) => option.includes('n')) ? joined : `${joined}\n` };
};

/** Conversions without effect. `%n` sets a variable. */
const plainFormat =
  /^(?:[^%]|%%|%[-+ #0]*(?:\d*|\*)(?:\.(?:\d+|\*))?(?:[sbqdiouxXcfFeEgG]|\((?:[^()%]|%[A-Za-z%])*\)T))*$/;

export const printf: Builtin = (words, scope) => {
  const isKept = textOf(words[0]) === '-v';
  const others = isKept ? words.slice(2) : words;
  const isEnded = textOf(others[0]) === '--';
  const [first, ...rest] = isEnded ? others.slice(1) : others;
  const format = textOf(first);
  if (format === null || (!isEnded && format.startsWith('-')) || !plainFormat.test(format))
    throw notDescribed('printf', words);
  const output = formatOutput(format, rest);
  if (!isKept) return output;
  const name = textOf(words[1]) ?? '';
  const isOther = !isAssignable(name) || scope.state.variables.get(name)?.isExported === true;
  if (isOther || scope.isPosix) throw notDescribed('printf', words);
  const shape = shapeOfFormat(format, rest);
  const mayBeNegative = shape?.[0] === anyNumber && rest.some(isSigned) && { mayBeNegative: true as const };
  const value =
    output.kind === 'text'
      ? text(output.text)
      : unknown(`$${name}`, { ...(shape !== null && { shape, ...mayBeNegative }) });
  scope.state = withVariable(scope.state, name, { value, isExported: false });
  return noOutput;
};

function formatOutput(format: string, words: readonly Word[]): Output {
  const [only, ...others] = words;
  const separator = format === '%s\\n' ? '\n' : format === '%s\\0' ? '\0' : null;
  if (separator !== null && only?.kind === 'names' && others.length === 0) return lines(only, separator);
  if (separator === '\n' && isLines(only) && others.length === 0) return withFinalLineFeed(only.lines);
  if (only?.kind === 'names' && only.count === 'one' && !only.names.open && others.length === 0) {
    const texts = textsIn(only).flatMap((each) => formatted(format, [each]) ?? []);
    const areLines = texts.every((each) => /^[^\n]+\n?$/.test(each));
    if (texts.length < only.names.texts.length || !areLines) return unknownOutput;
    const names = onlyNames(texts.map((each) => each.replace(/\n$/, '')));
    const mayRunOn = texts.some((each) => !each.endsWith('\n'));
    return { kind: 'names', names, separator: '\n', isOne: true, ...(mayRunOn && { mayRunOn }) };
  }
  const shape = shapeOfFormat(format, words)?.replace(/\n$/, '') ?? '';
  const isPlain = !words.some(isSigned) && /^[\w.\ue001][^\s*?[\\]*$/.test(shape);
  if (marks.test(shape) && isPlain) return { kind: 'words', isOne: true, shape };
  const known = words.map(textOf).filter((each) => each !== null);
  const printed = known.length < words.length ? null : formatted(format, known);
  return printed === null ? unknownOutput : { kind: 'text', text: printed };
}

/** The shape of what a format prints of numbers, each without blanks; null for others. */
function shapeOfFormat(format: string, words: readonly Word[]): string | null {
  const parts = format.replace(/\\n$/, '\n').split(/(%0?\d{0,2}d)/);
  const slots = parts.filter((_, at) => at % 2 === 1);
  const isPlain = parts.every((part, at) =>
    (at % 2 === 1 ? /^%(?:0\d*)?d$/ : /^[^%\\\ue000-\ue002]*$/).test(part),
  );
  const areNumbers = words.every(
    (word) => isAnyNumber(word) && !areSeveral(word) && word.mayBeLines !== true,
  );
  return isPlain && areNumbers && slots.length === words.length
    ? parts.map((part, at) => (at % 2 === 1 ? anyNumber : part)).join('')
    : null;
}

/** What `%s`, `%d`, `%4d` and `%04d` print; null for other formats, and for numbers that are not decimal. */
function formatted(format: string, values: readonly string[]): string | null {
  const parts = format.replace(/\\n/g, '\n').split(/(%s|%0?\d{0,2}d)/);
  const slots = (parts.length - 1) / 2;
  const isPlain = parts.every((part, at) => at % 2 === 1 || !/[%\\]/.test(part));
  if (!isPlain || (slots === 0 && values.length > 0)) return null;
  const rest = [...values];
  let printed = '';
  do
    for (const part of parts) {
      const width = /^%(0?)(\d*)d$/.exec(part);
      const value = width === null && part !== '%s' ? part : (rest.shift() ?? (width === null ? '' : '0'));
      if (width !== null && !/^(?:0|[1-9]\d{0,8})$/.test(value)) return null;
      printed += value.padStart(Number(width?.[2] ?? 0), width?.[1] === '0' ? '0' : ' ');
    }
  while (rest.length > 0);
  return printed;
}

/** Whether it is one text of known lines. */
function isLines(word: Word | undefined): word is UnknownWord & Required<Pick<UnknownWord, 'lines'>> {
  return word?.kind === 'unknown' && word.count === 'one' && word.lines !== undefined;
}

function lines(word: NamesWord, separator: '\n' | '\0'): Output {
  const names = wholeNames(word);
  if (names.texts.some((each) => each.includes(separator) || each.startsWith('-'))) return unknownOutput;
  // Without an argument, `printf` prints an empty one.
  const texts = mayBeNone([word]) ? [...names.texts, ''] : names.texts;
  const isOne = separator === '\n' && word.count === 'one';
  return { kind: 'names', names: { ...names, texts }, separator, ...(isOne && { isOne }) };
}
