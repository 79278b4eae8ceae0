import { isObject, type JsonObject, messageOf, remembered } from '@ambit/core';
import { AnnouncedCalls } from './announced-calls.js';
import { copyWith, type Judge, requireJudge, runAndRecord, type SdkCall, toModel } from './verdict.js';

/** The call in the format of the AI SDK, which passes the same object as input each time. */
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

interface Options {
  readonly abortSignal?: AbortSignal | undefined;
  readonly toolCallId?: string;
}

interface OwnTool {
  readonly execute?: (input: unknown, options?: Options) => unknown;
  readonly onInputAvailable?: (arrival: Options & { readonly input: unknown }) => unknown;
}

class Calls extends AnnouncedCalls {
  /** The signals of their turns, by the inputs of calls that no other function than ours begins. */
  readonly signals = new WeakMap<object, AbortSignal | undefined>();
  /** Tools that begin no call which was not announced. */
  readonly guarded = new Set<string>();
  /** The calls of each turn, by the messages that the SDK gives with all of them. */
  readonly #turns = new WeakMap<object, Turned[]>();

  /**
   * Whether another call of the turn has this id and does not run: then the SDK drops both without notice. It ends
   * those that were permitted and have not begun.
   */
  async isDropped(messages: object, call: Turned): Promise<boolean> {
    const all = remembered(this.#turns, messages, () => []);
    all.push(call);
    const alike = all.filter(({ id }) => id === call.id);
    if (alike.every(({ isPermitted }) => isPermitted)) return false;
    for (const { tool, input, id, begins, isPermitted } of alike)
      if (isPermitted && this.guarded.has(tool) && !begins.signal.aborted)
        await this.ended(input, id, repeated);
    return this.guarded.has(call.tool);
  }
}

interface Turned {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly begins: AbortController;
  readonly isPermitted: boolean;
}

const aborted = 'the turn was aborted before this call';
const repeated = 'another call of this turn has the same id and was not permitted, so this one was not made';

/**
 * Settings of `generateText`, `streamText` and `ToolLoopAgent` of the AI SDK 7: `...ambitApproval(judge, tools)`.
 * Each call is approved, denied, or given to the user; an approval is signed for its exact input and this session,
 * and its call is judged again before it runs; outcomes are recorded. Without `tools`, a tool runs although the
 * turn was aborted while its call was judged, and a call that the SDK drops has no outcome: the SDK does not tell.
 */
export function ambitApproval(judge: Judge): ReturnType<typeof settingsOf>;
export function ambitApproval<Own extends Tools>(
  judge: Judge,
  tools: Own,
): ReturnType<typeof settingsOf> & { readonly tools: Own };
export function ambitApproval(judge: Judge, tools?: Tools) {
  requireJudge(judge);
  const calls = new Calls(judge);
  if (tools === undefined) return settingsOf(calls);
  const own = Object.entries(tools).map(([name, tool]) => [name, guarded(name, tool, calls)]);
  return { ...settingsOf(calls), tools: Object.fromEntries(own) as Tools };
}

function settingsOf(calls: Calls) {
  return {
    /** Never undefined or an unknown word, because those run the tool. */
    async toolApproval(asked: { readonly toolCall: ToolCallOfAiSdk; readonly messages: Messages }) {
      const { toolCallId, toolName, input, providerExecuted } = asked.toolCall;
      // The SDK asks again about a call that the user approved, as the last message says. Then it runs the call for any
      // answer but `denied`. A model may repeat an id.
      const isReturning = answeredCalls(asked.messages, true).some((each) => each.toolCallId === toolCallId);
      const { verdict, begins } = await calls.judge(input, callOf(asked.toolCall), isReturning);
      const { decision, reason } = verdict;
      const isPermitted = decision === 'pre_approved';
      const turned = { id: toolCallId, tool: toolName, input, begins, isPermitted };
      const isDropped = !isReturning && (await calls.isDropped(asked.messages, turned));
      if (decision === 'needs_approval' && !isReturning) return { type: 'user-approval', reason } as const;
      if (!isPermitted) return { type: 'denied', reason: toModel(verdict) } as const;
      if (isDropped) return { type: 'denied', reason: repeated } as const;
      // Of a streamed answer, the SDK tells the signal meanwhile.
      const signal = isObject(input) ? calls.signals.get(input) : undefined;
      if (signal !== undefined && !isReturning && providerExecuted !== true) {
        // The SDK drops calls that have not begun, without notice.
        const drop = () => void calls.ended(input, toolCallId, aborted);
        if (signal.aborted) drop();
        else signal.addEventListener('abort', drop, { once: true, signal: begins.signal });
      }
      return { type: 'approved' } as const;
    },
    async onStart({ messages }: { readonly messages: Messages }) {
      for (const call of answeredCalls(messages, false)) await calls.by.deny(callOf(call));
    },
    experimental_toolApprovalSecret: calls.by.secret,
    onToolExecutionEnd: (end: {
      readonly toolCall: ToolCallOfAiSdk;
      readonly toolOutput: { readonly type: string; readonly error?: unknown };
    }) => {
      const error = end.toolOutput.type === 'tool-error' ? messageOf(end.toolOutput.error) : null;
      return calls.ended(end.toolCall.input, end.toolCall.toolCallId, error);
    },
  };
}

/** A tool that begins no call after an abort, and none with an input that was not permitted. */
function guarded(name: string, tool: OwnTool, calls: Calls): object {
  if ('isProviderExecuted' in tool && tool.isProviderExecuted === true)
    throw new TypeError(
      `\`${name}\` runs at the provider of the model, before it can be judged: leave it out, or give it to the SDK beside these tools`,
    );
  const { execute, onInputAvailable } = tool;
  if (typeof execute !== 'function') return tool;
  const begin: typeof execute = (given, options) => {
    const { toolCallId = '', abortSignal: signal } = options ?? {};
    if (signal?.aborted === true) throw new Error(aborted);
    // Others have the given input, too, and could change it while the tool runs.
    const input: unknown = structuredClone(given);
    const run = () => execute.call(tool, input, options);
    if (calls.begin(given, callOf({ toolCallId, toolName: name, input }))) return run();
    // The SDK did not announce it: another tool made it, or nobody else judged it.
    return calls
      .beginUnannounced({}, { id: null, tool: name, args: input })
      .then((call) => runAndRecord(calls.by, { call, signal, run: async () => lastOf(await run()) }));
  };
  calls.guarded.add(name);
  const copy: object = copyWith(tool, {
    execute: begin,
    onInputAvailable(this: OwnTool, arrival: Options & { readonly input: unknown }) {
      const signal = this.execute === begin ? arrival.abortSignal : undefined;
      if (isObject(arrival.input)) calls.signals.set(arrival.input, signal);
      return onInputAvailable?.call(copy, arrival);
    },
  });
  return copy;
}

/** The result of a tool: the last value of one that yields. */
async function lastOf(result: unknown): Promise<unknown> {
  if (!isObject(result) || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const each of result as AsyncIterable<unknown>) last = each;
  return last;
}

function callOf({ toolCallId, toolName, input }: ToolCallOfAiSdk): SdkCall {
  return { id: toolCallId, tool: toolName, args: input };
}

/** The calls that the user approved, or refused, in the last message. */
function answeredCalls(messages: Messages, approved: boolean): readonly ToolCallOfAiSdk[] {
  const partsOf = (role: string, of: Messages): readonly JsonObject[] =>
    of
      .flatMap((each) => (each.role === role && Array.isArray(each.content) ? each.content : []))
      .filter(isObject);
  const parts = partsOf('assistant', messages);
  return partsOf('tool', messages.slice(-1)).flatMap((answer) => {
    if (answer.type !== 'tool-approval-response' || Boolean(answer.approved) !== approved) return [];
    const request = parts.findLast(
      ({ type, approvalId }) => type === 'tool-approval-request' && approvalId === answer.approvalId,
    );
    const call = parts.findLast(
      ({ type, toolCallId }) => type === 'tool-call' && toolCallId === request?.toolCallId,
    );
    return call === undefined ? [] : [call as unknown as ToolCallOfAiSdk];
  });
}
