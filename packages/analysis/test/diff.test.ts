import { isWithin, type JsonObject, membersIn, type NonEmpty } from '@ambit/core';
import type { WrittenPolicy } from '@ambit/policy';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import { seed } from '../../policy/test/seed.js';
import { diffPolicies, type PolicyDifference } from '../src/diff/diff.js';
import { decideCall, type ExampleCall, levelOf } from '../src/exact/call.js';
import type { Direction } from '../src/exact/compare.js';
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

  it.each<readonly [JsonObject, JsonObject, readonly Direction[]]>([
    [{ workers: false }, { workers: true }, ['looser']],
    [{ workers: true }, { workers: false }, ['stricter']],
    [{ remember: 'run' }, { remember: 'always' }, ['looser']],
    [{ reach: 'capability' }, { reach: 'file' }, ['stricter']],
    [{ unattended: true }, { unattended: false }, ['stricter']],
    [{ unattended: false, workers: true }, { unattended: true, workers: false }, ['other']],
    [{ remember: 'call', reach: 'file' }, { remember: 'call', reach: 'folder' }, []],
  ])('says which way %j to %j under `grants` goes: %j', (before, after, directions) => {
    const capabilities = { net: 'needs_approval' };
    const [old, now] = [before, after].map((grants) =>
      loadedPolicy({ version: 1, default: 'pre_approved', capabilities, grants }),
    ) as [NonEmpty<WrittenPolicy>, NonEmpty<WrittenPolicy>];
    const { changes, unknown } = diffPolicies(old, now);
    expect([...new Set(changes.map(({ direction }) => direction))]).toEqual(directions);
    expect(changes.every(({ from, to }) => from.takes?.join() !== to.takes?.join())).toBe(true);
    expect(unknown).toEqual([]);
  });

  it.each<readonly [JsonObject, JsonObject, readonly Direction[]]>([
    [inBlock('fd00::/8'), inBlock('fc00::/7'), ['stricter']],
    [inBlock('2001:db8::/32'), inBlock('2001:db8::/33'), ['looser']],
    [inBlock('fd00::/8'), { ...inBlock('fd00::/8'), except: { host: 'fd00::1' } }, ['looser']],
    [inBlock('::/0'), { or: [inBlock('::/1').when, inBlock('8000::/1').when] }, []],
  ])('finds addresses of version 6 that differ from %j to %j: %j', (before, after, directions) => {
    const [old, now] = [before, after].map((rule) =>
      loadedPolicy({
        version: 1,
        default: 'pre_approved',
        capabilities: { net: 'when' in rule ? rule : { decision: 'blocked', when: rule } },
      }),
    ) as [NonEmpty<WrittenPolicy>, NonEmpty<WrittenPolicy>];
    const { changes, unknown } = diffPolicies(old, now);
    expect([...new Set(changes.map(({ direction }) => direction))]).toEqual(directions);
    for (const { call } of changes) {
      expect(call.capabilities[0]).toHaveProperty('host', expect.stringContaining(':'));
      expect(levelOf(decideCall(call, old))).not.toBe(levelOf(decideCall(call, now)));
    }
    expect(unknown).toEqual([]);
  });

  it('leaves a pattern of such addresses beside a block unsettled', () => {
    const [old, now] = ['fd00::1*', 'fd00::2*'].map((host) =>
      loadedPolicy({
        version: 1,
        default: 'pre_approved',
        capabilities: { net: { ...inBlock('fd00::/8'), except: { host } } },
      }),
    ) as [NonEmpty<WrittenPolicy>, NonEmpty<WrittenPolicy>];
    const { equal, unknown } = diffPolicies(old, now);
    expect(equal).toBe(false);
    const why = unknown.map((each) => each.why).join('\n');
    expect(why).toContain('patterns of addresses overlap with address blocks');
  });
});

function inBlock(block: string) {
  return { decision: 'blocked', when: { cidr: [{ var: 'capability.host' }, block] } };
}

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
  const isOne = membersIn(call.capabilities).length === 1;
  const isPlain = isOne && !call.history?.length && call.worker.length <= 2;
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
