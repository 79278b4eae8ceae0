import type { ParameterExpansionPart, ParameterOperation } from 'unbash';
import { setVariable } from '../assign.js';
import type { Here } from '../here.js';
import { unknownValue, type Value } from '../variable.js';
import { textOf, type Word, word } from '../word.js';
import { matches, namePattern } from './pattern.js';

/** What an operation in `${…}` makes of a value. Whatever is substituted in its operands runs. */
export function operated(value: Value, part: ParameterExpansionPart, here: Here): Value {
  const { operation } = part;
  if (operation === undefined) return value;
  const operands = operandsOf(operation).map((operand) => here.walk.word(operand, here));
  const [first, second] = operands;
  switch (operation.type) {
    case 'Default':
      return defaulted(
        value,
        { operator: operation.operator, operand: first ?? word(''), name: part.parameter },
        here,
      );
    case 'Remove':
      return removed(value, operation.operator, first);
    case 'Replace':
      return replaced(value, operation.operator, operands);
    case 'Slice':
      for (const operand of operands) here.walk.arithmeticOf(operand, here);
      return sliced(value, first, operation.length === undefined ? null : (second ?? null));
    case 'CaseModification':
      return operation.operand === undefined ? recased(value, operation.operator) : unknownValue;
    case 'Transform':
      if (textOf(first ?? word('')) === 'P') prompted(value, part, here);
      return unknownValue;
    case 'Names':
      return unknownValue;
    case 'Unknown':
      return unknownValue;
  }
}

function operandsOf(operation: ParameterOperation) {
  switch (operation.type) {
    case 'Default':
    case 'Remove':
    case 'Transform':
      return [operation.operand];
    case 'Replace':
      return [operation.pattern, operation.replacement];
    case 'Slice':
      return operation.length === undefined ? [operation.offset] : [operation.offset, operation.length];
    case 'CaseModification':
      return operation.operand === undefined ? [] : [operation.operand];
    case 'Names':
    case 'Unknown':
      return [];
  }
}

interface Default {
  readonly operator: string;
  readonly operand: Word;
  readonly name: string;
}

function defaulted(value: Value, { operator, operand, name }: Default, here: Here): Value {
  const other: Value = { kind: 'text', word: operand };
  const text = value.kind === 'text' ? textOf(value.word) : null;
  const isEmpty = operator.startsWith(':') && text === '';
  const isMissing = value.kind === 'unset' || isEmpty;
  const isThere =
    !isMissing &&
    (value.kind === 'list' || (value.kind === 'text' && (!operator.startsWith(':') || hasText(value.word))));
  if (operator.endsWith('+')) {
    if (isMissing) return { kind: 'text', word: word('') };
    return isThere ? other : unknownValue;
  }
  if (isThere) return value;
  if (operator.endsWith('=')) assign(name, isMissing ? other : unknownValue, here);
  return isMissing && !operator.endsWith('?') ? other : unknownValue;
}

function hasText({ parts }: Word): boolean {
  return parts.some((part) => typeof part === 'string' && part !== '');
}

function assign(name: string, value: Value, here: Here): void {
  if (/^[A-Za-z_]\w*$/.test(name)) setVariable(name, value, here);
}

function knownText(value: Value): string | null {
  return value.kind === 'text' ? textOf(value.word) : null;
}

function textValue(text: string): Value {
  return { kind: 'text', word: word(text) };
}

function removed(value: Value, operator: string, operand: Word | undefined): Value {
  const [text, pattern] = [knownText(value), operand === undefined ? null : textOf(operand)];
  // Quotes in the pattern are gone by now, so that what is left may be no pattern: only those without are told apart.
  if (text === null || pattern === null || text.length > 1000 || /[[\\]/.test(pattern)) return unknownValue;
  const name = namePattern([{ text: pattern, is_quoted: false }]);
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  const isLongest = operator.length === 2;
  const atStart = operator.startsWith('#');
  const fits = (length: number) =>
    matches(atStart ? text.slice(0, length) : text.slice(text.length - length), name, 'text');
  const length = (isLongest ? lengths.reverse() : lengths).find(fits);
  if (length === undefined) return value;
  return textValue(atStart ? text.slice(length) : text.slice(0, text.length - length));
}

function replaced(value: Value, operator: string, operands: readonly Word[]): Value {
  const [text, pattern, replacement] = [knownText(value), ...operands.map(textOf)];
  if (typeof text !== 'string' || typeof pattern !== 'string' || typeof replacement !== 'string')
    return unknownValue;
  if (pattern === '' || /[*?[\\(]/.test(pattern) || /[&\\]/.test(replacement)) return unknownValue;
  if (operator === '//') return textValue(text.split(pattern).join(replacement));
  if (operator === '/') return textValue(text.replace(pattern, () => replacement));
  return unknownValue;
}

function sliced(value: Value, offset: Word | undefined, length: Word | null): Value {
  const [text, from, count] = [
    knownText(value),
    offset === undefined ? null : textOf(offset),
    length === null ? '' : textOf(length),
  ];
  if (text === null || from === null || count === null) return unknownValue;
  if (!/^ *\d{1,9} *$/.test(from) || !/^(?: *\d{1,9} *)?$/.test(count)) return unknownValue;
  const characters = [...text].slice(Number(from));
  return textValue((count === '' ? characters : characters.slice(0, Number(count))).join(''));
}

function recased(value: Value, operator: string): Value {
  const text = knownText(value);
  if (text === null || /[^\x20-\x7e]/.test(text)) return unknownValue;
  const change = (part: string) => (operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase());
  return textValue(operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1));
}

/** `${name@P}` runs what is substituted in the value. */
function prompted(value: Value, part: ParameterExpansionPart, here: Here): void {
  const text = knownText(value);
  if (text !== null) here.walk.text(`: "${text.replaceAll('"', '\\"')}"`, { ...here, depth: here.depth + 1 });
  if (text === null || /[$`\\]/.test(text))
    here.walk.report.opaque(part.text, 'the value is read as a prompt, in which commands run');
}
