import { isWithin, type JsonObject, type NonEmpty } from '@ambit/core';
import type { WrittenPolicy } from '@ambit/policy';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import { seed } from '../../policy/test/seed.js';
import { diffPolicies, type PolicyDifference } from '../src/diff/diff.js';
import { decideCall, type ExampleCall, levelOf } from '../src/exact/call.js';
import type { Verdict } from '../src/exact/verdict.js';
import { callers, combinations, facts, type SmallUniverse } from './small.js';
import { loadedPolicy, policyJson, policyPair, universeCall } from './universe.js';

describe('diffPolicies', () => {
  it.each([
    ['facts', facts, 120],
    ['callers', callers, 120],
    ['combinations', combinations, 100],
  ] as const)(
    'finds every call of a small universe of %s that two policies decide differently',
    (_, universe, deep) => {
      fc.assert(
        fc.property(universe.pairs, (pair) => expectAllReported(pair, universe.calls, [])),
        explore(deep, seed),
      );
    },
  );

  it('finds every call of a large universe that two policies decide differently', () => {
    fc.assert(
      fc.property(
        policyPair,
        fc.array(universeCall, { minLength: 60, maxLength: 60 }),
        fc.array(policyJson, { maxLength: 1 }),
        expectAllReported,
      ),
      explore(60, seed),
    );
  });
});

function expectAllReported(
  [one, other]: readonly [JsonObject, JsonObject],
  calls: SmallUniverse['calls'],
  layers: readonly JsonObject[],
): void {
  const [old, now] = [loadedPolicy(one, ...layers), loadedPolicy(other, ...layers)];
  const diff = diffPolicies(old, now);
  const missed = calls.filter((call) => !isReported(call, { old, now, diff }));
  expect(missed).toEqual([]);
}

/** Whether a call that is decided differently is in a class that is reported to change so. */
function isReported(
  call: ExampleCall,
  { old, now, diff }: { old: NonEmpty<WrittenPolicy>; now: NonEmpty<WrittenPolicy>; diff: PolicyDifference },
): boolean {
  const [from, to] = [levelOf(decideCall(call, old)), levelOf(decideCall(call, now))];
  if (from === to || diff.unknown.length > 0) return true;
  // More workers in front, more capabilities and more history may change otherwise what less of them changes too.
  const isPlain = call.capabilities.length === 1 && !call.history?.length && call.worker.length <= 2;
  if (!isPlain) return !diff.equal;
  const { name } = call.capabilities[0];
  return diff.changes.some(
    (change) =>
      levelOfVerdict(change.from) === from &&
      levelOfVerdict(change.to) === to &&
      isOfClass(name, change.capability),
  );
}

function isOfClass(name: string, capability: string): boolean {
  if (name === capability || capability === 'anything else') return true;
  const under = /^anything else under (\S+)$/.exec(capability)?.[1];
  return under !== undefined && name !== under && isWithin(name, under);
}

function levelOfVerdict({ decision, answer }: Verdict): number {
  if (decision === 'needs_approval') return answer === 'person' ? 2 : 1;
  return decision === 'blocked' ? 3 : 0;
}
