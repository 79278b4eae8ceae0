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
    .map((parts) => ({ ...parts, grants: parts.grants.map((grant) => grant(parts.request)) }));
}

/** Grants are drawn for a call: mostly for it, sometimes for another. */
type GrantFor = (request: Request) => Grant;

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
    remember: fc.constantFrom(...remembers).filter((remember) => remember !== 'call'),
    reach: fc.constantFrom(...reaches).filter((reach) => reach !== 'call'),
  })
  .map(
    (drawn) =>
      (asked): KeptAnswer => ({
        source: 'kept',
        approval: 'approval-1',
        person: 'ann',
        chain: drawn.isHere ? asked.chain : drawn.chain,
        tool: drawn.isHere ? asked.tool : drawn.tool,
        args: drawn.hasSameArgs ? asked.args : { x: 'other' },
        shown: drawn.isShown ? [...asked.capabilities, ...drawn.shown] : shownOnly(drawn.shown),
        remember: drawn.remember,
        reach: drawn.reach,
      }),
  );

function shownOnly(list: readonly Capability[]): readonly Capability[] {
  return list.length === 0 ? [{ name: 'fs.read', path: '/w/b' }] : list;
}
