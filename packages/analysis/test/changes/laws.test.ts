import { findChanges, formatChanges } from '@ambit/analysis';
import { answer, createRequest, decide, type Grant } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../../test/depth.js';
import { call, writtenPolicies } from '../../../policy/test/engine/written-policies.js';
import { seed } from '../../../policy/test/seed.js';
import type { Change } from '../../src/changes/change.js';
import { changedCall, changedPolicies } from '../../src/changes/change.js';

/** A fixed seed: which kinds of changes are found is counted, and chance would leave one out now and then. */
const runs = explore(600, seed);
const grants: fc.Arbitrary<readonly Grant[]> = fc.subarray([
  { source: 'reference', worker: 'main', tool: 'box.put' },
  { source: 'reference', worker: 'helper', tool: 'crate.put', capabilities: ['app.write'] },
]);

describe('findChanges', () => {
  it('finds only changes that cause the claimed, different decision', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(
        writtenPolicies(8),
        fc.array(call, { minLength: 6, maxLength: 6 }),
        grants,
        (drawn, calls, given) => {
          const { policies } = drawn;
          for (const request of calls.map(createRequest)) {
            const decision = answer(decide(request, policies), { request, policies, grants: given });
            const changes = findChanges({ request, policies, decision, grants: given });
            for (const change of changes) {
              seen.set(change.what, (seen.get(change.what) ?? 0) + 1);
              expect(change.decision).not.toBe(decision.decision);
              const changed =
                change.of === 'call'
                  ? { request: changedCall(change, request), policies }
                  : { request, policies: changedPolicies(change, policies) };
              expect(
                answer(decide(changed.request, changed.policies), { ...changed, grants: given }).decision,
              ).toBe(change.decision);
            }
            expect(changes.length).toBeLessThanOrEqual(5);
            expect(new Set(changes.map((change: Change) => JSON.stringify(change))).size).toBe(
              changes.length,
            );
            formatChanges(changes, decision.capabilities);
          }
        },
      ),
      runs,
    );
    const kinds = ['fact', 'argument', 'context', 'worker', 'chain', 'without_rule', 'other_decision'];
    expect(kinds.filter((kind) => (seen.get(kind) ?? 0) < tries(5))).toEqual([]);
  });

  it('does not modify the call or the policies', () => {
    fc.assert(
      fc.property(writtenPolicies(4), call, ({ policies }, one) => {
        const request = createRequest(one);
        const before = JSON.stringify([request, policies]);
        findChanges({ request, policies, decision: decide(request, policies), grants: [] });
        expect(JSON.stringify([request, policies])).toBe(before);
      }),
      runs,
    );
  });
});
