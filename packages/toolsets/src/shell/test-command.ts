import type { TestExpression } from 'unbash';
import { nameOf } from './builtins/builtin.js';
import type { Here } from './here.js';
import { touch } from './places.js';

const numeric: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

/** What `[[ … ]]` looks at, and evaluates. */
export function testCommand(expression: TestExpression, here: Here): void {
  switch (expression.type) {
    case 'TestUnary': {
      const operand = here.walk.word(expression.operand, here);
      const { operator } = expression;
      if (operator === '-v' || operator === '-R') nameOf(operand, here);
      else if (/^-[abcdefghkprsuwxGLNOS]$/.test(operator))
        touch(operand, { access: 'list', is_look: true }, here);
      return;
    }
    case 'TestBinary': {
      const { operator } = expression;
      const operands = [expression.left, expression.right].map((each) => here.walk.word(each, here));
      for (const operand of operands) {
        if (numeric.has(operator)) here.walk.arithmeticOf(operand, here);
        if (/^-(?:nt|ot|ef)$/.test(operator)) touch(operand, { access: 'list', is_look: true }, here);
      }
      return;
    }
    case 'TestLogical':
      for (const operand of expression.operands) testCommand(operand, here);
      return;
    case 'TestNot':
      testCommand(expression.operand, here);
      return;
    case 'TestGroup':
      testCommand(expression.expression, here);
      return;
    default:
      here.walk.report.opaque('[[', 'the expression cannot be read');
  }
}
