import {
  type CapabilityView,
  canonical,
  createRequest,
  isWithin,
  membersIn,
  type NonEmpty,
} from '@ambit/core';
import type { WrittenInvariant, WrittenMember } from '@ambit/policy';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import { partsOf, ruleCondition } from '../../policy/src/document/rule-condition.js';
import { seed } from '../../policy/test/seed.js';
import { decideCall, type ExampleCall, levelOf } from '../src/exact/call.js';
import { proveInvariant } from '../src/invariants/invariant.js';
import { proveAttenuation } from '../src/prove/attenuation.js';
import { loadedPolicy, members, policyJson, universeCall } from './universe.js';

describe('proveInvariant', () => {
  it('proves no invariant that a call of a small universe violates', () => {
    fc.assert(
      fc.property(
        policyJson,
        members,
        fc.array(universeCall, { minLength: 60, maxLength: 60 }),
        (policy, listed, calls) => {
          const policies = loadedPolicy({
            ...policy,
            invariants: [{ id: 'i', capabilities: listed, never: 'pre_approved' }],
          });
          const invariant = policies[0].document.invariants[0] as WrittenInvariant;
          const { status } = proveInvariant(policies, invariant);
          for (const call of calls) {
            const granted = { ...call, grants: [{ worker: call.worker.at(-1) as string, tool: call.tool }] };
            const isBroken =
              carriesAll(call, invariant.members) && levelOf(decideCall(granted, policies)) === 0;
            if (isBroken) expect([status, call]).not.toEqual(['proved', call]);
          }
        },
      ),
      explore(150, seed),
    );
  });
});

describe('proveAttenuation', () => {
  it('proves nothing if a call of a small universe is decided more leniently for the child', () => {
    fc.assert(
      fc.property(
        policyJson,
        fc.constantFrom('main', 'w', 'v', 'created:w'),
        fc.constantFrom('main', 'w', 'v', 'created'),
        fc.array(universeCall, { minLength: 60, maxLength: 60 }),
        (policy, child, parent, calls) => {
          const policies = loadedPolicy(policy);
          const { status } = proveAttenuation(policies, { child, parent });
          for (const call of calls) {
            const [own, other] = [child, parent].map((worker) =>
              levelOf(decideCall({ ...call, worker: [worker] }, policies)),
            );
            if ((own as number) < (other as number)) expect([status, call]).not.toEqual(['proved', call]);
          }
        },
      ),
      explore(150, seed),
    );
  });
});

function carriesAll(call: ExampleCall, listed: NonEmpty<WrittenMember>): boolean {
  const capabilities = membersIn(call.capabilities);
  const request = createRequest({
    tool: call.tool,
    chain: call.worker,
    args: {},
    capabilities: call.capabilities,
    context: {},
    history: [],
    now: 0,
  });
  return listed.every((member) =>
    capabilities.some((capability) => {
      const view: CapabilityView = { ...request, capability: canonical(capability) };
      return isWithin(capability.name, member.name) && ruleCondition(partsOf(member))(view) !== false;
    }),
  );
}
