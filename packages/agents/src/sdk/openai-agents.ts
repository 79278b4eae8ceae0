import { messageOf } from '@ambit/core';
import { type Judge, judged, refused, type SdkCall, type SdkVerdict, toModel } from './verdict.js';

/** The parts of the SDK's values that are used here. */
interface FunctionCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
}

interface Context {
  isToolApproved(of: { readonly toolName: string; readonly callId: string }): boolean | undefined;
}

interface GuardrailData {
  readonly context: Context;
  readonly toolCall: FunctionCall;
}

interface JudgedCall {
  readonly call: SdkCall;
  readonly verdict: SdkVerdict;
}

const allowed = { behavior: { type: 'allow' } } as const;

/**
 * Options of a tool of OpenAI Agents: `tool({ name: 'rm', …, ...ambitTool(judge, 'rm') })`. A call that needs approval
 * is an interruption, and is judged again before it runs. A blocked call is rejected, even if the user approved it.
 */
export function ambitTool(judge: Judge, name: string) {
  const pending = new Map<string, JudgedCall>();
  const running = new Map<string, SdkCall>();

  function isApprovedIn(context: Context, callId: string): boolean {
    return context.isToolApproved({ toolName: name, callId }) === true;
  }

  async function judgedOnce(call: SdkCall): Promise<SdkVerdict> {
    const verdict = await judged(() => judge.judge(call));
    if (call.id !== null) pending.set(call.id, { call, verdict });
    return verdict;
  }

  /** Called just before the tool runs. */
  async function lastWord({ context, toolCall }: GuardrailData): Promise<SdkVerdict> {
    const { callId } = toolCall;
    const before = pending.get(callId);
    pending.delete(callId);
    const call = before?.call ?? callOf(name, toolCall);
    if (call === null) return refused('the arguments are not JSON');
    running.set(callId, call);
    if (before !== undefined && before.verdict.decision !== 'needs_approval') return before.verdict;
    if (isApprovedIn(context, callId)) return judged(() => judge.approve(call));
    const verdict = before?.verdict ?? (await judged(() => judge.judge(call)));
    return verdict.decision === 'needs_approval' ? refused(verdict.reason, verdict) : verdict;
  }

  async function ended(toolCall: FunctionCall | undefined, error: string | null): Promise<void> {
    if (toolCall === undefined) return;
    const call = running.get(toolCall.callId) ?? callOf(name, toolCall);
    running.delete(toolCall.callId);
    if (call !== null) await judge.ended(call, error);
  }

  return {
    async needsApproval(context: Context, args: unknown, id?: string): Promise<boolean> {
      // A stored state is asked again after the yes: a new question would differ from the one that the user saw.
      if (id !== undefined && isApprovedIn(context, id)) return true;
      const { decision } = await judgedOnce({ id: id ?? null, tool: name, args });
      return decision === 'needs_approval';
    },
    inputGuardrails: [
      {
        type: 'tool_input' as const,
        name: 'ambit',
        async run(data: GuardrailData) {
          const verdict = await lastWord(data);
          if (verdict.decision === 'pre_approved') return allowed;
          return { behavior: { type: 'rejectContent', message: toModel(verdict) } } as const;
        },
      },
    ],
    outputGuardrails: [
      {
        type: 'tool_output' as const,
        name: 'ambit',
        async run({ toolCall }: { readonly toolCall: FunctionCall }) {
          await ended(toolCall, null);
          return allowed;
        },
      },
    ],
    async errorFunction(_context: unknown, error: unknown, details?: { readonly toolCall?: FunctionCall }) {
      await ended(details?.toolCall, messageOf(error));
      return `the tool failed: ${messageOf(error)}`;
    },
  };
}

/** Null if the arguments are not JSON. */
function callOf(tool: string, { callId, arguments: text }: FunctionCall): SdkCall | null {
  try {
    return { id: callId, tool, args: JSON.parse(text === '' ? '{}' : text) as unknown };
  } catch {
    return null;
  }
}
