import { type Capability, carriedBy } from '../words/capability.js';
import { equalJson } from '../words/json.js';
import type { CallDecision } from './judgement.js';
import { namesTool, type Policy } from './policy.js';
import type { Request } from './request.js';

/** The source of a capability: the tool, the host's map, or a policy whose `carries:` adds it. */
export type Origin =
  | { readonly by: 'tool' | 'map' }
  /** `at`: `file:line:column` of the line that adds it; for a policy from code, its name. */
  | { readonly by: 'carries'; readonly at: string };

const [byTool, byMap]: readonly [Origin, Origin] = [{ by: 'tool' }, { by: 'map' }];

/** One origin for each capability, in their order. The first source counts: tool, map, policies. */
export function originsOf(
  capabilities: readonly Capability[],
  { request, policies }: { readonly request: Request; readonly policies: readonly Policy[] },
): readonly Origin[] {
  const isReported = carriedBy(request.capabilities);
  const isMapped = carriedBy(request.mapped ?? []);
  return capabilities.map((capability) => {
    if (isReported(capability)) return isMapped(capability) ? byMap : byTool;
    const at = policies.flatMap((policy) => placeIn(policy, capability, request.tool))[0];
    return at === undefined ? { by: 'tool' } : { by: 'carries', at };
  });
}

/** Null for the tool. Not escaped. */
export function originInWords(origin: Origin): string | null {
  switch (origin.by) {
    case 'tool':
      return null;
    case 'map':
      return "added by the host's map";
    case 'carries':
      return `added by carries at ${origin.at}`;
  }
}

function placeIn({ name, carries }: Policy, capability: Capability, tool: string): readonly string[] {
  return carries
    .filter((carried) => namesTool(carried.tool, tool) && equalJson(carried.capability, capability))
    .map(({ at = name }) => at);
}

export function withOrigins(decision: CallDecision, origins: readonly Origin[]): DecisionWithOrigins {
  const { capabilities, judgements, reason, instead } = decision;
  return { decision: decision.decision, capabilities, origins, judgements, reason, instead };
}

export type DecisionWithOrigins = CallDecision & { readonly origins: readonly Origin[] };
