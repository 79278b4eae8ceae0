import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '@ambit/core';
import {
  type Judge,
  refusal,
  requirePermission,
  type SdkCall,
  type SdkVerdict,
  toModel,
  verdictOf,
} from './verdict.js';

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

type Settings = ReturnType<typeof settingsOf>;

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
  const calls = new ToolCalls(judge, name);
  const settings = settingsOf(calls, execute !== undefined);
  if (execute === undefined) return settings;
  return {
    ...settings,
    /** Runs the tool only with arguments that were judged: the SDK has now changed them by the schema. */
    async execute(given: unknown, context?: Context, details?: Details): Promise<unknown> {
      const args: unknown = structuredClone(given);
      await calls.requirePermission(args, context, details);
      return execute(args, context, details);
    },
  };
}

type Run = (args: unknown, context?: Context, details?: Details) => unknown;

function settingsOf(calls: ToolCalls, hasExecute: boolean) {
  const failed = async (_context: unknown, error: unknown, details?: Details): Promise<string> => {
    await calls.ended(details?.toolCall, messageOf(error));
    return `the tool failed: ${messageOf(error)}`;
  };
  return {
    needsApproval: (context: Context, args: unknown, id?: string) => calls.needsApproval(context, args, id),
    inputGuardrails: [
      {
        type: 'tool_input' as const,
        name: 'ambit',
        async run(data: GuardrailData) {
          const { name } = data.toolCall;
          if (name !== calls.tool)
            return rejected(
              `give \`ambitTool\` the name of this tool, \`${name}\`: it has \`${calls.tool}\``,
            );
          if (hasExecute && calls.isLeftToExecute(data)) return allowed;
          const verdict = await calls.lastWord(data);
          return verdict.decision === 'pre_approved' ? allowed : rejected(toModel(verdict));
        },
      },
    ],
    outputGuardrails: [
      {
        type: 'tool_output' as const,
        name: 'ambit',
        async run({ toolCall }: { readonly toolCall: FunctionCall }) {
          await calls.ended(toolCall, null);
          return allowed;
        },
      },
    ],
    errorFunction: failed,
    // The SDK does not call the former then, and gives the output guardrail a text.
    timeoutErrorFunction: failed,
  };
}

/** The calls of one tool, by the SDK's id of a call, which a model may repeat. */
class ToolCalls {
  /** Judged, and not begun. */
  readonly #pending = new Map<string, readonly JudgedCall[]>();
  /** Permitted, and not ended. */
  readonly #running = new Map<string, SdkCall>();
  readonly #begun = new WeakSet<SdkCall>();

  constructor(
    private readonly judge: Judge,
    readonly tool: string,
  ) {}

  async needsApproval(context: Context, args: unknown, id?: string): Promise<boolean> {
    // A stored state is asked again after the yes: a new question would differ from the one that the user saw.
    if (id !== undefined && this.#isApprovedIn(context, id)) {
      // An earlier call with this id was permitted and never began. It says nothing about an approved one.
      this.#keep(id, ({ verdict }) => verdict.decision !== 'pre_approved');
      return true;
    }
    const call = { id: id ?? null, tool: this.tool, args };
    const verdict = await verdictOf(() => this.judge.judge(call));
    if (call.id !== null) {
      this.#keep(call.id, (each) => !isDeepStrictEqual(each.call, call));
      this.#pending.set(call.id, [...(this.#pending.get(call.id) ?? []), { call, verdict }]);
    }
    return verdict.decision === 'needs_approval';
  }

  /** Whether the call was approved and not judged: `execute` judges it with the arguments that it gets. */
  isLeftToExecute({ context, toolCall: { callId, namespace } }: GuardrailData): boolean {
    const isLeft = !this.#pending.has(callId) && this.#isApprovedIn(context, callId, namespace);
    if (isLeft) this.#running.delete(callId);
    return isLeft;
  }

  /** Called just before the tool runs. */
  async lastWord({ context, toolCall }: GuardrailData): Promise<SdkVerdict> {
    const { callId, namespace } = toolCall;
    const before = this.#taken(toolCall);
    const call = before?.call ?? callOf(this.tool, toolCall);
    if (call === null) return refusal('the arguments are not JSON');
    let verdict = before?.verdict;
    if (verdict === undefined || verdict.decision === 'needs_approval') {
      if (this.#isApprovedIn(context, callId, namespace))
        verdict = await verdictOf(() => this.judge.approve(call));
      else verdict ??= await verdictOf(() => this.judge.judge(call));
    }
    if (verdict.decision === 'pre_approved') this.#running.set(callId, call);
    return verdict.decision === 'needs_approval' ? refusal(verdict.reason, verdict) : verdict;
  }

  /** Throws unless a call with these arguments is permitted. */
  async requirePermission(args: unknown, context?: Context, details?: Details): Promise<void> {
    const { toolCall } = details ?? {};
    const id = toolCall?.callId ?? null;
    const before = id === null ? undefined : this.#running.get(id);
    if (before !== undefined && !this.#begun.has(before) && isDeepStrictEqual(before.args, args)) {
      this.#begun.add(before);
      return;
    }
    const call: SdkCall = { id, tool: this.tool, args };
    const isApproved =
      id !== null && context !== undefined && this.#isApprovedIn(context, id, toolCall?.namespace);
    await requirePermission(this.judge, call, isApproved);
    this.#begun.add(call);
    if (id !== null) this.#running.set(id, call);
    if (details?.signal?.aborted === true) throw new Error('the run was aborted before this call');
  }

  async ended(toolCall: FunctionCall | undefined, error: string | null): Promise<void> {
    if (toolCall === undefined) return;
    const call = this.#running.get(toolCall.callId) ?? callOf(this.tool, toolCall);
    this.#running.delete(toolCall.callId);
    if (call !== null) await this.judge.ended(call, error);
  }

  #isApprovedIn(context: Context, callId: string, namespace?: string): boolean {
    // A tool that a search loads has its own name as namespace.
    const isPlain = namespace === undefined || namespace === this.tool;
    const toolName = isPlain ? this.tool : JSON.stringify(['namespaced', namespace, this.tool]);
    return context.isToolApproved({ toolName, callId }) === true;
  }

  /** Takes the verdict of this call out. If several calls have its id, their arguments tell which one. */
  #taken(toolCall: FunctionCall): JudgedCall | undefined {
    const all = this.#pending.get(toolCall.callId) ?? [];
    const isOwn = ({ call }: JudgedCall) => isDeepStrictEqual(call.args, callOf(this.tool, toolCall)?.args);
    const own = all.length > 1 ? all.find(isOwn) : all[0];
    this.#keep(toolCall.callId, (each) => each !== own);
    return own;
  }

  #keep(id: string, isKept: (call: JudgedCall) => boolean): void {
    const others = (this.#pending.get(id) ?? []).filter(isKept);
    if (others.length > 0) this.#pending.set(id, others);
    else this.#pending.delete(id);
  }
}

/** Null if the arguments are not JSON. */
function callOf(tool: string, { callId, arguments: text }: FunctionCall): SdkCall | null {
  try {
    return { id: callId, tool, args: JSON.parse(text === '' ? '{}' : text) as unknown };
  } catch {
    return null;
  }
}
