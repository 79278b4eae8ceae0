import { decide } from '@ambit/core';
import { createEngine } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someOfPolicies } from '../../../core/test/arbitrary/policy.js';
import { request } from '../../../core/test/arbitrary/request.js';

/** Each run draws policies and puts ten calls to them. `ENGINE_RUNS=100000` makes a longer search. */
const numRuns = Number(process.env.ENGINE_RUNS ?? 7_500);
const calls = fc.array(request, { minLength: 10, maxLength: 10 });

describe('the engine', () => {
  it('gives the decision and the explanation that the definition gives', () => {
    const engine = createEngine();
    fc.assert(
      fc.property(someOfPolicies(), calls, (policies, requests) => {
        for (const one of requests) {
          const plain = decide(one, policies);
          expect(engine.decide(one, policies)).toEqual(plain);
          expect(engine.settle(one, policies)).toBe(plain.decision);
        }
      }),
      { numRuns },
    );
  }, 600_000);
});
