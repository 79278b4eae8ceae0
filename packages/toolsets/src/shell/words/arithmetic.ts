import { type ArithmeticExpression, type ArithmeticWord, parse } from 'unbash';
import { setVariable } from '../assign.js';
import { type Here, subshell } from '../here.js';
import { isNumericWord, unknownNumber, unknownValue } from '../variable.js';
import { textOf, type Word, word } from '../word.js';
import { isNeverSet, valueNamed } from './lookup.js';

/** How deep values that are expressions in their turn are looked into. */
const mostDepth = 10;

const assigning = /^(?:[-+*/%&|^]|<<|>>)?=$/;

/** Evaluates an expression as far as it matters: the shell runs what is substituted in it, and in values that it reads as expressions. */
export function evaluate(expression: ArithmeticExpression | null, here: Here, depth = 0): void {
  if (expression === null || !here.walk.report.spend(1)) return;
  switch (expression.type) {
    case 'ArithmeticBinary':
      evaluate(expression.left, here, depth);
      evaluate(expression.right, here, depth);
      if (assigning.test(expression.operator)) assignNumber(expression.left, here);
      return;
    case 'ArithmeticUnary':
      evaluate(expression.operand, here, depth);
      if (expression.operator === '++' || expression.operator === '--')
        assignNumber(expression.operand, here);
      return;
    case 'ArithmeticTernary':
      evaluate(expression.test, here, depth);
      evaluate(expression.consequent, here, depth);
      evaluate(expression.alternate, here, depth);
      return;
    case 'ArithmeticGroup':
      evaluate(expression.expression, here, depth);
      return;
    case 'ArithmeticWord':
      evaluateWord(expression, here, depth);
      return;
    case 'ArithmeticCommandExpansion': {
      if (expression.script === undefined) {
        unread(expression.text, here);
        return;
      }
      const { output } = here.walk.script(expression.script, subshell(here));
      evaluateText(output ?? { parts: [{ kind: 'text', text: expression.text }] }, here, depth);
      return;
    }
    default:
      unread('', here);
  }
}

/** The same for text that is read as an expression. */
export function evaluateText(text: Word, here: Here, depth = 0): void {
  if (isNumericWord(text)) return;
  const known = textOf(text);
  if (known === null) {
    const written = text.parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
    here.walk.report.opaque(written, 'text that is not known is evaluated as an expression');
    return;
  }
  if (/^\s*[A-Za-z_]\w*\s*$/.test(known)) {
    evaluateName(known.trim(), here, depth);
    return;
  }
  if (!here.walk.report.spend(10 + known.length / 100) || depth > mostDepth) {
    unread(known, here);
    return;
  }
  const { errors, commands } = parse(`((${known}\n))`);
  const command = commands[0]?.command;
  const isRead = errors === undefined || errors.length === 0;
  if (command?.type === 'ArithmeticCommand' && commands.length === 1) {
    evaluate(command.expression ?? null, here, depth + 1);
    if (isRead && command.expression !== undefined) return;
  }
  unread(known, here);
}

function unread(text: string, here: Here): void {
  here.walk.report.opaque(text, 'the expression cannot be read');
}

function evaluateWord({ value, parts }: ArithmeticWord, here: Here, depth: number): void {
  if (parts === undefined) {
    if (/^\s*[0-9][\w#@.]*\s*$/.test(value)) return;
    const element = /^\s*([A-Za-z_]\w*)\[([\s\S]*)\]\s*$/.exec(value);
    if (element === null) {
      if (/^\s*[A-Za-z_]\w*\s*$/.test(value)) evaluateName(value.trim(), here, depth);
      else unread(value, here);
      return;
    }
    const [, name = '', index = ''] = element;
    evaluateText(word(index), here, depth + 1);
    evaluateName(name, here, depth);
    return;
  }
  const result = here.walk.word({ text: value, parts }, here);
  const known = textOf(result);
  const element = known === null ? null : /^\s*([A-Za-z_]\w*)\[([\s\S]*)\]\s*$/.exec(known);
  if (element === null) {
    evaluateText(result, here, depth + 1);
    return;
  }
  // What was substituted between the brackets is evaluated once more.
  evaluateText(word(element[2] ?? ''), here, depth + 1);
  evaluateName(element[1] ?? '', here, depth);
}

function evaluateName(name: string, here: Here, depth: number): void {
  if (isNeverSet(name, here) || depth > mostDepth) return;
  const value = valueNamed(name, here);
  if (value.kind === 'unset' || (value.kind === 'unknown' && value.is_number)) return;
  if (value.kind === 'unknown') {
    here.walk.report.opaque(name, 'a variable that is not known is evaluated as an expression');
    return;
  }
  for (const each of value.kind === 'list' ? value.words : [value.word]) evaluateText(each, here, depth + 1);
}

function assignNumber(target: ArithmeticExpression, here: Here): void {
  const name = target.type === 'ArithmeticWord' ? /^\s*([A-Za-z_]\w*)/.exec(target.value)?.[1] : undefined;
  if (name === undefined) return;
  const isElement = target.type === 'ArithmeticWord' && target.value.includes('[');
  setVariable(name, isElement ? unknownValue : unknownNumber, here);
}
