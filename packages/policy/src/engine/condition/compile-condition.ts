import {
  type CallView,
  type Capability,
  type Condition,
  canonical,
  negation,
  type Truth,
  truthOf,
} from '@ambit/core';
import { partsBehind } from '../../document/rule-condition.js';
import { compileMatch } from './compile-match.js';
import { compileWhen } from './compile-when.js';
import { nothing } from './facts.js';

/**
 * The truth of a condition for a capability as it was reported, and its call; `nothing` stands for
 * none.
 */
export type Test = (capability: Capability, call: CallView) => Truth;

/** The same condition, compiled if it comes from a file; one made in code is called as it is. */
export function compileCondition(condition: Condition<never>): Test {
  const parts = partsBehind(condition);
  if (parts === null)
    return (capability, { tool, toolset, worker, chain, args, context, now }) => {
      const call: CallView = { tool, toolset, worker, chain, args, context, now };
      const view = capability === nothing ? call : { ...call, capability: canonical(capability) };
      return truthOf(condition, view as never);
    };
  const { match, except, when, until } = parts;
  const tests: Test[] = [];
  if (until !== null) tests.push((_, { now }) => now < until);
  if (match !== null) tests.push(compileMatch(match));
  if (except !== null) {
    const isExcepted = compileMatch(except);
    tests.push((capability) => negation(isExcepted(capability)));
  }
  if (when !== null) tests.push(compileWhen(when.expression));
  return conjunction(tests);
}

/** Core's `both`, up to the first that is false. */
export function conjunction(tests: readonly Test[]): Test {
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return (capability, call) => {
    let all: Truth = true;
    for (const test of tests) {
      const truth = test(capability, call);
      if (truth === false) return false;
      if (all === true) all = truth;
    }
    return all;
  };
}
