import fc from 'fast-check';
import {
  type Capability,
  type Grant,
  type KeptAnswer,
  type NonEmpty,
  type Policy,
  type ReferenceGrant,
  type Request,
  reaches,
  remembers,
} from '../../src/index.js';
import { capability } from './capability.js';
import type { Without } from './condition.js';
import { someOfPolicies } from './policy.js';
import { chain, request } from './request.js';
import { capabilityNames, tools, workers } from './universe.js';

/** Everything that a decision on one call is made from. */
export interface Case {
  readonly request: Request;
  readonly policies: NonEmpty<Policy>;
  readonly grants: readonly Grant[];
}

export function someCase(without: Without = {}): fc.Arbitrary<Case> {
  return fc
    .record({
      request,
      policies: someOfPolicies(without),
      grants: fc.array(fc.oneof(referenceGrant, keptAnswer), { maxLength: 3 }),
    })
    .map((parts) => ({
      ...parts,
      grants: parts.grants.map((grant) => grant(parts.request, parts.policies)),
    }));
}

/** Grants are drawn for a call: mostly for it, sometimes for another. */
type GrantFor = (request: Request, policies: NonEmpty<Policy>) => Grant;

const often = fc.constantFrom(true, true, true, false);

const referenceGrant: fc.Arbitrary<GrantFor> = fc
  .record({
    isHere: often,
    worker: fc.constantFrom(...workers),
    tool: fc.constantFrom(...tools),
    capabilities: fc.option(fc.subarray([...capabilityNames]), { nil: null, freq: 2 }),
  })
  .map(
    ({ isHere, worker, tool, capabilities }) =>
      ({ worker: acting, tool: asked }): ReferenceGrant => ({
        source: 'reference',
        worker: isHere ? acting : worker,
        tool: isHere ? asked : tool,
        ...(capabilities === null ? {} : { capabilities }),
      }),
  );

const keptAnswer: fc.Arbitrary<GrantFor> = fc
  .record({
    isHere: often,
    isShown: often,
    hasSameArgs: often,
    chain,
    tool: fc.constantFrom(...tools),
    shown: fc.array(capability, { maxLength: 2 }),
    /** From the first; most were there when it was given. */
    unknown: fc.constantFrom(0, 0, 0, 1),
    // The clock of requests says 0 to 3.
    until: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null, freq: 2 }),
    remember: fc.constantFrom(...remembers).filter((remember) => remember !== 'call'),
    reach: fc.constantFrom(...reaches).filter((reach) => reach !== 'call'),
  })
  .map(
    (drawn) =>
      (asked, policies): KeptAnswer => ({
        source: 'kept',
        approval: 'approval-1',
        person: 'ann',
        chain: drawn.isHere ? asked.chain : drawn.chain,
        tool: drawn.isHere ? asked.tool : drawn.tool,
        args: drawn.hasSameArgs ? asked.args : { x: 'other' },
        shown: drawn.isShown ? [...asked.capabilities, ...drawn.shown] : shownOnly(drawn.shown),
        policies: policies.slice(drawn.unknown).map(({ name }) => name),
        remember: drawn.remember,
        reach: drawn.reach,
        ...(drawn.until === null ? {} : { until: drawn.until }),
      }),
  );

function shownOnly(list: readonly Capability[]): readonly Capability[] {
  return list.length === 0 ? [{ name: 'fs.read', path: '/w/b' }] : list;
}
