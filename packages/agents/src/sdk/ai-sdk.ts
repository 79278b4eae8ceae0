import { isDeepStrictEqual } from 'node:util';
import { isObject, messageOf } from '@ambit/core';
import {
  copyWith,
  type Judge,
  plainArgs,
  requirePermission,
  runAndRecord,
  type SdkCall,
  type SdkVerdict,
  toModel,
  verdictOf,
} from './verdict.js';

/** The call in the format of the AI SDK. */
interface ToolCallOfAiSdk {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Whether the model's provider runs it. */
  readonly providerExecuted?: boolean | undefined;
}

/** The tools of the AI SDK, by their names. */
type Tools = Readonly<Record<string, object>>;

type Messages = readonly { readonly role: string; readonly content: unknown }[];

interface ApprovalRequest {
  readonly toolCall: ToolCallOfAiSdk;
  readonly tools?: Tools | undefined;
  readonly messages: Messages;
}

interface ExecutionEnd {
  readonly toolCall: ToolCallOfAiSdk;
  readonly toolOutput: { readonly type: string; readonly error?: unknown };
}

type Settings = ReturnType<typeof settingsOf>;

/**
 * Settings of `generateText`, `streamText` and `ToolLoopAgent` of the AI SDK 7: `...ambitApproval(judge, tools)`.
 * Each call is approved, denied, or given to the user; an approval is signed for its exact input and this session,
 * and its call is judged again before it runs; outcomes are recorded. Without `tools`, a tool runs although the
 * turn was aborted while its call was judged, and a call that the SDK drops has no outcome: the SDK does not tell.
 */
export function ambitApproval(judge: Judge): Settings;
export function ambitApproval<Own extends Tools>(
  judge: Judge,
  tools: Own,
): Settings & { readonly tools: Own };
export function ambitApproval(judge: Judge, tools?: Tools): Settings & { readonly tools?: Tools } {
  const unbegun = new Unbegun(judge);
  if (tools === undefined) return settingsOf(judge, unbegun);
  for (const [name, tool] of Object.entries(tools))
    if ('isProviderExecuted' in tool && tool.isProviderExecuted === true)
      throw new TypeError(
        `\`${name}\` runs at the provider of the model, before it can be judged: leave it out, or give it to the SDK beside these tools`,
      );
  const own = Object.entries(tools).map(([name, tool]) => [name, unbegun.watchable(name, tool)]);
  return { ...settingsOf(judge, unbegun), tools: Object.fromEntries(own) as Tools };
}

type Execute = (
  input: unknown,
  options?: { readonly abortSignal?: AbortSignal; readonly toolCallId?: string },
) => unknown;

interface Arrival {
  readonly input: unknown;
  readonly abortSignal?: AbortSignal | undefined;
}

interface OwnTool {
  readonly execute?: Execute;
  readonly onInputAvailable?: (arrival: Arrival) => unknown;
}

const aborted = 'the turn was aborted before this call';

/**
 * Approved calls that have not begun. The SDK may drop them after an abort, without notice. No call of a
 * watched tool begins after an abort, or with an input that was not permitted.
 */
class Unbegun {
  /** Permitted calls, by their inputs. Those of one input differ in their ids. */
  readonly #permitted = new WeakMap<object, readonly SdkCall[]>();
  readonly #begun = new WeakSet<SdkCall>();
  /** The signals of their turns, by the inputs of calls that are not judged yet. */
  readonly #signals = new WeakMap<object, AbortSignal>();
  /** Each stops listening, by the ids of calls. */
  readonly #waiting = new Map<string, () => void>();
  readonly #begins = new WeakSet<object>();

  constructor(private readonly judge: Judge) {}

  watchable(name: string, tool: OwnTool): object {
    const { execute, onInputAvailable } = tool;
    if (typeof execute !== 'function') return tool;
    const begin: Execute = (given, options) => {
      const { toolCallId: id = '', abortSignal } = options ?? {};
      this.#forget(id);
      if (abortSignal?.aborted === true) throw new Error(aborted);
      const call = this.#permittedOf(given, id);
      // Others have the given input, too, and could change it while the tool runs.
      const input: unknown = structuredClone(given);
      const args = plainArgs(input) ?? input;
      const run = () => execute.call(tool, input, options);
      if (call?.tool !== name || this.#begun.has(call) || !isDeepStrictEqual(call.args, args)) {
        // The SDK did not announce it: another tool made it, or nobody else judged it.
        const own = { id: null, tool: name, args };
        return requirePermission(this.judge, own).then(() =>
          runAndRecord(this.judge, { call: own, signal: abortSignal, run: async () => lastOf(await run()) }),
        );
      }
      this.#begun.add(call);
      return run();
    };
    this.#begins.add(begin);
    const arrive = (arrival: Arrival) => {
      const { input, abortSignal } = arrival;
      if (isObject(input) && abortSignal !== undefined) this.#signals.set(input, abortSignal);
      return onInputAvailable?.call(guarded, arrival);
    };
    const guarded: object = copyWith(tool, { execute: begin, onInputAvailable: arrive });
    return guarded;
  }

