import { createRequest, decide, type NonEmpty, type Policy, type Request } from '@ambit/core';
import { createEngine, type Engine } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import { someOfPolicies } from '../../../core/test/arbitrary/policy.js';
import { request } from '../../../core/test/arbitrary/request.js';
import { call, writtenPolicies } from './written-policies.js';

const hours = 3_600_000;

/** A million comparisons with `toEqual` would take most of the time, so it runs only to show a difference. */
function compare(engine: Engine, one: Request, policies: NonEmpty<Policy>): void {
  const plain = decide(one, policies);
  // Of names that are not explained yet, only the rank is cached.
  expect(engine.settle(one, policies)).toBe(plain.decision);
  const fast = engine.decide(one, policies);
  if (text(fast) !== text(plain)) expect(fast).toEqual(plain);
  expect(text(fast) === text(plain)).toBe(true);
  expect(engine.settle(one, policies)).toBe(plain.decision);
}

/** Every value, and the order of every key. Values that JSON cannot express become text. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'number' && (!Number.isFinite(part) || Object.is(part, -0))
      ? `number ${String(part)} ${Object.is(part, -0)}`
      : part === undefined
        ? 'undefined'
        : part,
  );
}

/** Every set of policies judges every call. */
function compareAll(engine: Engine, sets: readonly NonEmpty<Policy>[], requests: readonly Request[]): number {
  for (const policies of sets) for (const one of requests) compare(engine, one, policies);
  return sets.length * requests.length;
}

function some<T>(count: number, drawn: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> {
  return fc.array(drawn, { minLength: count, maxLength: count });
}

describe('the fast engine and the plain one give equal decisions, with equal explanations, on every input', () => {
  const least = tries(100_000);
  let pairs = 0;

  it(
    'for policies made in code',
    () => {
      const engine = createEngine();
      fc.assert(
        fc.property(some(5, someOfPolicies()), some(12, request), (sets, requests) => {
          pairs += compareAll(engine, sets, requests);
        }),
        explore(1_200),
      );
    },
    hours,
  );

  it.each([
    [6, 300, [3, 35]],
    [200, 12, [2, 150]],
  ] as const)(
    'for written policies of up to %i rules',
    (rules, deep, [sets, calls]) => {
      const engine = createEngine();
      fc.assert(
        fc.property(
          some(sets, writtenPolicies(rules)),
          some(calls, call.map(createRequest)),
          (drawn, requests) => {
            pairs += compareAll(
              engine,
              drawn.map(({ policies }) => policies),
              requests,
            );
          },
        ),
        explore(deep),
      );
    },
    hours,
  );

  it(`tried on ${least} pairs of policies and calls`, () => {
    expect(pairs).toBeGreaterThanOrEqual(least);
  });
});
