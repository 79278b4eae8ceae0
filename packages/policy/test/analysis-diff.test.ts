import type { NonEmpty } from '@ambit/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideCall, levelOf } from '../src/analysis/call.js';
import { diffPolicies, type PolicyDifference } from '../src/analysis/diff.js';
import type { WrittenPolicy } from '../src/document.js';
import { loadedPolicy, policyPair, universeCall } from './analysis-universe.js';

const runs = Number(process.env.AMBIT_ANALYSIS_RUNS ?? 700);

/** Whether one of the changes is about the calls of a name that change so, or something about it is not known. */
function isReported(diff: PolicyDifference, from: number, to: number): boolean {
  return (
    diff.unknown.length > 0 ||
    diff.changes.some((change) => levels(change.from) === from && levels(change.to) === to)
  );
}

function levels({ decision, answer }: { decision: string; answer: string | null }): number {
  if (decision === 'needs_approval') return answer === 'person' ? 2 : 1;
  return decision === 'blocked' ? 3 : 0;
}

describe('diffPolicies', () => {
  it('finds every call of a small universe that two policies decide otherwise', () => {
    fc.assert(
      fc.property(
        policyPair,
        fc.array(universeCall, { minLength: 60, maxLength: 60 }),
        ([one, other], calls) => {
          const [old, now] = [loadedPolicy(one), loadedPolicy(other)];
          const diff = diffPolicies(old, now);
          for (const call of calls) {
            const [from, to] = [old, now].map((policies) =>
              levelOf(decideCall(call, policies as NonEmpty<WrittenPolicy>)),
            );
            if (from === to) continue;
            const isPlain =
              call.capabilities.length === 1 && call.history?.length === 0 && call.worker.length === 1;
            if (isPlain) expect([call, isReported(diff, from as number, to as number)]).toEqual([call, true]);
            else expect([call, diff.equal]).toEqual([call, false]);
          }
        },
      ),
      { numRuns: runs },
    );
  });
});
