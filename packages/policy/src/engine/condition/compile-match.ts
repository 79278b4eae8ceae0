import type { Capability, Truth } from '@ambit/core';
import { longestText, mostSteps } from '../../condition/glob.js';
import { absentFact, matchesFact } from '../../condition/match.js';
import type { FactPatterns, Match, Pattern } from '../../condition/pattern.js';
import { compileGlobs } from './compile-glob.js';
import { readFact } from './facts.js';

type MatchTest = (capability: Capability) => Truth;

/** `matches` of a reported capability: the same truths and reasons as for its canonical form. */
export function compileMatch(match: Match): MatchTest {
  const tests = match.map(sharedFact);
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
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

/** Tests of equal patterns are one. By their parts, since a folder of `~/` may have a `*` in its name. */
const shared = new Map<string, MatchTest>();
const mostShared = 4_096;

function sharedFact(patterns: FactPatterns): MatchTest {
  const globs = patterns.patterns.map((pattern) => (pattern.kind === 'glob' ? pattern.glob : null));
  if (globs.includes(null)) return compileFact(patterns);
  const key = JSON.stringify([
    patterns.fact,
    globs.map((glob) => [glob?.kind, glob?.text.length, glob?.segments]),
  ]);
  const test = shared.get(key) ?? compileFact(patterns);
  if (shared.size >= mostShared) shared.clear();
  if (key.length <= mostShared) shared.set(key, test);
  return test;
}

function compileFact(patterns: FactPatterns): MatchTest {
  const absent = Object.freeze(absentFact(patterns.fact));
  if (patterns.fact === 'name') return () => absent;
  const read = readFact(patterns.fact);
  const kinds = new Set(patterns.patterns.map(kindOf));
  const [kind] = kinds.size === 1 ? kinds : [];
  const globs = patterns.patterns.flatMap((pattern) => (pattern.kind === 'glob' ? [pattern.glob] : []));
  const isCovered = kind === 'string' ? compileGlobs(globs) : null;
  const longest = Math.min(longestText, ...globs.map(({ text }) => Math.floor(mostSteps / text.length)));
  return (capability) => {
    const value = read(capability);
    if (value === undefined) return absent;
    if (isCovered !== null && typeof value === 'string' && value.length <= longest) return isCovered(value);
    // Other kinds and too long texts have reasons.
    return matchesFact(patterns, capability);
  };
}

function kindOf({ kind }: Pattern): 'string' | 'other' {
  return kind === 'glob' ? 'string' : 'other';
}
