import { type Condition, callView, type Json, negation, type Truth, truthOf } from '@ambit/core';
import { longestText, mostSteps } from '../../condition/glob.js';
import { absentFact, matchesFact } from '../../condition/match.js';
import type { FactPatterns, Match } from '../../condition/pattern.js';
import { partsBehind } from '../../document/rule-condition.js';
import { compileGlobs } from './compile-glob.js';
import { compileWhen, type Test } from './compile-when.js';

/** The same condition, compiled if it comes from a file; one made in code is called as it is. */
export function compileCondition(condition: Condition<never>): Test {
  const parts = partsBehind(condition);
  if (parts === null)
    return (capability, request) => {
      const call = callView(request);
      const view = capability === null ? call : { ...call, capability };
      return truthOf(condition, view as never);
    };
  const { match, except, when, until } = parts;
  const tests: Test[] = [];
  if (until !== null) tests.push((_, { now }) => now < until);
  if (match !== null) tests.push(compileMatch(match));
  if (except !== null) {
    const isExcepted = compileMatch(except);
    tests.push((capability, call) => negation(isExcepted(capability, call)));
  }
  if (when !== null) tests.push(compileWhen(when.expression));
  return conjunction(tests);
}

export function compileMatch(match: Match): Test {
  return conjunction(match.map(compileFact));
}

/** Core's `both`: stops at the first part that is false. */
function conjunction(tests: readonly Test[]): Test {
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

function compileFact(patterns: FactPatterns): Test {
  const { fact } = patterns;
  const absent = Object.freeze(absentFact(fact));
  if (fact === 'name') return () => absent;
  const globs = patterns.patterns.flatMap((pattern) => (pattern.kind === 'glob' ? [pattern.glob] : []));
  const isCovered = globs.length < patterns.patterns.length ? null : compileGlobs(globs);
  const most = Math.max(0, ...globs.map(({ text }) => text.length));
  const longest = Math.min(longestText, Math.floor(mostSteps / most));
  return (capability) => {
    if (capability === null || !Object.hasOwn(capability, fact)) return absent;
    const value = capability[fact] as Json;
    if (isCovered !== null && typeof value === 'string' && value.length <= longest) return isCovered(value);
    // Other kinds and too long texts have reasons.
    return matchesFact(patterns, capability);
  };
}
