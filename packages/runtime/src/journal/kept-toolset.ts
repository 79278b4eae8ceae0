import {
  type CallOutcome,
  interruptedCall,
  isJson,
  type Json,
  type LogEvent,
  messageOf,
  type Run,
  StartOver,
  type Tool,
  type Toolset,
} from '@ambit/core';
import { type Journal, outcomeIn, type PastCall } from './journal.js';

/**
 * A toolset whose executions are stored, so that a resumed run does not repeat them. Without storing, nothing
 * executes.
 */
export function keptToolset(toolset: Toolset, journal: Journal, run: Run): Toolset {
  return { ...toolset, tools: toolset.tools.map(kept) };

  function kept(tool: Tool): Tool {
    return {
      ...tool,
      execute: async (args, context) => {
        const call = context.id;
        if (!isContinued(toolset, tool)) await keep({ step: 'executing', call });
        try {
          const result: unknown = (await tool.execute(args, context)) ?? null;
          await keep({ step: 'executed', call, came: isJson(result) ? { result } : notJson });
          return result as Json;
        } catch (error) {
          if (error instanceof StartOver) await keep({ step: 'executed', call, came: { again: true } });
          else if (!(error instanceof NotKept))
            await keep({ step: 'executed', call, came: { error: messageOf(error) } });
          throw error;
        }
      },
    };
  }

  async function keep(step: Parameters<Journal['append']>[0]): Promise<void> {
    try {
      await journal.append(step);
    } catch (error) {
      run.stop(`the run cannot be stored: ${messageOf(error)}`);
      throw new NotKept(messageOf(error));
    }
  }
}

const notJson = { error: 'the tool returned a result that is not plain JSON' };

class NotKept extends Error {}

function isContinued({ name }: Toolset, tool: Tool): boolean {
  return name === 'worker' || (name === 'delegation' && tool.name === 'worker_call');
}

/** The result of a call before the interruption, recorded if the log lacks it; null if unknown. */
export async function settledCall(id: string, past: PastCall, run: Run): Promise<CallOutcome | null> {
  const recorded = outcomeIn(past);
  const { came } = past;
  const { edited } = interruptedCall(past.events, false);
  const told = edited === null ? {} : { edited };
  if (recorded?.outcome === 'refused') {
    const { code, reason, came_back } = recorded;
    const back = came_back === undefined ? {} : { came_back };
    const refusal = { code, reason, rule: null, instead: null, ...back };
    return { status: 'refused', call: id, refusal, ...told };
  }
  if (recorded === null && came !== null) {
    const base = { now: run.options.clock.now(), event: 'outcome', call: id } as const;
    const event: LogEvent =
      'result' in came
        ? { ...base, outcome: 'completed' }
        : { ...base, outcome: 'failed', error: came.error };
    await run.options.log.append([event]);
  }
  if (came === null)
    return recorded === null ? null : { status: 'failed', call: id, error: 'its result is lost', ...told };
  return 'result' in came
    ? { status: 'completed', call: id, result: came.result, edited }
    : { status: 'failed', call: id, error: came.error, ...told };
}
