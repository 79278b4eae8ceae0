import { jsonOr, messageOf } from '@ambit/core';
import { AnnouncedCalls } from './announced-calls.js';
import { type Judge, type SdkCall, toModel } from './verdict.js';

/** The parts of the SDK's values that are used here. */
interface FunctionCall {
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly arguments: string;
}

/** Of a run, or of several. */
interface Context {
  isToolApproved(of: { readonly toolName: string; readonly callId: string }): boolean | undefined;
}

interface GuardrailData {
  readonly context: Context;
  readonly toolCall: FunctionCall;
}

interface Details {
  readonly toolCall?: FunctionCall;
  readonly signal?: AbortSignal;
}

type Run = (args: unknown, context?: Context, details?: Details) => unknown;

const allowed = { behavior: { type: 'allow' } } as const;
const rejected = (message: string) => ({ behavior: { type: 'rejectContent', message } }) as const;

type Settings = ReturnType<typeof settingsOf>;

/**
 * Options of a tool of OpenAI Agents: `tool({ name: 'rm', …, ...ambitTool(judge, 'rm', execute) })`. A call that
 * needs approval is an interruption, and is judged again before it runs. A blocked call is rejected, even if the
 * user approved it. Without `execute`, an approved call is judged by the model's arguments, which a schema may
 * change.
 */
export function ambitTool(judge: Judge, name: string): Settings;
export function ambitTool<Execute extends (args: never, context?: never, details?: never) => unknown>(
  judge: Judge,
  name: string,
  execute: Execute,
): Settings & { readonly execute: Execute };
export function ambitTool(judge: Judge, name: string, execute?: Run): Settings & { readonly execute?: Run } {
  const calls = new AnnouncedCalls(judge);
  const settings = settingsOf(calls, name, execute !== undefined);
  if (execute === undefined) return settings;
  return {
    ...settings,
    /** Runs the tool only with arguments that were judged: the SDK has now changed them by the schema. */
    async execute(given, context, details) {
      const args: unknown = structuredClone(given);
      const { toolCall, signal } = details ?? {};
      const call: SdkCall = { id: toolCall?.callId ?? null, tool: name, args };
      const isYes = isApproved(context, toolCall, name);
      // A call is not announced after a yes. Another run may have announced an equal one.
      if (isYes || !calls.begin(context, call)) {
        await calls.beginUnannounced(context, call, isYes);
        if (signal?.aborted === true) throw new Error('the run was aborted before this call');
      }
      return execute(args, context, details);
    },
  };
}

function settingsOf(calls: AnnouncedCalls, tool: string, hasExecute: boolean) {
  const failed = async (context: unknown, error: unknown, details?: Details): Promise<string> => {
    if (details?.toolCall !== undefined)
      await calls.ended(context, details.toolCall.callId, messageOf(error));
    return `the tool failed: ${messageOf(error)}`;
  };
  const last = async ({ context, toolCall }: GuardrailData) => {
    const { name, callId, arguments: text } = toolCall;
    if (name !== tool)
      return rejected(`give \`ambitTool\` the name of this tool, \`${name}\`: it has \`${tool}\``);
    const isYes = isApproved(context, toolCall, tool);
    // `execute` judges it, with the arguments that it gets.
    if (hasExecute && isYes) return allowed;
    const call = { id: callId, tool, args: jsonOr(text === '' ? '{}' : text, text) };
    const { verdict, begins } = await (isYes
      ? calls.judge(context, call, true)
      : calls.announced(context, call));
    if (!hasExecute) begins.abort();
    return verdict.decision === 'pre_approved' ? allowed : rejected(toModel(verdict));
  };
  return {
    async needsApproval(context: Context, args: unknown, callId?: string): Promise<boolean> {
      // A stored state is asked again after the yes: a new question would differ from the one that the user saw.
      if (callId !== undefined && isApproved(context, { callId }, tool)) return true;
      const { verdict } = await calls.judge(context, { id: callId ?? null, tool, args });
      return verdict.decision === 'needs_approval';
    },
    inputGuardrails: [{ type: 'tool_input' as const, name: 'ambit', run: last }],
    outputGuardrails: [
      {
        type: 'tool_output' as const,
        name: 'ambit',
        async run({ context, toolCall }: GuardrailData) {
          await calls.ended(context, toolCall.callId, null);
          return allowed;
        },
      },
    ],
    errorFunction: failed,
    // The SDK does not call the former then, and gives the output guardrail a text.
    timeoutErrorFunction: failed,
  };
}

type Identity = Pick<FunctionCall, 'callId' | 'namespace'>;

function isApproved(context: Context | undefined, call: Identity | undefined, tool: string): boolean {
  if (context === undefined || call === undefined) return false;
  const { callId, namespace } = call;
  // A tool that a search loads has its own name as namespace.
  const isPlain = namespace === undefined || namespace === tool;
  const toolName = isPlain ? tool : JSON.stringify(['namespaced', namespace, tool]);
  return context.isToolApproved({ toolName, callId }) === true;
}
