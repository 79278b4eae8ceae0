import { type Capability, isUnknownMember, type Json, type Truth } from '@ambit/core';
import { isTooLong } from '../../condition/glob.js';
import { absentFact, matchesFact, otherKind, tooLong } from '../../condition/match.js';
import type { FactPatterns, Match, Pattern } from '../../condition/pattern.js';
import { compileCovers } from './compile-glob.js';

type MatchTest = (capability: Capability) => Truth;

/** `matches`, of closures. */
export function compileMatch(match: Match): MatchTest {
  const tests = match.map(compileFact);
  return (capability) => {
    let all: Truth = true;
    for (const test of tests) {
      const truth = test(capability);
      if (truth === false) return false;
      if (all === true) all = truth;
    }
    return all;
  };
}

function compileFact({ fact, patterns }: FactPatterns): MatchTest {
  const absent = Object.freeze(absentFact(fact));
  if (fact === 'name') return () => absent;
  const tests = patterns.map((pattern) => compilePattern(pattern, fact));
  return (capability) => {
    if (!Object.hasOwn(capability, fact)) return absent;
    const value = capability[fact] as Json;
    if (fact === 'path' && typeof value === 'object' && isUnknownMember(value))
      return matchesFact({ fact, patterns }, capability);
    let any: Truth = false;
    for (const test of tests) {
      const truth = test(value);
      if (truth === true) return true;
      if (any === false) any = truth;
    }
    return any;
  };
}

function compilePattern(pattern: Pattern, fact: string): (value: Json) => Truth {
  switch (pattern.kind) {
    case 'glob': {
      const { glob } = pattern;
      const covers = compileCovers(glob);
      return (value) => {
        if (typeof value !== 'string') return otherKind(pattern, { fact, value });
        return isTooLong(glob, value) ? tooLong(fact) : covers(value);
      };
    }
    case 'boolean':
      return (value) =>
        typeof value === 'boolean' ? pattern.value === value : otherKind(pattern, { fact, value });
    case 'number':
      return (value) =>
        typeof value === 'number' ? pattern.value === value : otherKind(pattern, { fact, value });
    case 'range': {
      const { from, to } = pattern;
      return (value) =>
        typeof value === 'number'
          ? (from === null || value >= from) && (to === null || value <= to)
          : otherKind(pattern, { fact, value });
    }
  }
}
