import { frozenCopy, type Json } from '@ambit/core';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { copyWith, type Judge, runAndRecord, type SdkVerdict, toModel, verdictOf } from './verdict.js';

/** Asks the user of the program. Any result but `true` means no. The arguments are a frozen copy. */
export type AskUser = (verdict: SdkVerdict, args: unknown) => Promise<boolean>;

type Run = (args: unknown, context?: unknown) => unknown;

/**
 * A runnable tool of the Anthropic SDK under a policy: `toolRunner({ tools: tools.map((tool) => guard(judge,
 * tool, ask)) })`. Without `ask`, a call that needs approval is refused.
 */
export function guard<
  Runnable extends { readonly name: string; readonly run: (args: never, context?: never) => unknown },
>(judge: Judge, tool: Runnable, ask?: AskUser): Runnable {
  const own = tool.run as Run;
  const run: Run = async (given, context) => {
    // A getter, a proxy or another holder of the arguments could change them after the judgement.
    const args: unknown = structuredClone(given);
    const call = { id: idIn(context), tool: tool.name, args };
    const signal = signalIn(context);
    const first = await verdictOf(() => judge.judge(call));
    const verdict = first.decision === 'needs_approval' ? await asked(first) : first;
    if (verdict.decision !== 'pre_approved') throw new ToolError(toModel(verdict));
    return runAndRecord(judge, { call, signal, run: () => own.call(tool, args, context) });

    async function asked(of: SdkVerdict): Promise<SdkVerdict> {
      const isApproved = await Promise.resolve()
        .then(() => ask?.(of, frozenCopy(args as Json)))
        .catch(() => false);
      if (isApproved === true && signal?.aborted !== true) return verdictOf(() => judge.approve(call));
      await judge.deny(call);
      return {
        ...of,
        decision: 'blocked',
        reason: ask === undefined ? of.reason : 'the user refused this call',
      };
    }
  };
  return copyWith(tool, { run });
}

function signalIn(context: unknown): AbortSignal | undefined {
  const signal =
    typeof context === 'object' && context !== null && 'signal' in context ? context.signal : null;
  return signal instanceof AbortSignal ? signal : undefined;
}

/** The id of the model's `tool_use`; null if the SDK does not pass it. */
function idIn(context: unknown): string | null {
  const use =
    typeof context === 'object' && context !== null && 'toolUse' in context ? context.toolUse : null;
  const id = typeof use === 'object' && use !== null && 'id' in use ? use.id : null;
  return typeof id === 'string' ? id : null;
}
