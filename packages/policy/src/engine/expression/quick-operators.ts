import type { Json } from '@ambit/core';
import type { OwnOperator, ValueOperator } from '../../condition/expression.js';
import { isQuickToFind } from '../../condition/operators.js';

/** The value for two operands of the usual kinds, as in json-logic-js; undefined for others. */
export type Quick = (one: Json, other: Json) => Json | undefined;

export const quickly: Readonly<Partial<Record<ValueOperator | OwnOperator, Quick>>> = {
  '==': (one, other) => (areOfOneKind(one, other) ? one === other : undefined),
  '===': (one, other) => (areOfOneKind(one, other) ? one === other : undefined),
  '!=': (one, other) => (areOfOneKind(one, other) ? one !== other : undefined),
  '!==': (one, other) => (areOfOneKind(one, other) ? one !== other : undefined),
  '<': (one, other) => (typeof one === 'number' && typeof other === 'number' ? one < other : undefined),
  '<=': (one, other) => (typeof one === 'number' && typeof other === 'number' ? one <= other : undefined),
  '>': (one, other) => (typeof one === 'number' && typeof other === 'number' ? one > other : undefined),
  '>=': (one, other) => (typeof one === 'number' && typeof other === 'number' ? one >= other : undefined),
  '%': (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? finite(one % other) : undefined,
  '-': (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? finite(one - other) : undefined,
  '/': (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? finite(one / other) : undefined,
  // json-logic-js reads its operands as text, which has no negative zero.
  '+': (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? finite(0 + one + other) : undefined,
  '*': (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? finite((one + 0) * (other + 0)) : undefined,
  in: (one, other) => {
    if (typeof other === 'string' && typeof one === 'string')
      return isQuickToFind(one, other) ? other !== '' && other.includes(one) : undefined;
    if (!Array.isArray(other) || (typeof one === 'object' && one !== null)) return undefined;
    return (other as readonly Json[]).indexOf(one) !== -1;
  },
};

function areOfOneKind(one: Json, other: Json): boolean {
  return typeof one === typeof other && typeof one !== 'object';
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
