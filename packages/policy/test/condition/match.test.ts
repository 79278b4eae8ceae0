import { type Capability, isUndecided } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { matches } from '../../src/condition/match.js';
import { load, withRules } from '../world.js';

function truthOf(match: string, capability: Omit<Capability, 'name'>): boolean | string {
  const loaded = load(withRules(`crm.export: { decision: blocked, match: ${match} }`));
  if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
  const [rule] = loaded.policy.document.rules;
  if (rule?.about !== 'capability' || rule.match === null) throw new Error('no match');
  const truth = matches(rule.match, { ...capability, name: 'crm.export' });
  return isUndecided(truth) ? truth.undecided : truth;
}

describe('matches', () => {
  it.each<[string, Omit<Capability, 'name'>, boolean | string]>([
    ['{ path: ./out/** }', { path: '/w/out/a' }, true],
    ['{ path: ./out/** }', { path: '/w/out' }, true],
    ['{ path: ./out/** }', { path: '/w/outer' }, false],
    ['{ path: ~/.ssh/** }', { path: '/home/ada/.ssh/id' }, true],
    ['{ path: [/a/**, /b/**] }', { path: '/b/c' }, true],
    ['{ path: /a/** }', {}, 'no fact `path`'],
    ['{ path: /a/**, kind: x }', { path: '/b' }, false],
    ['{ path: /a/**, kind: x }', { path: '/a' }, 'no fact `kind`'],
    ['{ kind: x, path: /a/** }', { path: '/b' }, false],
    ['{ count: 3 }', { count: 3 }, true],
    ['{ count: 3 }', { count: 4 }, false],
    ['{ count: 3 }', { count: '3' }, 'fact `count` is text, not a number'],
    ['{ count: "3" }', { count: 3 }, 'fact `count` is a number, not text'],
    ['{ count: { from: 1, to: 3 } }', { count: 1 }, true],
    ['{ count: { from: 1, to: 3 } }', { count: 3 }, true],
    ['{ count: { from: 1, to: 3 } }', { count: 3.1 }, false],
    ['{ count: { from: 1 } }', { count: 1e9 }, true],
    ['{ count: { to: 1 } }', { count: -5 }, true],
    ['{ count: { to: 1 } }', { count: true }, 'fact `count` is a boolean, not a number'],
    ['{ flag: true }', { flag: true }, true],
    ['{ flag: true }', { flag: false }, false],
    ['{ flag: true }', { flag: 'true' }, 'fact `flag` is text, not a boolean'],
    ['{ flag: true }', { flag: null }, 'fact `flag` is null, not a boolean'],
    ['{ any: [1, a, true] }', { any: 'a' }, true],
    ['{ any: [1, a, true] }', { any: 'b' }, 'fact `any` is text, not a number'],
    ['{ list: a }', { list: ['a'] }, 'fact `list` is a list, not text'],
    ['{ constructor: x }', {}, 'no fact `constructor`'],
    ['{ toString: "*" }', {}, 'no fact `toString`'],
  ])('%s of %j is %s', (match, capability, expected) => {
    expect(truthOf(match, capability)).toBe(expected);
  });
});
