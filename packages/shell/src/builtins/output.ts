import { withFinalLineFeed } from '../columns.js';
import { mayBeNone } from '../listing/options.js';
import { numberOutput } from '../number.js';
import { withVariable } from '../state/state.js';
import { isAssignable } from '../state/variables.js';
import {
  areSeveral,
  isAnyNumber,
  type NamesWord,
  noOutput,
  type Output,
  text,
  textOf,
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
  const value = output.kind === 'text' ? text(output.text) : unknown(`$${name}`);
  scope.state = withVariable(scope.state, name, { value, isExported: false });
  return noOutput;
};

function formatOutput(format: string, words: readonly Word[]): Output {
  const [only, ...others] = words;
  const separator = format === '%s\\n' ? '\n' : format === '%s\\0' ? '\0' : null;
  if (separator !== null && only?.kind === 'names' && others.length === 0) return lines(only, separator);
  if (separator === '\n' && isLines(only) && others.length === 0) return withFinalLineFeed(only.lines);
  const texts = words.map(textOf);
  const known = texts.filter((text) => text !== null);
  if (known.length < texts.length) return unknownOutput;
  if (format === '%s') return { kind: 'text', text: known.join('') };
  if (separator === '\n' && known.length > 0)
    return { kind: 'text', text: known.map((each) => `${each}\n`).join('') };
  if (known.length > 0 || /[%\\]/.test(format)) {
    const plain = format.replace(/\\n/g, '\n');
    return known.length === 0 && !/[%\\]/.test(plain) ? { kind: 'text', text: plain } : unknownOutput;
  }
  return { kind: 'text', text: format };
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
