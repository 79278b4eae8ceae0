import {
  type Capability,
  cannot,
  type Decision,
  type DescribeContext,
  type Description,
  defineCapability,
  defineToolset,
  type JsonObject,
  type Policy,
  plainRule,
  type Rule,
  silentPolicy,
  type Toolset,
  unknown,
} from '@ambit/core';
import { withTools } from './with-tools.js';

export type OwnJudgement = Decision | { readonly decision: Decision; readonly reason?: string };

/**
 * For a toolset that judges by itself: `blocked` becomes `cannot`, `needs approval` the capability
 * `tool.call.doubted`, `approved` nothing. Other policies judge that capability too.
 */
export function fromNeedsApproval(
  toolset: Toolset,
  judge: (tool: string, args: JsonObject, context: DescribeContext) => OwnJudgement | Promise<OwnJudgement>,
): { readonly toolset: Toolset; readonly policy: Policy } {
  const withoutOpinion = withTools(toolset, (tool) => ({
    describe: async (args, context) => {
      const said = await tool.describe(args, context);
      return heeding(said, {
        tool: `${toolset.name}.${tool.name}`,
        judgement: await judge(tool.name, args, context),
      });
    },
  }));
  const capabilities = [...withoutOpinion.capabilities, doubt];
  return { toolset: defineToolset({ ...withoutOpinion, capabilities }), policy: doubting(toolset.name) };
}

function heeding(
  said: Description,
  { tool, judgement }: { readonly tool: string; readonly judgement: OwnJudgement },
): Description {
  const { decision, reason } =
    typeof judgement === 'string' ? { decision: judgement, reason: undefined } : judgement;
  switch (decision) {
    case 'pre_approved':
      return said;
    case 'needs_approval':
      return { ...said, capabilities: [...said.capabilities, doubted(tool, reason)] };
    case 'blocked':
      return said.cannot === undefined
        ? cannot(reason ?? `${tool} refuses this call`, said.capabilities)
        : said;
    default:
      throw new TypeError(`${String(decision satisfies never)} is not a judgement`);
  }
}

const doubt = defineCapability({
  name: 'tool.call.doubted',
  facts: { tool: 'text', why: 'text' },
  words: 'call {tool}, about which the toolset itself is in doubt: {why}',
});

function doubted(tool: string, why: string | undefined): Capability {
  return doubt.of({ tool, why: why ?? unknown('it did not say') });
}

function doubting(toolset: string): Policy {
  const rule: Rule = {
    ...plainRule,
    about: 'capability',
    name: doubt.name,
    below: false,
    id: 'doubted',
    at: toolset,
    decision: 'needs_approval',
    reason: 'the toolset itself asks for approval of this call',
  };
  return silentPolicy(`${toolset}, by itself`, [rule]);
}
