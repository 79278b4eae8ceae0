import {
  type CallOutcome,
  forReference,
  type GuardedToolset,
  guard,
  interruptedCall,
  refuseUnknownTool,
  type ToolCall,
  type Toolset,
} from '@ambit/core';
import { helpFor } from '@ambit/policy/yaml';
import type Anthropic from '@anthropic-ai/sdk';
import type { ActingWorker } from '../catalogue/acting-worker.js';
import { referenceLayer } from '../catalogue/worker-layers.js';
import { type Journal, startedAs } from '../journal/journal.js';
import { keptToolset, settledCall } from '../journal/kept-toolset.js';
import { createEntered } from '../toolsets/entered-toolsets.js';
import { providerTool } from '../worker-file/provider-reference.js';
import type { ToolsetReference, WorkerDefinition } from '../worker-file/worker-definition.js';
import type { ModelTool } from './model-turn.js';
import { type Equipping, type StartingWorker, toolsetFor } from './toolset-for.js';

export interface Equipment {
  readonly tools: readonly ModelTool[];
  /** Calls each provider tool of the worker, and returns those that the next request may offer. Never rejects. */
  readonly providerTools: (signal: AbortSignal) => Promise<readonly Anthropic.ToolUnion[]>;
  /** Leaves the worker's own toolsets after its end. */
  readonly leave: () => Promise<void>;
  /** Makes a call by the name that the model used. Never rejects. */
  readonly call: (
    name: string,
    args: unknown,
    as: { readonly id: string; readonly signal: AbortSignal },
  ) => Promise<CallOutcome>;
}

interface Offered {
  /** Whether it runs at the model's provider, so that the model does not call it here. */
  readonly isElsewhere: boolean;
  readonly toolset: GuardedToolset;
  readonly tool: string;
  readonly offer: ModelTool;
}

/** Guards the toolsets of a starting worker. Leaves them all if one is unavailable or two tools share a name. */
export async function equip(of: Equipping, acting: ActingWorker): Promise<Equipment> {
  const entered = createEntered();
  try {
    return await equipped(of, { ...acting, entered });
  } catch (error) {
    await entered.leave().catch(() => undefined);
    throw error;
  }
}

async function equipped(of: Equipping, acting: StartingWorker): Promise<Equipment> {
  const tools = new Map<string, Offered>();
  const toolsets = new Map<string, GuardedToolset>();
  // By full name: each worker that is a tool is of a toolset `worker`.
  const owners = new Map<string, GuardedToolset>();
  for (const reference of acting.worker.toolsets) {
    const toolset = await toolsetFor(of, acting, reference);
    requireKnownApprovals(acting.worker, reference, toolset);
    const added = referenceLayer(acting.worker, reference, toolset.name);
    const guarded = guard(
      keptToolset(toolset, of.journal, acting.authority.run),
      forReference(acting.authority, added),
      (name, tool) => owners.get(`${name}.${tool}`) ?? toolsets.get(name),
    );
    toolsets.set(guarded.name, guarded);
    for (const { name, tool, fullName, description, input } of guarded.offers) {
      owners.set(fullName, guarded);
      const other = tools.get(name);
      if (other !== undefined) {
        throw new Error(
          `two tools of ${acting.worker.name} are called \`${name}\`: ${other.toolset.name}.${other.tool} and ${fullName}`,
        );
      }
      const isElsewhere = reference.key === 'provider';
      tools.set(name, { toolset: guarded, tool, offer: { name, description, input }, isElsewhere });
    }
  }
  return {
    leave: () => acting.entered.leave(),
    tools: [...tools.values()].filter(({ isElsewhere }) => !isElsewhere).map(({ offer }) => offer),
    providerTools: (signal) =>
      offeredByProvider(of.journal, acting, { offered: [...tools.values()], signal }),
    call: async (name, args, { id, signal }) => {
      const past = of.journal.past.calls.get(id);
      if (past === undefined) return make({});
      // Identical calls may be on their way, too: they share their question again.
      const arrived = acting.authority.run.asker.arrive();
      const settled = await settledCall(id, past, acting.authority.run).catch((error: unknown) => {
        arrived();
        throw error;
      });
      // The call itself reports its arrival.
      const outcome = settled ?? make({ interrupted: interruptedCall(past.events, past.isBegun) });
      arrived();
      return outcome;

      async function make(interrupted: Pick<ToolCall, 'interrupted'>) {
        const found = tools.get(name);
        if (found === undefined || found.isElsewhere) {
          const known = [...tools].flatMap(([each, { isElsewhere }]) => (isElsewhere ? [] : [each]));
          return refuseUnknownTool(acting.authority, { tool: name, args, id, known });
        }
        return found.toolset.call({ tool: found.tool, args, signal, id, ...interrupted });
      }
    },
  };
}

/** One by one, because questions come one at a time. A refused tool is not offered. */
async function offeredByProvider(
  journal: Journal,
  { model, place }: ActingWorker,
  { offered, signal }: { readonly offered: readonly Offered[]; readonly signal: AbortSignal },
): Promise<readonly Anthropic.ToolUnion[]> {
  const permitted: Anthropic.ToolUnion[] = [];
  for (const { toolset, tool, isElsewhere } of offered) {
    const definition = isElsewhere ? providerTool(tool) : null;
    if (definition === null) continue;
    // An answer that was given while the run was parked is for this request.
    const as = startedAs(journal, place, `provider.${tool}`);
    const outcome = await toolset.call({ tool, args: { model }, signal, ...as });
    if (outcome.status === 'completed') permitted.push(definition);
  }
  return permitted;
}

function requireKnownApprovals(
  worker: WorkerDefinition,
  reference: ToolsetReference,
  toolset: Toolset,
): void {
  const names = toolset.tools.map(({ name }) => name);
  const odd = reference.approvals.find(({ tool }) => !names.includes(tool));
  if (odd === undefined) return;
  throw new Error(
    `${odd.at} ${worker.name} speaks of \`${odd.tool}\`, which ${toolset.name} does not have: ${helpFor(odd.tool, names)}`,
  );
}
