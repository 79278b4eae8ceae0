import { setFlagsFromString } from 'node:v8';
import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import type { Contender } from '../contender.js';
import type { PlainCapability, PlainRule } from '../workload.js';

/** Node 20 crashes if V8 inlines a WebAssembly function that returns an object, as those of Cedar do. */
setFlagsFromString('--no-turbo-inline-js-wasm-calls');

/** A name's ancestors are the parents of its entity; the policies are parsed once and kept inside. */
export const cedar: Contender = {
  name: '@cedar-policy/cedar-wasm',
  mostRules: 10_000,
  prepare: ({ rules, calls }) => {
    const id = `bench ${rules.length}`;
    const parsed = preparsePolicySet(id, { staticPolicies: rules.map(policyOf).join('\n') });
    if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed));
    const carried = calls.map((capabilities) => capabilities.map((capability) => questionOf(capability, id)));
    return (call) =>
      (carried[call] ?? []).every((question) => {
        const answer = statefulIsAuthorized(question);
        if (answer.type !== 'success') throw new Error(JSON.stringify(answer.errors));
        return answer.response.decision === 'allow';
      });
  },
};

function policyOf({ covers, name, allows, most }: PlainRule): string {
  const scope = `resource ${covers === 'name' ? '==' : 'in'} Capability::"${name}"`;
  const condition = most === null ? '' : ` when { context.amount <= ${most} }`;
  return `${allows ? 'permit' : 'forbid'}(principal, action, ${scope})${condition};`;
}

function questionOf({ lineage, amount }: PlainCapability, id: string) {
  const entities = lineage.map((name, index) => ({
    uid: { type: 'Capability', id: name },
    attrs: {},
    parents: lineage.slice(index + 1, index + 2).map((parent) => ({ type: 'Capability', id: parent })),
  }));
  return {
    principal: { type: 'Worker', id: 'main' },
    action: { type: 'Action', id: 'use' },
    resource: { type: 'Capability', id: lineage[0] as string },
    context: { amount },
    preparsedPolicySetId: id,
    entities,
  };
}
