import type { TestExpression } from 'unbash';
import { touch } from '../facts/touch.js';
import { valueOfWord } from '../read/words/expand.js';
import { Outside } from '../state/outside.js';
import type { Scope } from '../state/scope.js';
import { isAnyNumber, textOf, type Word } from '../word.js';

const onFiles = /^-[abcdefghkprsuwxGLNOS]$/;
const onTexts: ReadonlySet<string> = new Set(['-n', '-z']);
const betweenFiles: ReadonlySet<string> = new Set(['-nt', '-ot', '-ef']);
const betweenTexts: ReadonlySet<string> = new Set(['=', '==', '!=', '<', '>']);
const betweenNumbers: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

/** Walks `[[ … ]]`. Numbers are evaluated as arithmetic, so only known ones are described. */
export function testCommand(expression: TestExpression, scope: Scope): void {
  switch (expression.type) {
    case 'TestUnary': {
      const operand = valueOfWord(expression.operand, scope);
      unary(expression.operator, operand, scope);
      return;
    }
    case 'TestBinary': {
      const { operator } = expression;
      const operands = [expression.left, expression.right].map((each) => valueOfWord(each, scope));
      if (betweenNumbers.has(operator)) operands.forEach(requireNumber);
      else if (operator !== '=~') binary(operator, operands, scope);
      return;
    }
    case 'TestLogical':
      for (const operand of expression.operands) testCommand(operand, scope);
      return;
    case 'TestNot':
      testCommand(expression.operand, scope);
      return;
    case 'TestGroup':
      testCommand(expression.expression, scope);
  }
}

function requireNumber(operand: Word): void {
  const text = textOf(operand);
  if (!isAnyNumber(operand) && !/^-?\d{1,18}$/.test(text ?? ''))
    throw new Outside('the arithmetic of this test is not described', text ?? '');
}

function lookUp(operand: Word, scope: Scope): void {
  for (const folder of scope.state.folders)
    touch(operand, { access: 'list', by: 'program', isLook: true }, { folder, by: 'shell', scope });
}

/** `test` and `[`: operators must be known words. */
export function testWords(words: readonly Word[], scope: Scope): void {
  const [first, second, third, ...more] = words;
  if (first === undefined) return;
  if (textOf(first) === '!' && second !== undefined) {
    testWords(words.slice(1), scope);
    return;
  }
  const logical = words.findIndex((word, index) => index > 0 && ['-a', '-o'].includes(textOf(word) ?? ''));
  if (words.length > 3 && logical !== -1) {
    testWords(words.slice(0, logical), scope);
    testWords(words.slice(logical + 1), scope);
    return;
  }
  // These evaluate a subscript at any position.
  const evaluates = words.some((word) => ['-v', '-R'].includes(textOf(word) ?? ''));
  if (evaluates || words.some((word) => !isOneWord(word)) || more.length > 0)
    throw new Outside(
      'these words of a test are not described',
      words.map((word) => textOf(word) ?? '…').join(' '),
    );
  if (second === undefined) return;
  const operator = textOf(third === undefined ? first : second) ?? '';
  if (third !== undefined) binary(operator, [first, third], scope);
  else if (operator !== '-t') unary(operator, second, scope);
}

/** `[ $(wc -l < f) -gt 5 ]`: a number may be missing, and then the test only fails. */
function isOneWord(word: Word): boolean {
  return word.kind === 'text' || word.count === 'one' || isAnyNumber(word);
}

function unary(operator: string, operand: Word, scope: Scope): void {
  if (onFiles.test(operator)) lookUp(operand, scope);
  else if (!onTexts.has(operator)) throw new Outside('this test is not described', operator);
}

function binary(operator: string, operands: readonly Word[], scope: Scope): void {
  if (betweenFiles.has(operator)) for (const operand of operands) lookUp(operand, scope);
  else if (!betweenNumbers.has(operator) && !betweenTexts.has(operator))
    throw new Outside('this test is not described', operator);
}
