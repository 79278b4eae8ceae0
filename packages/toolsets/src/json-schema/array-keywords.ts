import { equalJson, type Json } from '@ambit/core';
import {
  below,
  type Check,
  type CheckState,
  firstProblem,
  type Keyword,
  requireCount,
  requireList,
  SchemaFault,
  wrong,
} from './check.js';

export const arrayKeywords: Readonly<Record<string, Keyword>> = {
  items: (value, { schema, compile }) => {
    if (Array.isArray(value))
      throw new SchemaFault('`items` is a list, which newer drafts write as `prefixItems`');
    const check = compile(value);
    const start = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
    return onList((given, state) =>
      firstProblem(given.slice(start), (item, index) => check(item, below(state, start + index))),
    );
  },
  prefixItems: (value, { compile }) => {
    const checks = requireList(value, 'prefixItems').map(compile);
    return onList((given, state) =>
      firstProblem(given.slice(0, checks.length), (item, index) =>
        (checks[index] as Check)(item, below(state, index)),
      ),
    );
  },
  minItems: (value) => onSize(requireCount(value, 'minItems'), (size, limit) => size >= limit, 'fewer'),
  maxItems: (value) => onSize(requireCount(value, 'maxItems'), (size, limit) => size <= limit, 'more'),
  uniqueItems: (value) => {
    if (typeof value !== 'boolean') throw new SchemaFault('`uniqueItems` is neither true nor false');
    if (!value) return null;
    return onList((given, state) =>
      hasTwins(given, state) ? wrong(state, 'has the same item twice') : null,
    );
  },
  contains: (value, { schema, compile }) => {
    const check = compile(value);
    const least = schema.minContains === undefined ? 1 : requireCount(schema.minContains, 'minContains');
    const most =
      schema.maxContains === undefined
        ? Number.POSITIVE_INFINITY
        : requireCount(schema.maxContains, 'maxContains');
    return onList((given, state) => {
      const found = given.filter((item, index) => check(item, below(state, index)) === null).length;
      return found >= least && found <= most
        ? null
        : wrong(state, `has ${found} items of the kind that \`contains\` counts`);
    });
  },
};

function onList(check: (given: readonly Json[], state: CheckState) => string | null): Check {
  return (given, state) => {
    if (!Array.isArray(given)) return null;
    const list = given as readonly Json[];
    state.effort.spend(list.length);
    return check(list, state);
  };
}

function onSize(limit: number, holds: (size: number, limit: number) => boolean, words: string): Check {
  return onList((given, state) =>
    holds(given.length, limit) ? null : wrong(state, `has ${words} than ${limit} items`),
  );
}

function hasTwins(items: readonly Json[], state: CheckState): boolean {
  const plain = items.filter((item) => typeof item !== 'object' || item === null);
  if (new Set(plain).size < plain.length) return true;
  const others = items.filter((item) => typeof item === 'object' && item !== null);
  return others.some((item, index) => {
    state.effort.spend(others.length - index);
    return others.slice(index + 1).some((other) => equalJson(item, other));
  });
}
