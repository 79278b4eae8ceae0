import {
  type CallView,
  type CapabilityView,
  type Condition,
  negation,
  type Truth,
  truthOf,
} from '@ambit/core';
import type { Expression } from '../../condition/expression.js';
import { partsBehind, type RuleParts } from '../../document/rule-condition.js';
import { compileExpression } from './compile-expression.js';
import { compileMatch } from './compile-match.js';
import { freshWork } from './evaluator.js';

type View = CallView | CapabilityView;

/** The same condition, compiled if it comes from a file; otherwise unchanged. */
export function compileCondition<Seen extends View>(condition: Condition<Seen>): Condition<Seen> {
  const parts = partsBehind(condition);
  return parts === null ? (view) => truthOf(condition, view) : compileParts(parts);
}

function compileParts(parts: RuleParts): Condition<View> {
  const tests = testsOf(parts);
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return (view) => {
    let all: Truth = true;
    for (const test of tests) {
      const truth = test(view);
      if (truth === false) return false;
      if (all === true) all = truth;
    }
    return all;
  };
}

function testsOf({ match, except, when, until }: RuleParts): readonly Condition<View>[] {
  const tests: Condition<View>[] = [];
  if (until !== null) tests.push((view) => view.now < until);
  if (match !== null) {
    const covers = compileMatch(match);
    tests.push((view) => covers(capabilityOf(view)));
  }
  if (except !== null) {
    const covers = compileMatch(except);
    tests.push((view) => negation(covers(capabilityOf(view))));
  }
  if (when !== null) tests.push(compileWhen(when.expression));
  return tests;
}

/** The keys of a view are the roots of its conditions; loading ensures that. */
function compileWhen(expression: Expression): Condition<View> {
  const { condition } = compileExpression(expression);
  return (view) => condition(view as never, freshWork());
}

function capabilityOf(view: View) {
  return 'capability' in view ? view.capability : { name: 'tool.call' };
}
