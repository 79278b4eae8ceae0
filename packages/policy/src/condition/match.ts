import {
  both,
  type Capability,
  either,
  isUnknownMember,
  type Json,
  type Truth,
  type Undecided,
} from '@ambit/core';
import { covers, coversAllUnder, coversAnyUnder, isTooLong } from './glob.js';
import type { FactPatterns, Match, Pattern } from './pattern.js';

export function matches(match: Match, capability: Capability): Truth {
  return both(match.map((patterns) => matchesFact(patterns, capability)));
}

export function matchesFact({ fact, patterns }: FactPatterns, capability: Capability): Truth {
  if (fact === 'name' || !Object.hasOwn(capability, fact)) return absentFact(fact);
  const value = capability[fact] as Json;
  if (fact === 'path' && isUnknownMember(value))
    return either(patterns.map((pattern) => matchesUnknown(pattern, value.under)));
  return either(patterns.map((pattern) => matchesPattern(pattern, { fact, value })));
}

/** The result of a pattern for an unknown path in a known folder. */
function matchesUnknown(pattern: Pattern, under: string | undefined): Truth {
  if (under === undefined || pattern.kind !== 'glob' || isTooLong(pattern.glob, under)) return unknownPath;
  if (coversAllUnder(pattern.glob, under)) return true;
  return coversAnyUnder(pattern.glob, under) ? unknownPath : false;
}

const unknownPath: Undecided = Object.freeze({ undecided: 'fact `path` is unknown' });

function matchesPattern(pattern: Pattern, { fact, value }: { fact: string; value: Json }): Truth {
  if (pattern.kind === 'glob' && typeof value === 'string')
    return isTooLong(pattern.glob, value)
      ? { undecided: `fact \`${fact}\` is too long to be matched` }
      : covers(pattern.glob, value);
  if (pattern.kind === 'boolean' && typeof value === 'boolean') return pattern.value === value;
  if (typeof value === 'number') {
    if (pattern.kind === 'number') return pattern.value === value;
    if (pattern.kind === 'range')
      return (pattern.from === null || value >= pattern.from) && (pattern.to === null || value <= pattern.to);
  }
  return { undecided: `fact \`${fact}\` is ${kindOf(value)}, not ${wanted[pattern.kind]}` };
}

export function absentFact(fact: string): Undecided {
  return { undecided: `no fact \`${fact}\`` };
}

const wanted = { glob: 'text', number: 'a number', boolean: 'a boolean', range: 'a number' } as const;

export function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return { string: 'text', number: 'a number', boolean: 'a boolean' }[typeof value as string] ?? 'an object';
}
