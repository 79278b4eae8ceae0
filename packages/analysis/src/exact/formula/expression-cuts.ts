import { foldersUp, isCanonicalPath, type Json } from '@ambit/core';
import type { Expression, Key } from '@ambit/policy';
import { parseBlock } from '@ambit/policy/internal';
import type { Cut } from './atom.js';

export type SubjectKind = 'value' | 'tool' | 'toolset' | 'worker' | 'chain';

/** Null if a key reads something else. */
export type Subject = (key: Key) => SubjectKind | null;

/** The cuts after which an expression is constant in each cell; null for arithmetic and other expressions. */
export function expressionCuts(expression: Expression, subject: Subject): readonly Cut[] | null {
  switch (expression.kind) {
    case 'literal':
      return [];
    case 'list':
      return literalOf(expression) === undefined ? null : [];
    case 'var':
      return directKind(expression, subject) === null ? null : [];
    case 'missing':
    case 'missing_some':
      return joinCuts(expression.keys.map((key) => cutsOfMissing(subject(key))));
    case 'operation':
      return operationCuts(expression, subject);
  }
}

type Operation = Extract<Expression, { kind: 'operation' }>;

function operationCuts({ operator, operands }: Operation, subject: Subject): readonly Cut[] | null {
  const [first, second] = operands;
  if (isOneOf(['and', 'or', '!', '!!', 'if'], operator))
    return joinCuts(operands.map((operand) => expressionCuts(operand, subject)));
  if (isOneOf(['==', '===', '!=', '!==', '<', '<=', '>', '>='], operator))
    return comparisonCuts(operands, subject);
  if (first === undefined || second === undefined) return null;
  if (operator === 'in') return membershipCuts(first, second, subject);
  if (operator === 'under') return folderCuts(first, second, subject);
  if (operator === 'cidr') return blockCuts(first, second, subject);
  if (isOneOf(['all', 'some', 'none'], operator)) {
    if (directKind(first, subject) !== 'value') return null;
    const inner = expressionCuts(second, (key) => (key === '' ? 'value' : null));
    return inner === null ? null : inner.map((of) => ({ cut: 'element', of }));
  }
  return null;
}

function comparisonCuts(operands: readonly Expression[], subject: Subject): readonly Cut[] | null {
  const kinds = operands.map((operand) => directKind(operand, subject));
  const literals = operands.map(literalOf);
  if (operands.some((_, index) => kinds[index] === null && literals[index] === undefined)) return null;
  // Who calls is compared by name; a chain compares with nothing.
  const compared = kinds.filter((kind) => kind !== null);
  return literals.flatMap((literal) =>
    literal === undefined ? [] : compared.flatMap((kind) => equalityCuts(literal, kind)),
  );
}

function membershipCuts(needle: Expression, where: Expression, subject: Subject): readonly Cut[] | null {
  const [needleKind, whereKind] = [directKind(needle, subject), directKind(where, subject)];
  const [part, list] = [literalOf(needle), literalOf(where)];
  if (part !== undefined && list !== undefined) return [];
  if (needleKind !== null && Array.isArray(list))
    return (list as readonly Json[]).flatMap((item) => equalityCuts(item, needleKind));
  if (needleKind === 'value' && typeof list === 'string')
    return [{ cut: 'text', of: { text: 'within', whole: list } }];
  if (needleKind === 'value' && list !== undefined) return [];
  if (part === undefined) return null;
  if (whereKind === 'chain') return typeof part === 'string' ? [{ cut: 'member', name: part }] : [];
  if (whereKind !== 'value') return null;
  const within: readonly Cut[] =
    typeof part === 'string' ? [{ cut: 'text', of: { text: 'contains', part } }] : [];
  return [...within, ...equalityCuts(part, 'value').map((of) => ({ cut: 'element' as const, of }))];
}

function folderCuts(one: Expression, other: Expression, subject: Subject): readonly Cut[] | null {
  const canonical: Cut = { cut: 'text', of: { text: 'canonical path' } };
  const [inner, outer] = [literalOf(one), literalOf(other)];
  if (inner !== undefined && outer !== undefined) return [];
  if (directKind(one, subject) === 'value' && outer !== undefined)
    return typeof outer === 'string' && isCanonicalPath(outer)
      ? [canonical, { cut: 'text', of: { text: 'under', folder: outer } }]
      : [];
  if (directKind(other, subject) === 'value' && inner !== undefined)
    return typeof inner === 'string' && isCanonicalPath(inner)
      ? [canonical, { cut: 'text', of: { text: 'literals', literals: foldersUp(inner).toReversed() } }]
      : [];
  return null;
}

function blockCuts(one: Expression, other: Expression, subject: Subject): readonly Cut[] | null {
  const written = literalOf(other);
  if (written === undefined) return null;
  if (literalOf(one) !== undefined) return [];
  if (directKind(one, subject) !== 'value') return null;
  const block = typeof written === 'string' ? parseBlock(written) : null;
  return block === null ? [] : [{ cut: 'text', of: { text: 'address', block } }];
}

function cutsOfMissing(kind: SubjectKind | null): readonly Cut[] | null {
  if (kind === null) return null;
  return kind === 'value' ? [{ cut: 'text', of: { text: 'literals', literals: [''] } }] : [];
}

function equalityCuts(literal: Json, kind: SubjectKind): readonly Cut[] {
  if (typeof literal === 'number') return kind === 'value' ? [{ cut: 'number', at: literal }] : [];
  if (typeof literal !== 'string' || kind === 'chain') return [];
  return kind === 'value'
    ? [{ cut: 'text', of: { text: 'literals', literals: [literal] } }]
    : [{ cut: kind, name: literal }];
}

function directKind(expression: Expression, subject: Subject): SubjectKind | null {
  if (expression.kind !== 'var') return null;
  if (expression.fallback !== null && literalOf(expression.fallback) === undefined) return null;
  return subject(expression.key);
}

function literalOf(expression: Expression): Json | undefined {
  if (expression.kind === 'literal') return expression.value;
  if (expression.kind !== 'list') return undefined;
  const items = expression.items.map(literalOf);
  return items.includes(undefined) ? undefined : (items as Json[]);
}

function joinCuts(lists: readonly (readonly Cut[] | null)[]): readonly Cut[] | null {
  return lists.some((list) => list === null) ? null : lists.flatMap((list) => list ?? []);
}

function isOneOf<T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}
