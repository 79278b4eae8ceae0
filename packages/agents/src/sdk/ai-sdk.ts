import { messageOf } from '@ambit/core';
import { type Judge, judged, type SdkCall, type SdkVerdict, toModel } from './verdict.js';

/** The call in the format of the AI SDK. */
interface ToolCallOfAiSdk {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

type Messages = readonly { readonly role: string; readonly content: unknown }[];

interface ApprovalRequest {
  readonly toolCall: ToolCallOfAiSdk;
  readonly messages: Messages;
}

interface ExecutionEnd {
  readonly toolCall: ToolCallOfAiSdk;
  readonly toolOutput: { readonly type: string; readonly error?: unknown };
}

/** The tools of the AI SDK, by their names. */
type Tools = Readonly<Record<string, object>>;

type Settings = ReturnType<typeof settingsOf>;

/**
 * Settings of `generateText`, `streamText` and `ToolLoopAgent` of the AI SDK 7: `...ambitApproval(judge, tools)`.
 * Each call is approved, denied, or given to the user; an approval is signed for its exact input and this session,
 * and its call is judged again before it runs; outcomes are recorded. Without `tools`, a tool runs although the
 * turn was aborted while its call was judged: the SDK does not tell an approval.
 */
export function ambitApproval(judge: Judge): Settings;
export function ambitApproval<Own extends Tools>(
  judge: Judge,
  tools: Own,
): Settings & { readonly tools: Own };
export function ambitApproval(judge: Judge, tools?: Tools): Settings & { readonly tools?: Tools } {
  if (tools === undefined) return settingsOf(judge);
  const own = Object.entries(tools).map(([name, tool]) => [name, unlessAborted(tool)]);
  return { ...settingsOf(judge), tools: Object.fromEntries(own) as Tools };
}

type Execute = (input: unknown, options?: { readonly abortSignal?: AbortSignal }) => unknown;

/** The same tool, which does not begin after an abort. */
function unlessAborted(tool: { readonly execute?: Execute }): object {
  const { execute } = tool;
  if (typeof execute !== 'function') return tool;
  const begin: Execute = (input, options) => {
    if (options?.abortSignal?.aborted === true) throw new Error('the turn was aborted before this call');
    return execute.call(tool, input, options);
  };
  return { ...tool, execute: begin };
}

function settingsOf(judge: Judge) {
  return {
    async toolApproval({ toolCall, messages }: ApprovalRequest) {
      const call = callOf(toolCall);
      // The SDK asks again about a call that the user approved, as the last message says. A model may repeat an id.
      const isReturning = answered(messages, true).some(
        ({ toolCallId }) => toolCallId === toolCall.toolCallId,
      );
      const verdict = await judged(() => (isReturning ? judge.approve(call) : judge.judge(call)));
      return statusOf(verdict, isReturning);
    },
    async onStart({ messages }: { readonly messages: Messages }) {
      for (const call of answered(messages, false)) await judge.deny(callOf(call));
    },
    experimental_toolApprovalSecret: judge.secret,
    onToolExecutionEnd: ({ toolCall, toolOutput }: ExecutionEnd) =>
      judge.ended(callOf(toolCall), toolOutput.type === 'tool-error' ? messageOf(toolOutput.error) : null),
  };
}

/**
 * Never undefined or an unknown word, because those run the tool. For a returning call, so does any answer
 * but `denied`.
 */
function statusOf(verdict: SdkVerdict, isReturning: boolean) {
  if (verdict.decision === 'pre_approved') return { type: 'approved' } as const;
  if (verdict.decision === 'needs_approval' && !isReturning)
    return { type: 'user-approval', reason: verdict.reason } as const;
  return { type: 'denied', reason: toModel(verdict) } as const;
}

function callOf({ toolCallId, toolName, input }: ToolCallOfAiSdk): SdkCall {
  return { id: toolCallId, tool: toolName, args: input };
}

interface Part {
  readonly type?: unknown;
  readonly approvalId?: unknown;
  readonly approved?: unknown;
  readonly toolCallId?: unknown;
}

/** The calls that the user approved, or refused, in the last message. */
function answered(messages: Messages, approved: boolean): readonly ToolCallOfAiSdk[] {
  const partsOf = ({ content }: Messages[number]): readonly Part[] =>
    Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
  const last = messages.at(-1);
  if (last?.role !== 'tool') return [];
  const parts = messages.filter(({ role }) => role === 'assistant').flatMap(partsOf);
  return partsOf(last).flatMap((answer) => {
    if (answer.type !== 'tool-approval-response' || Boolean(answer.approved) !== approved) return [];
    const request = parts.findLast(
      ({ type, approvalId }) => type === 'tool-approval-request' && approvalId === answer.approvalId,
    );
    const call = parts.findLast(
      ({ type, toolCallId }) => type === 'tool-call' && toolCallId === request?.toolCallId,
    );
    return call === undefined ? [] : [call as ToolCallOfAiSdk];
  });
}
