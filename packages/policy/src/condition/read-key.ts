import type { Reading } from '../grammar/reading.js';
import { quote } from '../text/escape.js';
import { nearest, oneOf } from '../text/suggest.js';
import { kindInWords, type Node } from '../text/tree.js';
import type { Expression, Key } from './expression.js';

export interface Scope {
  readonly reading: Reading;
  /** The roots of a `var`; null for any, as within `all`, `some` and `none`. */
  readonly roots: readonly string[] | null;
}

/** `{var: key}`, `{var: [key, default]}` */
export function readVar(
  value: Node,
  scope: Scope,
  readFallback: (node: Node, scope: Scope) => Expression | undefined,
): Expression | undefined {
  const [keyNode, fallbackNode, ...rest] = value.kind === 'list' ? value.items : [value];
  if (keyNode === undefined || rest.length > 0)
    return scope.reading.problems.add('BAD_OPERANDS', value.span, {
      message: '`var` takes a key, and a default if there is one',
      help: '{"var": "capability.path"} or {"var": ["capability.amount", 0]}',
    });
  const key = readKey(keyNode, scope);
  const fallback = fallbackNode === undefined ? null : readFallback(fallbackNode, scope);
  return key === undefined || fallback === undefined ? undefined : { kind: 'var', key, fallback };
}

export function readMissing(value: Node, scope: Scope): Expression | undefined {
  const keys = readKeyList(value, scope);
  return keys === undefined ? undefined : { kind: 'missing', keys };
}

export function readMissingSome(value: Node, scope: Scope): Expression | undefined {
  const [need, list, ...rest] = value.kind === 'list' ? value.items : [];
  if (need?.kind !== 'number' || list?.kind !== 'list' || rest.length > 0)
    return scope.reading.problems.add('BAD_OPERANDS', value.span, {
      message: '`missing_some` takes a number and a list of keys',
      help: '{"missing_some": [1, ["args.to", "args.cc"]]}',
    });
  const keys = readKeyList(list, scope);
  return keys === undefined ? undefined : { kind: 'missing_some', need: need.value, keys };
}

function readKeyList(value: Node, scope: Scope): readonly Key[] | undefined {
  const [first, second] = value.kind === 'list' ? value.items : [];
  // json-logic-js treats `{"missing": [["a", "b"]]}` the same.
  if (first?.kind === 'list' && second === undefined) return readKeyList(first, scope);
  return allOrNone((value.kind === 'list' ? value.items : [value]).map((node) => readKey(node, scope)));
}

function readKey(node: Node, { reading: { problems }, roots: allowed }: Scope): Key | undefined {
  if (node.kind === 'broken') return undefined;
  if (node.kind === 'number' && allowed === null && Number.isSafeInteger(node.value)) return node.value;
  if (node.kind !== 'text')
    return problems.add('BAD_OPERANDS', node.span, {
      message: `a key is written out as text, not ${kindInWords(node)}`,
      help: 'write the key as text: a computed key could read any value',
    });
  const root = node.value.split('.')[0] ?? '';
  if (allowed === null || allowed.includes(root)) return node.value;
  if (root === 'capability')
    return problems.add('CAPABILITY_OUT_OF_SIGHT', node.span, {
      message: 'a rule about a tool sees the call, not its capabilities',
      help: 'write the rule under `capabilities:`',
    });
  const near = nearest(root, allowed);
  const help =
    near === null
      ? root === ''
        ? `a key begins with ${oneOf(allowed)}`
        : `did you mean ${quote(`${allowed[0]}.${node.value}`)} or ${quote(`context.${node.value}`)}? a key begins with ${oneOf(allowed)}`
      : `did you mean ${quote([near, ...node.value.split('.').slice(1)].join('.'))}?`;
  return problems.add('UNKNOWN_NAME', node.span, {
    message: `a condition cannot see ${quote(node.value)}`,
    help,
  });
}

/** All values, or undefined if one is missing. */
export function allOrNone<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === values.length ? present : undefined;
}
