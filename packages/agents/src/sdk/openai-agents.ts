import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '@ambit/core';
import { type Judge, judged, refused, type SdkCall, type SdkVerdict, toModel } from './verdict.js';

/** The parts of the SDK's values that are used here. */
interface FunctionCall {
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string | undefined;
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
const rejected = (message: string) => ({ behavior: { type: 'rejectContent', message } }) as const;

interface Details {
  readonly toolCall?: FunctionCall;
  readonly signal?: AbortSignal;
}

type Settings = ReturnType<typeof settingsOf>['settings'];

/**
 * Options of a tool of OpenAI Agents: `tool({ name: 'rm', …, ...ambitTool(judge, 'rm', execute) })`. A call that
 * needs approval is an interruption, and is judged again before it runs. A blocked call is rejected, even if the
 * user approved it. Without `execute`, a call that is approved before it is judged is judged by the model's
 * arguments, which a schema may change.
 */
export function ambitTool(judge: Judge, name: string): Settings;
export function ambitTool<Execute extends (args: never, context?: never, details?: never) => unknown>(
  judge: Judge,
  name: string,
  execute: Execute,
): Settings & { readonly execute: Execute };
export function ambitTool(judge: Judge, name: string, execute?: Run): Settings & { readonly execute?: Run } {
  const { settings, executing } = settingsOf(judge, name, execute);
  return execute === undefined ? settings : { ...settings, execute: executing };
}

type Run = (args: unknown, context?: Context, details?: Details) => unknown;

function settingsOf(judge: Judge, name: string, execute: Run | undefined) {
  /** By the SDK's id of a call, which a model may repeat. */
  const pending = new Map<string, readonly JudgedCall[]>();
  const running = new Map<string, SdkCall>();

  function isApprovedIn(context: Context, callId: string, namespace?: string): boolean {
    // A tool that a search loads has its own name as namespace.
    const isPlain = namespace === undefined || namespace === name;
    const toolName = isPlain ? name : JSON.stringify(['namespaced', namespace, name]);
    return context.isToolApproved({ toolName, callId }) === true;
  }

  async function judgedOnce(call: SdkCall): Promise<SdkVerdict> {
    const verdict = await judged(() => judge.judge(call));
    if (call.id === null) return verdict;
    const others = (pending.get(call.id) ?? []).filter((each) => !isDeepStrictEqual(each.call, call));
    pending.set(call.id, [...others, { call, verdict }]);
    return verdict;
  }

  /** An earlier call with this id was permitted and never began. It says nothing about an approved one. */
  function forgetPermitted(id: string): void {
    const others = (pending.get(id) ?? []).filter(({ verdict }) => verdict.decision !== 'pre_approved');
    if (others.length > 0) pending.set(id, others);
    else pending.delete(id);
  }

  /** Takes the verdict of this call out. If several calls have its id, their arguments tell which one. */
  function taken(toolCall: FunctionCall): JudgedCall | undefined {
    const all = pending.get(toolCall.callId) ?? [];
    const isOwn = ({ call }: JudgedCall) => isDeepStrictEqual(call.args, callOf(name, toolCall)?.args);
    const own = all.length > 1 ? all.find(isOwn) : all[0];
    const others = all.filter((each) => each !== own);
    if (others.length > 0) pending.set(toolCall.callId, others);
    else pending.delete(toolCall.callId);
    return own;
  }

  /** Runs the tool only with arguments that were judged: the SDK has now changed them by the schema. */
  async function executing(given: unknown, context?: Context, details?: Details): Promise<unknown> {
    const args: unknown = structuredClone(given);
    const { toolCall } = details ?? {};
    const id = toolCall?.callId ?? null;
    const before = id === null ? undefined : running.get(id);
    if (!isDeepStrictEqual(before?.args, args)) {
      const call: SdkCall = { id, tool: name, args };
      const isApproved =
        id !== null && context !== undefined && isApprovedIn(context, id, toolCall?.namespace);
      const verdict = await judged(() => (isApproved ? judge.approve(call) : judge.judge(call)));
      if (verdict.decision !== 'pre_approved') throw new Error(toModel(verdict));
      if (id !== null) running.set(id, call);
      if (details?.signal?.aborted === true) throw new Error('the run was aborted before this call');
    }
    return execute?.(args, context, details);
  }

  /** Called just before the tool runs. */
  async function lastWord({ context, toolCall }: GuardrailData): Promise<SdkVerdict> {
    const { callId, namespace } = toolCall;
    const before = taken(toolCall);
    const call = before?.call ?? callOf(name, toolCall);
    if (call === null) return refused('the arguments are not JSON');
    running.set(callId, call);
    if (before !== undefined && before.verdict.decision !== 'needs_approval') return before.verdict;
    if (isApprovedIn(context, callId, namespace)) return judged(() => judge.approve(call));
    const verdict = before?.verdict ?? (await judged(() => judge.judge(call)));
    return verdict.decision === 'needs_approval' ? refused(verdict.reason, verdict) : verdict;
  }

  async function ended(toolCall: FunctionCall | undefined, error: string | null): Promise<void> {
    if (toolCall === undefined) return;
    const call = running.get(toolCall.callId) ?? callOf(name, toolCall);
    running.delete(toolCall.callId);
    if (call !== null) await judge.ended(call, error);
  }

  async function failed(_context: unknown, error: unknown, details?: Details): Promise<string> {
    await ended(details?.toolCall, messageOf(error));
    return `the tool failed: ${messageOf(error)}`;
  }

  const settings = {
    async needsApproval(context: Context, args: unknown, id?: string): Promise<boolean> {
      // A stored state is asked again after the yes: a new question would differ from the one that the user saw.
      if (id !== undefined && isApprovedIn(context, id)) {
        forgetPermitted(id);
        return true;
      }
      const { decision } = await judgedOnce({ id: id ?? null, tool: name, args });
      return decision === 'needs_approval';
    },
    inputGuardrails: [
      {
        type: 'tool_input' as const,
        name: 'ambit',
        async run(data: GuardrailData) {
          const { callId, namespace, name: own } = data.toolCall;
          if (own !== name)
            return rejected(`give \`ambitTool\` the name of this tool, \`${own}\`: it has \`${name}\``);
          const isUnjudged = !pending.has(callId) && isApprovedIn(data.context, callId, namespace);
          if (execute !== undefined && isUnjudged) {
            // It is judged with the arguments that the tool gets.
            running.delete(callId);
            return allowed;
          }
          const verdict = await lastWord(data);
          if (verdict.decision === 'pre_approved') return allowed;
          return rejected(toModel(verdict));
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
    errorFunction: failed,
    // The SDK does not call the former then, and gives the output guardrail a text.
    timeoutErrorFunction: failed,
  };
  return { settings, executing };
}

/** Null if the arguments are not JSON. */
function callOf(tool: string, { callId, arguments: text }: FunctionCall): SdkCall | null {
  try {
    return { id: callId, tool, args: JSON.parse(text === '' ? '{}' : text) as unknown };
  } catch {
    return null;
  }
}
