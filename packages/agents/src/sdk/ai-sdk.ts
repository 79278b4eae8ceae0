import { messageOf } from '@ambit/core';
import { type Judge, judged, type SdkCall, type SdkVerdict, toModel } from './verdict.js';

/** The call in the format of the AI SDK. */
interface ToolCallOfAiSdk {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

interface ApprovalRequest {
  readonly toolCall: ToolCallOfAiSdk;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

interface ExecutionEnd {
  readonly toolCall: ToolCallOfAiSdk;
  readonly toolOutput: { readonly type: string; readonly error?: unknown };
}

/**
 * Three settings of `generateText`, `streamText` and `ToolLoopAgent` of the AI SDK 7: `...ambitApproval(judge)`. Each call is
 * approved, denied, or given to the user; an approval is signed for its exact input and this session, and its call is
 * judged again before it runs; outcomes are recorded.
 */
export function ambitApproval(judge: Judge) {
  return {
    async toolApproval({ toolCall, messages }: ApprovalRequest) {
      const call = callOf(toolCall);
      // The SDK asks again about a call in the messages, because the messages say that the user approved it.
      const isReturning = isInMessages(toolCall.toolCallId, messages);
      const verdict = await judged(() => (isReturning ? judge.approve(call) : judge.judge(call)));
      return statusOf(verdict, isReturning);
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

function isInMessages(id: string, messages: ApprovalRequest['messages']): boolean {
  return messages.some(
    ({ content }) =>
      Array.isArray(content) &&
      content.some((part: unknown) => {
        if (typeof part !== 'object' || part === null || !('type' in part) || !('toolCallId' in part))
          return false;
        return part.type === 'tool-call' && part.toolCallId === id;
      }),
  );
}
