import { escapeRegExp } from '@ambit/core';
import type { Reading } from '../programs/reading.js';
import { textOf, type Word } from '../word.js';
import { has, hasOnly, valuesOf } from './options.js';
import type { Maybe } from './pattern.js';

/** Whether grep(1) may print a line; null where it is unknown how it reads the pattern. */
export function lineTest(reading: Reading): ((line: string) => boolean) | null {
  if (
    !hasOnly(
      reading,
      '-E --extended-regexp -F --fixed-strings -v --invert-match -i --ignore-case -e --regexp',
    )
  )
    return null;
  const [pattern, ...others] = patternsOf(reading).map(textOf);
  if (typeof pattern !== 'string' || others.length > 0) return null;
  const [isFixed, isExtended] = [has(reading, '-F --fixed-strings'), has(reading, '-E --extended-regexp')];
  // Some versions refuse the two together, in others the last one counts.
  if (isFixed && isExtended) return null;
  const test = patternTest(pattern, { isFixed, isExtended, ignoresCase: has(reading, '-i --ignore-case') });
  if (test === null) return null;
  const otherwise = has(reading, '-v --invert-match');
  return (line) => test(line) !== otherwise;
}

/** The patterns of a search: those of options, or else the first operand. */
export function patternsOf(reading: Reading): readonly Word[] {
  const given = valuesOf(reading, '-e --regexp');
  return given.length > 0 ? given : reading.operands.slice(0, 1);
}

/** How a pattern is read. */
interface Kind {
  readonly isFixed: boolean;
  readonly isExtended: boolean;
  readonly ignoresCase: boolean;
}

/** Whether a pattern matches a line, null where the locale decides; null by itself where it is unknown how it is read. */
export function patternTest(
  pattern: string,
  { isFixed, isExtended, ignoresCase }: Kind,
): ((line: string) => Maybe) | null {
  if (!isPlain(pattern)) return null;
  const source = isFixed ? escapeRegExp(pattern) : sourceOf(pattern, isExtended);
  if (source === null) return null;
  const [expression, turkish] = [
    new RegExp(source, ignoresCase ? 'i' : ''),
    new RegExp(inTurkish(source), 'i'),
  ];
  return (line) => {
    const first = expression.test(line);
    return isPlain(line) && (!ignoresCase || turkish.test(inTurkish(line)) === first) ? first : null;
  };
}

/** Whether it prints only lines with a word of the pattern, which packed contents have by chance only. */
export function needsWord(reading: Reading): boolean {
  const patterns = patternsOf(reading).map((word) => textOf(word) ?? '');
  const parts = patterns.flatMap((pattern) => pattern.split(/[|\n]/));
  const isAny = /\)[*?{]/.test(patterns.join()) || has(reading, '-f --file -v --invert-match');
  return !isAny && parts.every((part) => /\w{3}/.test(part.replace(/\\.|\[[^\]]*\]|\w[*?{]/g, ' ')));
}

/** With other signs for `i` and `I`, which are two letters in the locales of Turkish. */
const inTurkish = (text: string) => text.replaceAll('i', '\u0001').replaceAll('I', '\u0002');

const isPlain = (text: string) => /^[ -~]{0,200}$/.test(text);

/** The most parts that repeat: JavaScript tries each length of each. */
const mostRepeated = 2;

/** A sign with a backslash, a list, or one sign. */
const token = /\\.|\[\^?\]?[^\]]*\]|./g;

/**
 * The same pattern for JavaScript; null for what grep may read in another way: ranges of letters, counts, an anchor within,
 * and groups that repeat. Signs that are operators in one syntax have a backslash in the other.
 */
function sourceOf(pattern: string, isExtended: boolean): string | null {
  const operators = isExtended ? /^[()|+?]$/ : /^\\[()|+?]$/;
  const tokens = pattern.match(token) ?? [];
  const operatorAt = (at: number) => (operators.test(tokens[at] ?? '') ? (tokens[at]?.at(-1) ?? null) : null);
  let source = '';
  let depth = 0;
  let repeated = 0;
  let isStart = true;
  let before: 'atom' | 'group' | null = null;
  for (const [at, written] of tokens.entries()) {
    const operator = written === '*' ? '*' : operatorAt(at);
    const next = operatorAt(at + 1);
    if (operator === '(' || operator === '|') {
      if (operator === '|' && isStart) return null;
      source += operator === '(' ? '(?:' : '|';
      depth += operator === '(' ? 1 : 0;
      isStart = true;
      before = null;
    } else if (operator === ')') {
      if (isStart || depth === 0) return null;
      source += ')';
      depth -= 1;
      before = 'group';
    } else if (operator !== null) {
      repeated += operator === '?' ? 0 : 1;
      if (before === null || (before === 'group' && operator !== '?') || repeated > mostRepeated) return null;
      source += operator;
      before = null;
    } else if (written === '^' || written === '$') {
      const isEnd = at === tokens.length - 1 || next === ')' || next === '|';
      if (written === '^' ? !isStart : !isEnd) return null;
      source += written;
      isStart = false;
      before = null;
    } else {
      const atom = atomOf(written, isExtended);
      if (atom === null) return null;
      source += atom;
      isStart = false;
      before = 'atom';
    }
  }
  return depth === 0 && !isStart ? source : null;
}

function atomOf(written: string, isExtended: boolean): string | null {
  if (written === '.') return '.';
  if (written.startsWith('[')) return /^\[\^?(?:0-9)?[\w .:@,/]*(?<!\[\^?)\]$/.test(written) ? written : null;
  if (!written.startsWith('\\')) return isExtended && /[{}]/.test(written) ? null : escapeRegExp(written);
  const signs = isExtended ? /[.[\]*^$\\/(){}|+?]/ : /[.[\]*^$\\/]/;
  return signs.test(written.slice(1)) ? escapeRegExp(written.slice(1)) : null;
}
