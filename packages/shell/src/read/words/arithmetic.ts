import type { ArithmeticExpression, ParameterExpansionPart, SimpleExpansionPart } from 'unbash';
import { isSigned } from '../../number.js';
import { Outside } from '../../state/outside.js';
import { mayEndLine, type Scope, subshell } from '../../state/scope.js';
import { keysName, type Value, withKey, withVariable } from '../../state/state.js';
import { isAssignable, valueNamed } from '../../state/variables.js';
import { areSeveral, isAnyNumber, isMany, isOpen, text, textsIn, unknown } from '../../word.js';
import type { WrittenWord } from './atoms.js';
import { parameterValue } from './parameter.js';

/** Operators that change nothing. */
const harmless: ReadonlySet<string> = new Set(
  '+ - * / % ** < > <= >= == != && || ! ~ & | ^ << >> ,'.split(' '),
);

/**
 * Requires that evaluating an expression has no effect but that variables hold numbers after it: numbers, and
 * variables that hold a number. Bash evaluates the text of any other variable, and a subscript in it can run a command.
 */
export function requirePlain(
  expression: ArithmeticExpression | undefined,
  written: string,
  scope: Scope,
): void {
  // Bash puts the value of `$x` into the text first: `y-$x` becomes `y--` where the value is a sign.
  const isGlued = /[-+]\$/.test(written);
  const assigned = new Map<string, Value | null>();
  let mayFail = false;
  const noteError = () => {
    mayFail = true;
    mayEndLine(scope);
  };
  const position = { scope, isGlued, assigned, isSure: true, isFirst: true, noteError };
  if (expression === undefined || !isPlain(expression, position))
    throw new Outside('this arithmetic is not described', written);
  for (const [name, key] of assigned) {
    const before = mayFail && key === null ? valueNamed(name, scope.state) : null;
    // Behind an error in `((…))`, the line continues with the text that was there before.
    const isNumber = before === null || holdsNumber(before);
    const value = unknown(`$${name}`, isNumber ? { isNumber, mayBeNegative: true } : {});
    scope.state =
      key === null
        ? withVariable(scope.state, name, { value, isExported: false })
        : withKey(scope.state, name, [key, value]);
  }
}

interface Position {
  readonly scope: Scope;
  /** Whether a value may stand right after a sign. */
  readonly isGlued: boolean;
  /** The names that are assigned, with the key of an element. */
  readonly assigned: Map<string, Value | null>;
  /** Whether the expression is certainly evaluated. */
  readonly isSure: boolean;
  /** Whether an empty text may stand in its place: alone, or before `+` or `-`. */
  readonly isFirst: boolean;
  /** Notes that evaluating it may fail. */
  readonly noteError: () => void;
}

/** Operators that fail for some numbers on their right: 0, or negative ones. */
const partial: ReadonlySet<string> = new Set(['/', '%', '**', '/=', '%=']);

function isPlain(expression: ArithmeticExpression, position: Position): boolean {
  switch (expression.type) {
    case 'ArithmeticBinary': {
      const { operator, left, right } = expression;
      const isPositive = right.type === 'ArithmeticWord' && /^[1-9]\d*$/.test(right.value);
      if (partial.has(operator) && !isPositive) position.noteError();
      const first = { ...position, isFirst: position.isFirst && (operator === '+' || operator === '-') };
      const inside = { ...position, isFirst: false };
      if (/^(?:[-+*/%]|<<|>>|[&|^])?=$/.test(operator))
        return isPlain(right, inside) && assigns(left, inside, operator === '=');
      const isSure = position.isSure && operator !== '&&' && operator !== '||';
      return harmless.has(operator) && isPlain(left, first) && isPlain(right, { ...inside, isSure });
    }
    case 'ArithmeticUnary': {
      const { operator, operand } = expression;
      if (operator === '++' || operator === '--') return assigns(operand, position);
      return ['+', '-', '!', '~'].includes(operator) && isPlain(operand, { ...position, isFirst: false });
    }
    case 'ArithmeticTernary':
      return (
        isPlain(expression.test, { ...position, isFirst: false }) &&
        [expression.consequent, expression.alternate].every((each) =>
          isPlain(each, { ...position, isSure: false, isFirst: false }),
        )
      );
    case 'ArithmeticGroup':
      return isPlain(expression.expression, { ...position, isFirst: false });
    case 'ArithmeticWord':
      return isNumber(expression, position);
    case 'ArithmeticCommandExpansion':
      return isNumberFrom(expression, position);
  }
}

/** Whether it is a variable of the line that holds a number after it, and before it as well, as `+=` evaluates its text. */
function assigns(
  expression: ArithmeticExpression,
  { scope, assigned, isSure, ...position }: Position,
  isReplaced = false,
): boolean {
  if (expression.type !== 'ArithmeticWord' || !isSure || scope.isPosix) return false;
  const element = elementIn(expression, scope);
  const name = element?.name ?? expression.value;
  if (!isAssignable(name) || scope.state.variables.get(name)?.isExported === true) return false;
  assigned.set(name, element?.key ?? null);
  if (isReplaced && element === null && scope.state.arrays?.has(name) !== true) return true;
  return isNumber(expression, { scope, assigned, isSure, ...position });
}

type ArithmeticWord = Extract<ArithmeticExpression, { type: 'ArithmeticWord' }>;