  permit({ input }: ToolCallOfAiSdk, call: SdkCall): void {
    if (!isObject(input)) return;
    const others = (this.#permitted.get(input) ?? []).filter(({ id }) => id !== call.id);
    this.#permitted.set(input, [...others, call]);
  }

  /** The call as it was judged, although a tool changes its input. */
  judgedCall(toolCall: ToolCallOfAiSdk): SdkCall {
    return this.#permittedOf(toolCall.input, toolCall.toolCallId) ?? callOf(toolCall);
  }

  #permittedOf(input: unknown, id: string): SdkCall | undefined {
    return isObject(input) ? this.#permitted.get(input)?.find((call) => call.id === id) : undefined;
  }

  /** The signal of the turn in which the model made a call. Only once: the call may return in another turn. */
  signalOf({ input }: ToolCallOfAiSdk): AbortSignal | null {
    if (!isObject(input)) return null;
    const signal = this.#signals.get(input) ?? null;
    this.#signals.delete(input);
    return signal;
  }

  /** Records that an approved call did not begin, once its turn is aborted. Nothing if it may begin elsewhere. */
  watch(toolCall: ToolCallOfAiSdk, tools: Tools | undefined, signal: AbortSignal | null): void {
    const { toolCallId: id, toolName, providerExecuted } = toolCall;
    // Two calls may share an id, and either may begin first.
    this.#forget(id);
    const { execute }: OwnTool = tools?.[toolName] ?? {};
    const isWatched = execute !== undefined && this.#begins.has(execute) && providerExecuted !== true;
    if (signal === null || !isWatched) return;
    const drop = () => {
      this.#waiting.delete(id);
      void this.judge.ended(this.judgedCall(toolCall), aborted);
    };
    this.#waiting.set(id, () => signal.removeEventListener('abort', drop));
    if (signal.aborted) drop();
    else signal.addEventListener('abort', drop, { once: true });
  }

  #forget(id: string): void {
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }
}

/** The result of a tool: the last value of one that yields. */
async function lastOf(result: unknown): Promise<unknown> {
  if (!isObject(result) || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const each of result as AsyncIterable<unknown>) last = each;
  return last;
}

function settingsOf(judge: Judge, unbegun: Unbegun) {
  return {
    async toolApproval({ toolCall, tools, messages }: ApprovalRequest) {
      const call = callOf(toolCall);
      // The SDK asks again about a call that the user approved, as the last message says. A model may repeat an id.
      const isReturning = answeredCalls(messages, true).some(
        ({ toolCallId }) => toolCallId === toolCall.toolCallId,
      );
      const verdict = await verdictOf(() => (isReturning ? judge.approve(call) : judge.judge(call)));
      // Of a streamed answer, the SDK tells the signal meanwhile.
      const signal = unbegun.signalOf(toolCall);
      if (verdict.decision === 'pre_approved') unbegun.permit(toolCall, call);
      if (verdict.decision === 'pre_approved' && !isReturning) unbegun.watch(toolCall, tools, signal);
      return statusOf(verdict, isReturning);
    },
    async onStart({ messages }: { readonly messages: Messages }) {
      for (const call of answeredCalls(messages, false)) await judge.deny(callOf(call));
    },
    experimental_toolApprovalSecret: judge.secret,
    onToolExecutionEnd: ({ toolCall, toolOutput }: ExecutionEnd) =>
      judge.ended(
        unbegun.judgedCall(toolCall),
        toolOutput.type === 'tool-error' ? messageOf(toolOutput.error) : null,
      ),
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
  return { id: toolCallId, tool: toolName, args: plainArgs(input) ?? input };
}

interface Part {
  readonly type?: unknown;
  readonly approvalId?: unknown;
  readonly approved?: unknown;
  readonly toolCallId?: unknown;
}

/** The calls that the user approved, or refused, in the last message. */
function answeredCalls(messages: Messages, approved: boolean): readonly ToolCallOfAiSdk[] {
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
