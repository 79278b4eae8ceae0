import { isCanonicalPath } from '@ambit/core';
import { isNothing } from '../grammar/reading.js';
import { quote } from '../text/escape.js';
import { nearest, oneOf } from '../text/suggest.js';
import { type Entry, kindInWords, type Node } from '../text/tree.js';
import { canonicalBlock, parseBlock } from './cidr.js';
import { arities, type Expression, isOverList, type Operator } from './expression.js';
import { putInFolder } from './path-pattern.js';
import { allOrNone, readMissing, readMissingSome, readVar, type Scope } from './read-key.js';

/** Reads a `when`; undefined if a problem was reported in it. */
export function readCondition(node: Node, scope: Scope): Expression | undefined {
  if (node.kind === 'map' || node.kind === 'boolean') return readExpression(node, scope);
  if (node.kind === 'broken') return undefined;
  const { problems } = scope.reading;
  if (isNothing(node))
    return problems.add('EMPTY_SECTION', node.span, {
      message: 'the value is missing',
      help: 'a condition, or remove the key',
    });
  return problems.add('BAD_CONDITION', node.span, {
    message: `a condition is an operator with its operands, not ${kindInWords(node)}`,
    help: '{"OPERATOR": [OPERAND, …]}',
  });
}

export function readExpression(node: Node, scope: Scope): Expression | undefined {
  switch (node.kind) {
    case 'text':
    case 'number':
    case 'boolean':
      return { kind: 'literal', value: node.value };
    case 'null':
      if (node.written) return { kind: 'literal', value: null };
      return scope.reading.problems.add('EMPTY_SECTION', node.span, {
        message: 'the value is missing',
        help: 'write an operand, or `null`',
      });
    case 'list': {
      const items = allOrNone(node.items.map((item) => readExpression(item, scope)));
      return items === undefined ? undefined : { kind: 'list', items };
    }
    case 'map': {
      const [entry, second] = node.entries;
      if (entry !== undefined && second === undefined) return readOperation(entry, scope);
      const where = second?.keySpan ?? node.span;
      const message = `an object has one key, its operator; this one has ${node.entries.length}`;
      return scope.reading.problems.add('BAD_CONDITION', where, {
        message,
        help: 'put the parts in a list: {"and": [{…}, {…}]}',
      });
    }
    case 'broken':
      return undefined;
  }
}

const operators = Object.keys(arities) as readonly Operator[];
const keyOperators = ['var', 'missing', 'missing_some'] as const;

function readOperation(entry: Entry, scope: Scope): Expression | undefined {
  const { key, keySpan, value } = entry;
  if (value.kind === 'broken') return undefined;
  if (key === 'var') return readVar(value, scope, readExpression);
  if (key === 'missing') return readMissing(value, scope);
  if (key === 'missing_some') return readMissingSome(value, scope);
  const operator = operators.find((name) => name === key);
  if (operator === undefined) {
    const near = key === '?:' ? 'if' : nearest(key, [...operators, ...keyOperators]);
    const help =
      near === null || /^(?:log|map|reduce|filter|merge|method)$/.test(key)
        ? oneOf([...operators, ...keyOperators])
        : `did you mean ${quote(near)}?`;
    return scope.reading.problems.add('UNKNOWN_OPERATOR', keySpan, {
      message: `${quote(key)} is not an operator here`,
      help,
    });
  }
  const nodes = value.kind === 'list' ? value.items : [value];
  const [least, most] = arities[operator];
  if (nodes.length < least || nodes.length > most) {
    const wanted = least === most ? String(least) : most >= 1e4 ? `${least} or more` : `${least} or ${most}`;
    return scope.reading.problems.add('BAD_OPERANDS', value.span, {
      message: `\`${operator}\` takes ${wanted} operands, not ${nodes.length}`,
    });
  }
  const operands = readOperands(operator, nodes, scope);
  return operands === undefined ? undefined : { kind: 'operation', operator, operands };
}

function readOperands(
  operator: Operator,
  nodes: readonly Node[],
  scope: Scope,
): readonly Expression[] | undefined {
  if (operator === 'under') return allOrNone(nodes.map((node) => readPathOperand(node, scope)));
  if (operator === 'cidr' && !isBlockOperand(nodes[1], scope)) return undefined;
  // Within `all`, `some` and `none` a `var` speaks about the element.
  return allOrNone(
    nodes.map((node, index) =>
      readExpression(node, isOverList(operator) && index === 1 ? { ...scope, roots: null } : scope),
    ),
  );
}

/** A literal path, with `~/` and `./` replaced; any other value is computed when the call is judged. */
function readPathOperand(node: Node, scope: Scope): Expression | undefined {
  if (node.kind !== 'text') return readExpression(node, scope);
  const value = putInFolder(node.value, scope.reading.folders);
  if (isCanonicalPath(value)) return { kind: 'literal', value };
  const help =
    'an absolute path, or one that begins with `~/` or `./`, without `.`, `..`, empty segments or a slash at its end';
  return scope.reading.problems.add('BAD_OPERANDS', node.span, {
    message: `${quote(node.value)} is not a canonical path`,
    help,
  });
}

function isBlockOperand(node: Node | undefined, { reading }: Scope): boolean {
  if (node?.kind !== 'text' || parseBlock(node.value) !== null) return true;
  const suggestion = canonicalBlock(node.value);
  const help =
    suggestion === null ? 'an address and a prefix length: `10.0.0.0/8`' : `write ${quote(suggestion)}`;
  reading.problems.add('BAD_OPERANDS', node.span, {
    message: `${quote(node.value)} is not a block of addresses`,
    help,
  });
  return false;
}
