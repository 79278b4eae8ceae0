import { toolsetOf } from '@ambit/core';
import type { Expression, WrittenRule } from '@ambit/policy';
import { possibleTruths } from './possible-truths.js';
import { heardSites, type Lint } from './scope.js';

/** Conditions that come to the same for every call. */
export const constantConditions: Lint = ({ file }) =>
  heardSites(file).flatMap(({ rule, entry }) => {
    const span = entry('when')?.keySpan;
    if (rule.when === null || span === undefined) return [];
    const { isTrue, isFalse, isUndecided } = possibleTruths(withKnown(rule.when.expression, rule));
    if (isTrue && (isFalse || isUndecided)) return [];
    const permits = rule.decision === 'pre_approved';
    const [message, help] = isTrue
      ? ['this condition is always true', 'take `when` away']
      : !isFalse
        ? [
            'this condition is never true and never false, so it is always undecided',
            permits
              ? 'an undecided permission permits nothing; compare what it gives with something'
              : 'an undecided restriction always counts; compare what it gives with something',
          ]
        : [
            'this condition is never true',
            permits
              ? 'the rule permits nothing; take it away, or mend the condition'
              : `the rule ${isUndecided ? 'counts only where the condition cannot be decided' : 'never applies'}; take it away, or mend the condition`,
          ];
    return [{ code: 'CONSTANT_CONDITION', span, message, help }];
  });

/** The condition with what the rule's own place says put in: the name that it stands under, say. */
function withKnown(expression: Expression, rule: WrittenRule): Expression {
  const known = new Map<string, string>();
  if (rule.about === 'tool') {
    known.set('toolset', toolsetOf(rule.name));
    if (!rule.name.endsWith('.*')) known.set('tool', rule.name);
  }
  if (rule.about === 'capability' && rule.decision === 'pre_approved' && !rule.below)
    known.set('capability.name', rule.name);
  if (rule.worker !== null && rule.decision === 'pre_approved') known.set('worker', rule.worker);
  return known.size === 0 ? expression : putIn(expression, known);
}

function putIn(expression: Expression, known: ReadonlyMap<string, string>): Expression {
  if (expression.kind === 'var') {
    const value = known.get(String(expression.key));
    return value === undefined ? expression : { kind: 'literal', value };
  }
  if (expression.kind === 'list')
    return { ...expression, items: expression.items.map((item) => putIn(item, known)) };
  if (expression.kind !== 'operation') return expression;
  // Within `all`, `some` and `none` the second operand speaks about an element.
  const isOverList = ['all', 'some', 'none'].includes(expression.operator);
  return {
    ...expression,
    operands: expression.operands.map((operand, index) =>
      isOverList && index === 1 ? operand : putIn(operand, known),
    ),
  };
}