/** `name[key]` of an associative array, whose key is evaluated once more: it must be plain. */
function elementIn({ value, parts }: ArithmeticWord, scope: Scope): { name: string; key: Value } | null {
  const [, name = '', written] = /^(\w+)\[(?:([\w./-]+)|\$.*)\]$/.exec(value) ?? [];
  const [before, part, after] = parts ?? [];
  if (scope.state.arrays?.has(keysName(name)) !== true) return null;
  if (written !== undefined) return { name, key: text(written) };
  const isWhole = before?.text === `${name}[` && after?.text === ']' && parts?.length === 3;
  const inner = isWhole && part !== undefined ? expansionIn({ text: part.text, parts: [part] }) : null;
  const key = inner === null ? null : expansionValue(inner, scope);
  const isSafe = key !== null && !isOpen(key) && textsIn(key).every((each) => /^[\w./+-]*$/.test(each));
  return isSafe && key.kind !== 'unknown' ? { name, key } : null;
}

/** The value of `$name` or `${name…}`; null where it is unset. */
function expansionValue(part: SimpleExpansionPart | ParameterExpansionPart, scope: Scope): Value | null {
  return parameterValue(part, scope, (written) => {
    const [only, ...others] = written.parts ?? [];
    const isQuoted = only?.type === 'DoubleQuoted' && others.length === 0;
    const node = isQuoted ? { text: only.text.slice(1, -1), parts: only.parts } : written;
    const inner = expansionIn(node);
    if (inner !== null) return expansionValue(inner, scope) ?? text('');
    if (node.parts === undefined && /^[\w./-]*$/.test(node.text)) return text(node.text);
    throw new Outside('this arithmetic is not described', part.text);
  });
}

/** The expansion that is the whole word; null for any other word. */
function expansionIn({
  text: written,
  parts,
}: WrittenWord): SimpleExpansionPart | ParameterExpansionPart | null {
  const [part, ...others] = parts ?? [];
  if (part === undefined && /^\$(?:\w+|[?#$!])$/.test(written))
    return { type: 'SimpleExpansion', text: written } as SimpleExpansionPart;
  const isExpansion = part?.type === 'SimpleExpansion' || part?.type === 'ParameterExpansion';
  return isExpansion && others.length === 0 && part.text === written ? part : null;
}

/** `$(wc -l < f)`, where its output is a number. */
function isNumberFrom(
  { text, script }: Extract<ArithmeticExpression, { type: 'ArithmeticCommandExpansion' }>,
  { scope, isGlued, isFirst, noteError }: Position,
): boolean {
  if (script === undefined || isGlued || !text.startsWith('$(')) return false;
  const output = scope.walk.script(script, subshell(scope, { isRead: true, depth: scope.depth + 1 }));
  // The end of a program may leave nothing, and several lines are no number.
  if (!isFirst || (output.kind === 'number' && output.areMany === true)) noteError();
  return output.kind === 'number' || (output.kind === 'text' && isNumeral(output.text.replace(/\n$/, '')));
}

/** Whether it is a number that bash can read. `08` is not one. */
function isNumeral(written: string): boolean {
  return /^(?:0[0-7]{0,17}|[1-9]\d{0,17})$/.test(written);
}

function isNumber(word: ArithmeticWord, position: Position): boolean {
  const { scope, isGlued, isFirst, noteError } = position;
  const { value, parts } = word;
  const [inner] = parts ?? [];
  if (inner?.type === 'ArithmeticExpansion' && inner.text === value)
    return !isGlued && inner.expression !== undefined && isPlain(inner.expression, position);
  if (
    isNumeral(value) ||
    /^(?:(?:0x|16#)[0-9a-fA-F]{1,16}|10#\d{1,16}|8#[0-7]{1,16}|2#[01]{1,16})$/.test(value)
  )
    return true;
  if (parts?.[0]?.text === '10#')
    return isInBaseTen({ text: value.slice(3), parts: parts.slice(1) }, position);
  const element = elementIn(word, scope);
  if (element !== null) {
    const elements = scope.state.arrays?.get(element.name) ?? [];
    if (elements.some(mayBeLines)) noteError();
    return elements.every(holdsNumber);
  }
  const part = expansionIn({ text: value, ...(parts && { parts }) });
  if (part === null && (parts !== undefined || !/^[A-Za-z]\w*$/.test(value))) return false;
  const held = part === null ? valueNamed(value, scope.state) : expansionValue(part, scope);
  if (isGlued && part !== null) return held !== null && isUnsigned(held);
  const mayBeEmpty = held === null || isMany(held) || textsIn(held).includes('');
  if ((part !== null && mayBeEmpty && !isFirst) || (held !== null && mayBeLines(held))) noteError();
  return held === null || holdsNumber(held);
}

/** Whether an expansion of digits stands after `10#`. Each is a number there, also `08`. */
function isInBaseTen(written: WrittenWord, { scope, noteError }: Position): boolean {
  const part = expansionIn(written);
  const held = part === null ? null : expansionValue(part, scope);
  if (held === null) return false;
  const texts = isOpen(held) ? [] : textsIn(held);
  if (texts.length === 0 || isMany(held) || texts.includes('')) noteError();
  return isAnyNumber(held) || (texts.length > 0 && texts.every((each) => /^\d{0,16}$/.test(each)));
}

/** Whether the value may have several lines, so that it is not a number. */
function mayBeLines(held: Value): boolean {
  return areSeveral(held) || (held.kind === 'unknown' && held.mayBeLines === true);
}

/** Whether it certainly begins with a digit. The number of a job may be missing. */
function isUnsigned(held: Value): boolean {
  return held.kind === 'text'
    ? isNumeral(held.text)
    : isAnyNumber(held) && held.isJob !== true && !isSigned(held) && !isMany(held);
}

function holdsNumber(held: Value): boolean {
  const isOne = (each: string) => each === '' || isNumeral(each.replace(/^-/, ''));
  return isAnyNumber(held) || (!isOpen(held) && textsIn(held).every(isOne));
}
