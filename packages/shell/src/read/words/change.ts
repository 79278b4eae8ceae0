import type { ParameterExpansionPart } from 'unbash';
import { Outside } from '../../state/outside.js';
import type { Value } from '../../state/state.js';
import {
  areSeveral,
  hasFreshLetter,
  isMany,
  isOpen,
  type NamesWord,
  namesWord,
  text,
  textsIn,
  unknown,
} from '../../word.js';
import type { WrittenWord } from './atoms.js';
import { isWide, matches, namePattern } from './pattern.js';

export type Operation = NonNullable<ParameterExpansionPart['operation']>;

/** An operation on the text of each word by itself. */
type OfEach = Extract<Operation, { type: 'Remove' | 'Replace' | 'CaseModification' }>;

export function isOfEach(operation: Operation): operation is OfEach {
  return /^(?:Remove|Replace|CaseModification)$/.test(operation.type);
}

/** Null for one that is unknown. */
export function changeBy(
  operation: OfEach,
  part: ParameterExpansionPart,
  evaluate: (node: WrittenWord) => Value,
): Change | null {
  const literal = (node: WrittenWord) => literalOf(node, part, () => evaluate(node));
  if (operation.type === 'Remove') return removal(operation, literal(operation.operand));
  const { operator } = operation;
  if (operation.type === 'Replace')
    return replacement(operator, literal(operation.pattern), literal(operation.replacement));
  if (operation.operand !== undefined)
    throw new Outside('this operation on a variable is not described', part.text);
  return (given) => withCase(given, operator);
}

/** Null if the change depends on the locale. */
export type Change = (value: string) => string | null;

/** A changed value if it is known; unknown otherwise. */
export function changeValue(value: Value, written: string, change: Change | null): Value {
  if (change === null || value.kind === 'unknown' || isOpen(value) || hasFreshLetter(value))
    return unknown(written);
  if (value.kind === 'text') {
    const result = change(value.text);
    return result === null ? unknown(written) : text(result);
  }
  return (areSeveral(value) ? null : changedNames(value, change)) ?? unknown(written);
}

/** Without a name, it is empty. */
function changedNames(word: NamesWord, change: Change): Value | null {
  const changes = [...textsIn(word), ...(isMany(word) ? [''] : [])].map(change);
  if (!changes.every((each) => each !== null)) return null;
  return namesWord({ ...word.names, texts: [...new Set(changes)] });
}

/** Null for letters that a locale may change in another way. */
function withCase(value: string, operator: string): string | null {
  if (isWide(value)) return null;
  const change = (part: string) => (operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase());
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

function removal(
  { operator, operand }: { readonly operator: string; readonly operand: WrittenWord },
  literal: string | null,
): Change | null {
  const pattern = patternOf(operand, literal);
  if (pattern === null) return null;
  const isSuffix = operator.startsWith('%');
  const isLongest = operator.length === 2;
  return (value) => {
    if (pattern.counts && isWide(value)) return null;
    const lengths = Array.from({ length: value.length + 1 }, (_, index) =>
      isLongest ? value.length - index : index,
    );
    const length = lengths.find((each) =>
      matches(isSuffix ? value.slice(value.length - each) : value.slice(0, each), pattern, 'text'),
    );
    if (length === undefined) return value;
    return isSuffix ? value.slice(0, value.length - length) : value.slice(length);
  };
}

function replacement(operator: string, from: string | null, by: string | null): Change | null {
  // In newer shells `&` means the match.
  if (from === null || by === null || /[*?[\\&]/.test(from + by)) return null;
  // `${x/#/a}` is `a` where `x` is empty, and nothing where it is unset.
  const sure =
    (change: (value: string) => string): Change =>
    (value) =>
      value + from === '' ? null : change(value);
  if (operator === '/#')
    return sure((value) => (value.startsWith(from) ? by + value.slice(from.length) : value));
  if (operator === '/%')
    return sure((value) => (value.endsWith(from) ? value.slice(0, value.length - from.length) + by : value));
  if (from === '') return null;
  return operator === '//'
    ? (value) => value.replaceAll(from, () => by)
    : (value) => value.replace(from, () => by);
}

/** Plain characters, `$name` and `${name}`, alone and in double quotes, and a text of `$'…'`: nothing in it runs. */
const withNames = /^(?:[\w./:@%+,= *?-]|\$\w+|\$\{\w+\}|"(?:[\w./:@%+,= -]|\$\w+|\$\{\w+\})*"|\$'[\w\\]*')*$/;

/**
 * The text of an operand; null if it is more than text, or a value in it could be a pattern. Throws `Outside` for a
 * substitution in it.
 */
function literalOf(
  { text: written }: WrittenWord,
  part: ParameterExpansionPart,
  evaluate: () => Value,
): string | null {
  if (/[$`]|[<>]\(/.test(written)) {
    if (!withNames.test(written))
      throw new Outside('an expansion within an expansion is not described', part.text);
    const value = evaluate();
    return value.kind === 'text' && /^[\w./:@+,= -]*$/.test(value.text) ? value.text : null;
  }
  const quoted = /^(?:'([^'\\]*)'|"([^"\\]*)")$/.exec(written);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  return /['"\\~]/.test(written) ? null : written;
}

function patternOf(
  { text: written }: WrittenWord,
  literal: string | null,
): ReturnType<typeof namePattern> | null {
  if (literal === null || literal.length > 100 || /[()|]/.test(literal)) return null;
  const isQuoted = /^['"]/.test(written);
  const pattern = namePattern([{ text: literal, isQuoted }]);
  return pattern.isRough ? null : pattern;
}
