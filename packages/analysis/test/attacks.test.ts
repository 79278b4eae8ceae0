import type { JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../test/depth.js';
import { diffPolicies } from '../src/diff/diff.js';
import { callText, decideCall, levelOf } from '../src/exact/call.js';
import { proveAttenuation } from '../src/prove/attenuation.js';
import { loadedPolicy } from './universe.js';

const policy = (rules: JsonObject): JsonObject => ({
  version: 1,
  default: 'needs_approval',
  ...(Object.keys(rules).length === 0 ? {} : { capabilities: { n: rules } }),
});
const difference = (one: JsonObject, other: JsonObject) => {
  const [old, now] = [loadedPolicy(one), loadedPolicy(other)];
  return { old, now, ...diffPolicies(old, now) };
};
const blocked = (rest: JsonObject): JsonObject => policy({ decision: 'blocked', ...rest });
const below = (port: number, standard: number) =>
  blocked({ when: { '<': [{ var: ['capability.port', standard] }, port] } });
const many = (count: number, rule: (index: number) => JsonObject) =>
  Array.from({ length: count }, (_, index) => rule(index));

const permitted: JsonObject = {
  ...policy({}),
  capabilities: { z: 'pre_approved', n: { decision: 'pre_approved', match: { path: ['/a/**', '/b/**'] } } },
};

describe('diffPolicies', () => {
  it('reports no edit if the capabilities that a policy adds to a tool only moved in the file', () => {
    const carries = { 'k.r': ['n'] };
    expect(difference({ ...permitted, carries }, { carries, ...permitted }).edits).toEqual([]);
  });

  it.each([
    ['ports below a number that is not a port', below(1_000_000, 2_000_000), policy({})],
    [
      'ports above a number that is not a port',
      blocked({ when: { '>': [{ var: ['capability.port', -5] }, -2] } }),
      policy({}),
    ],
    [
      'a path that is too long for a glob, but not for `under`',
      blocked({ match: { path: '/a/**' } }),
      blocked({ when: { under: [{ var: 'capability.path' }, '/a'] } }),
    ],
    [
      'a text that is too long for a glob, but not for `==`',
      blocked({ match: { t: 'a' } }),
      blocked({ when: { '==': [{ var: 'capability.t' }, 'a'] } }),
    ],
    [
      'a folder in which no path is known, for a pattern and for several that cover the same paths',
      blocked({ match: { path: '/w/**' } }),
      blocked({ match: { path: ['/w', '/w/*', '/w/*/**'] }, undecided: 'needs_approval' }),
    ],
    [
      'what a policy adds to a tool, which is a set of files that several rules permit',
      { ...permitted, carries: { 'k.r': [{ name: 'n', path: { paths: ['/a/x', '/b/y'] } }] } },
      { ...permitted, capabilities: { z: 'blocked' } },
    ],
  ])('decides exactly: %s', (_, one, other) => {
    const { old, now, equal, changes } = difference(one, other);
    expect(equal).toBe(false);
    expect(changes.length).toBeGreaterThan(0);
    for (const { call } of changes)
      expect(levelOf(decideCall(call, old))).not.toBe(levelOf(decideCall(call, now)));
  });

  it.each([
    ['a path of thousands of `**`', blocked({ match: { path: `/${'**/'.repeat(20_000)}a` } })],
    ['a glob of a hundred thousand characters', blocked({ match: { t: '?'.repeat(100_000) } })],
    ['a glob of thousands of stars', blocked({ match: { t: '*a'.repeat(3_000) } })],
    ['a text of a megabyte', blocked({ when: { in: ['abc'.repeat(300_000), { var: 'capability.t' }] } })],
    ['a megabyte to search in', blocked({ when: { in: [{ var: 'capability.t' }, 'abc'.repeat(300_000)] } })],
  ])('analyses %s as far as possible, and reports what stays unknown', (_, one) => {
    const { equal, unknown } = difference(one, policy({}));
    expect([equal, unknown.map(({ why, rules }) => [why, rules.map(({ id }) => id)])]).toEqual([
      false,
      Array(2).fill([
        expect.stringContaining('a pattern or a text in a condition is too long'),
        ['capabilities.n'],
      ]),
    ]);
  });

  it.skipIf(!isDeep)(
    'limits the work on patterns with many overlaps, and reports the differences found',
    () => {
      const globs = (count: number) =>
        Array.from({ length: count }, (_, each) => `**/a${each}/**/b${each}/*.c`);
      const { unknown, changes } = difference(
        blocked({ match: { path: globs(40) } }),
        blocked({ match: { path: globs(39) } }),
      );
      expect(unknown[0]?.why).toBe('the fact `path`: its patterns overlap in too many ways');
      expect(changes[0]?.call.capabilities).toEqual([{ name: 'n', path: '/a39/b39/x.c' }]);
    },
  );

  it.skipIf(!isDeep)('limits the work on combinations of facts, and names the rules', () => {
    const asked = {
      decision: 'needs_approval',
      match: Object.fromEntries(Array.from({ length: 18 }, (_, each) => [`a${each}`, 'x'])),
    };
    const rules = (count: number) => [
      asked,
      ...many(count, (each) => ({
        decision: 'blocked',
        match: { [`a${each}`]: 'x', [`b${17 - each}`]: 'y' },
      })),
    ];
    const of = (count: number): JsonObject => ({
      version: 1,
      default: 'pre_approved',
      capabilities: { n: rules(count) as never },
    });
    const { equal, unknown } = difference(of(18), of(17));
    expect([equal, unknown[0]?.why]).toEqual([false, 'too many combinations of facts']);
  });
});

describe('proveAttenuation', () => {
  it.skipIf(!isDeep)('stops at the limit of work, and says how much it left out', () => {
    const names = ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 6 }, (_, at) => `${name}.s${at}`));
    const policies = loadedPolicy({
      version: 1,
      default: 'needs_approval',
      capabilities: Object.fromEntries(names.map((name) => [name, 'pre_approved'])),
      workers: {
        w: { capabilities: { 'a.s1': 'needs_approval' } },
        v: { capabilities: { 'a.s2': 'blocked' } },
      },
      together: many(9, (at) => ({
        decision: 'blocked',
        capabilities: [{ name: 'a', match: { t: `x${at}*` } }, { name: 'b', match: { t: `y${at}*` } }, 'c'],
      })) as never,
    });
    const proof = proveAttenuation(policies, { child: 'v', parent: 'q' });
    const unknown = proof.status === 'unknown' ? proof.unknown : [];
    expect(unknown.at(-1)?.capability).toMatch(/^\d+ more kinds of calls$/);
    expect(unknown.length).toBeLessThan(100);
  });
});

describe('the root of all paths', () => {
  it('is a path of its own: a pattern for `/` changes no other path', () => {
    const { changes } = difference(
      {
        version: 1,
        default: 'pre_approved',
        capabilities: { n: { decision: 'needs_approval', match: { path: '/' } } },
      },
      { version: 1, default: 'blocked' },
    );
    const ofName = changes.filter(({ capability }) => capability === 'n');
    expect(ofName.map(({ from, call }) => [from.decision, call.capabilities])).toContainEqual([
      'pre_approved',
      [{ name: 'n', path: '/x' }],
    ]);
  });
});

describe('callText', () => {
  it('reads back as the same call, without control or invisible characters', () => {
    const capability = { name: 'n', t: 'a\u001b[2J\u202e\u{e0041}\ud800 é' };
    const call = { worker: ['main'], tool: 'a.b', capabilities: [capability] } as const;
    const text = callText(call);
    expect([JSON.parse(text), /^[ -~é]*$/.test(text)]).toEqual([call, true]);
  });
});
