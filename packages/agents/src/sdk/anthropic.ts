import { frozenCopy, type Json } from '@ambit/core';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import {
  copyWith,
  type Judge,
  refusal,
  requireJudge,
  runAndRecord,
  type SdkVerdict,
  toModel,
  verdictOf,
} from './verdict.js';

/** Asks the user of the program. Any result but `true` means no. The arguments are a frozen copy. */
export type AskUser = (verdict: SdkVerdict, args: unknown) => Promise<boolean>;

interface Context {
  readonly toolUse?: { readonly id: string };
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * A runnable tool of the Anthropic SDK under a policy: `toolRunner({ tools: tools.map((tool) => guard(judge,
 * tool, ask)) })`. Without `ask`, a call that needs approval is refused.
 */
export function guard<
  Runnable extends { readonly name: string; readonly run: (args: never, context?: never) => unknown },
>(judge: Judge, tool: Runnable, ask?: AskUser): Runnable {
  requireJudge(judge);
  const own = tool.run as (args: unknown, context?: Context) => unknown;
  const run: typeof own = async (given, context) => {
    // A getter, a proxy or another holder of the arguments could change them after the judgement.
    const args: unknown = structuredClone(given);
    const { toolUse, signal } = context ?? {};
    const call = { id: toolUse?.id ?? null, tool: tool.name, args };
    let verdict = await verdictOf(() => judge.judge(call));
    if (verdict.decision === 'needs_approval') {
      const asked = verdict;
      const isApproved = await Promise.resolve()
        .then(() => ask?.(asked, frozenCopy(args as Json)))
        .catch(() => false);
      if (isApproved === true && signal?.aborted !== true)
        verdict = await verdictOf(() => judge.approve(call));
      else {
        await judge.deny(call);
        verdict = refusal(ask === undefined ? asked.reason : 'the user refused this call', asked);
      }
    }
    if (verdict.decision !== 'pre_approved') throw new ToolError(toModel(verdict));
    return runAndRecord(judge, { call, signal, run: () => own.call(tool, args, context) });
  };
  return copyWith(tool, { run });
}
