import type { ArithmeticExpression } from 'unbash';
import { Outside } from '../../state/outside.js';
import { type Scope, subshell } from '../../state/scope.js';
import { withVariable } from '../../state/state.js';
import { isAssignable, valueNamed } from '../../state/variables.js';
import { isAnyNumber, isOpen, textsIn, unknown } from '../../word.js';

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
  const assigned = new Set<string>();
  if (expression === undefined || !isPlain(expression, { scope, isGlued, assigned, isSure: true }))
    throw new Outside('this arithmetic is not described', written);
  for (const name of assigned)
    scope.state = withVariable(scope.state, name, {
      value: unknown(`$${name}`, { isNumber: true }),
      isExported: false,
    });
}

interface Place {
  readonly scope: Scope;
  /** Whether a value may stand right after a sign. */
  readonly isGlued: boolean;
  /** The names that are assigned. */
  readonly assigned: Set<string>;
  /** Whether the expression is certainly evaluated. */
  readonly isSure: boolean;
}

function isPlain(expression: ArithmeticExpression, place: Place): boolean {
  switch (expression.type) {
    case 'ArithmeticBinary': {
      const { operator, left, right } = expression;
      if (/^(?:[-+*/%]|<<|>>|[&|^])?=$/.test(operator)) return isPlain(right, place) && assigns(left, place);
      const isSure = place.isSure && operator !== '&&' && operator !== '||';
      return harmless.has(operator) && isPlain(left, place) && isPlain(right, { ...place, isSure });
    }
    case 'ArithmeticUnary': {
      const { operator, operand } = expression;
      if (operator === '++' || operator === '--') return assigns(operand, place);
      return ['+', '-', '!', '~'].includes(operator) && isPlain(operand, place);
    }
    case 'ArithmeticTernary':
      return (
        isPlain(expression.test, place) &&
        [expression.consequent, expression.alternate].every((each) =>
          isPlain(each, { ...place, isSure: false }),
        )
      );
    case 'ArithmeticGroup':
      return isPlain(expression.expression, place);
    case 'ArithmeticWord':
      return isNumber(expression.value, place);
    case 'ArithmeticCommandExpansion':
      return isNumberFrom(expression, place);
  }
}

/** Whether it is a variable of the line that holds a number before and after it. Its text would be evaluated by `+=`. */
function assigns(expression: ArithmeticExpression, { scope, assigned, isSure, ...place }: Place): boolean {
  const name = expression.type === 'ArithmeticWord' ? expression.value : '';
  if (!isSure || scope.isPosix || !isAssignable(name) || scope.state.variables.get(name)?.isExported === true)
    return false;
  assigned.add(name);
  return isNumber(name, { scope, assigned, isSure, ...place });
}

/** `$(wc -l < f)`, where its output is a number. */
function isNumberFrom(
  { text, script }: Extract<ArithmeticExpression, { type: 'ArithmeticCommandExpansion' }>,
  { scope, isGlued }: Place,
): boolean {
  if (script === undefined || isGlued || !text.startsWith('$(')) return false;
  const output = scope.walk.script(script, subshell(scope, { depth: scope.depth + 1 }));
  return output.kind === 'number' || (output.kind === 'text' && /^\d{1,18}\n?$/.test(output.text));
}

function isNumber(value: string, { scope: { state }, isGlued }: Place): boolean {
  if (/^(?:\d{1,18}|0x[0-9a-fA-F]{1,16}|\d{1,2}#[0-9A-Za-z]{1,16})$/.test(value)) return true;
  if (/^\$\{#[a-z]\w*(?:\[@\])?\}$/.test(value)) return !isGlued;
  const name = /^\$?([A-Za-z][A-Za-z0-9_]*|[?#$!])$/.exec(value.replace(/^\$\{(\w+)\}$/, '$$$1'))?.[1];
  if (name === undefined) return false;
  const held = valueNamed(name, state);
  if (isGlued && value.startsWith('$')) return held?.kind === 'text' && /^\d{1,18}$/.test(held.text);
  if (held === null) return true;
  const isKnown = !isOpen(held) && textsIn(held).every((each) => /^-?\d{0,18}$/.test(each));
  return isKnown || isAnyNumber(held);
}
