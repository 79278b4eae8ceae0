import type { ArithmeticExpression } from 'unbash';
import { Outside } from '../../state/outside.js';
import type { Scope } from '../../state/scope.js';
import { valueNamed } from '../../state/variables.js';
import { isAnyNumber } from '../../word.js';

/** Operators that change nothing. */
const harmless: ReadonlySet<string> = new Set(
  '+ - * / % ** < > <= >= == != && || ! ~ & | ^ << >> ,'.split(' '),
);

/**
 * Requires that evaluating an expression has no effect: numbers, and variables that hold a number. Bash
 * evaluates the text of any other variable, and a subscript in it can run a command.
 */
export function requirePlain(
  expression: ArithmeticExpression | undefined,
  written: string,
  scope: Scope,
): void {
  // Bash puts the value of `$x` into the text first: `y-$x` becomes `y--` where the value is a sign.
  const isGlued = /[-+]\$/.test(written);
  if (expression === undefined || !isPlain(expression, { ...scope, isGlued }))
    throw new Outside('this arithmetic is not described', written);
}

/** `isGlued`: a value may stand right after a sign. */
type Place = Pick<Scope, 'state'> & { readonly isGlued: boolean };

function isPlain(expression: ArithmeticExpression, scope: Place): boolean {
  switch (expression.type) {
    case 'ArithmeticBinary':
      return (
        harmless.has(expression.operator) &&
        isPlain(expression.left, scope) &&
        isPlain(expression.right, scope)
      );
    case 'ArithmeticUnary':
      return ['+', '-', '!', '~'].includes(expression.operator) && isPlain(expression.operand, scope);
    case 'ArithmeticTernary':
      return [expression.test, expression.consequent, expression.alternate].every((each) =>
        isPlain(each, scope),
      );
    case 'ArithmeticGroup':
      return isPlain(expression.expression, scope);
    case 'ArithmeticWord':
      return isNumber(expression.value, scope);
    case 'ArithmeticCommandExpansion':
      return false;
  }
}

function isNumber(value: string, { state, isGlued }: Place): boolean {
  if (/^(?:\d{1,18}|0x[0-9a-fA-F]{1,16})$/.test(value)) return true;
  const name = /^\$?([a-z][A-Za-z0-9_]*|[?#$!])$/.exec(value)?.[1];
  if (name === undefined) return false;
  const held = valueNamed(name, state);
  if (isGlued && value.startsWith('$')) return held?.kind === 'text' && /^\d{1,18}$/.test(held.text);
  if (held === null) return true;
  if (held.kind === 'text') return /^-?\d{0,18}$/.test(held.text);
  return isAnyNumber(held);
}
