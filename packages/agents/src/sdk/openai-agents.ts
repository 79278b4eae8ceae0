import { isObject, jsonOr, messageOf } from '@ambit/core';
import { AnnouncedCalls } from './announced-calls.js';
import { type Judge, requireJudge, type SdkCall, toModel } from './verdict.js';

/** The parts of the SDK's values that are used here. */
interface FunctionCall {
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly arguments: string;
}

/** Of a run, or of several. */
interface Context {
  /** By any agent, if none is given; typed `never`, because the SDK has a class for it. */
  isToolApproved(of: {
    readonly toolName: string;
    readonly callId: string;
    readonly agent?: never;
  }): boolean | undefined;
}

interface GuardrailData {
  readonly context: Context;
  readonly agent?: unknown;
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
  requireJudge(judge);
  const calls = new AnnouncedCalls(judge);
  const settings = settingsOf(calls, name, execute !== undefined);
  if (execute === undefined) return settings;
  return {
    ...settings,
    /** Runs the tool only with arguments that were judged: the SDK has now changed them by the schema. */
    async execute(given, context, details) {
      const args: unknown = structuredClone(given);
      const { toolCall, signal } = details ?? {};
      const call: SdkCall = { id: toolCall === undefined ? null : idOf(toolCall, name), tool: name, args };
      const isYes = isApproved(context, toolCall, name);
      // A call is not announced after the approval. Another run may have announced an equal one.
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
      await calls.ended(context, idOf(details.toolCall, tool), messageOf(error));
    return `the tool failed: ${messageOf(error)}`;
  };
  const last = async ({ context, agent, toolCall }: GuardrailData) => {
    const { name, arguments: text } = toolCall;
    if (name !== tool)
      return rejected(`give \`ambitTool\` the name of this tool, \`${name}\`: it has \`${tool}\``);
    const isYes = isApproved(context, { ...toolCall, agent }, tool);
    // `execute` judges it, with the arguments that it gets.
    if (hasExecute && isYes) return allowed;
    const call = { id: idOf(toolCall, tool), tool, args: jsonOr(text === '' ? '{}' : text, text) };
    const { verdict, begins } = await (isYes
      ? calls.judge(context, call, true)
      : calls.announced(context, call));
    if (!hasExecute) begins.abort();
    return verdict.decision === 'pre_approved' ? allowed : rejected(toModel(verdict));
  };
  return {
    async needsApproval(this: unknown, context: Context, args: unknown, callId?: string): Promise<boolean> {
      const identity = callId === undefined ? undefined : { callId, namespace: namespaceOf(this) };
      // A stored state is asked again after the approval: a new question would differ from the one that the user saw.
      if (isApproved(context, identity, tool)) return true;
      const id = identity === undefined ? null : idOf(identity, tool);
      const { verdict } = await calls.judge(context, { id, tool, args });
      return verdict.decision === 'needs_approval';
    },
    inputGuardrails: [{ type: 'tool_input' as const, name: 'ambit', run: last }],
    outputGuardrails: [
      {
        type: 'tool_output' as const,
        name: 'ambit',
        async run({ context, toolCall }: GuardrailData) {
          await calls.ended(context, idOf(toolCall, tool), null);
          return allowed;
        },
      },
    ],
    errorFunction: failed,
    // The SDK does not call the former then, and gives the output guardrail a text.
    timeoutErrorFunction: failed,
  };
}

type Identity = Pick<FunctionCall, 'callId' | 'namespace'> & { readonly agent?: unknown };

/** Null outside of a namespace. A tool that a search loads has its own name as namespace. */
function namespaceIn({ namespace }: Identity, tool: string): string | null {
  return namespace === undefined || namespace === tool ? null : namespace;
}

/** The SDK says it in a symbol of the tool, before it gives the call. Undefined outside of a namespace. */
function namespaceOf(tool: unknown): string | undefined {
  const symbols = isObject(tool) ? Object.getOwnPropertySymbols(tool) : [];
  const own = symbols.find(({ description }) => description === 'functionToolNamespace');
  return own && (Reflect.get(Object(tool) as object, own) as string);
}

/** The id of a call for the judge: a yes to one namespace does not count in another. Differs for different calls. */
function idOf(call: Identity, tool: string): string {
  const namespace = namespaceIn(call, tool);
  const isPlain = namespace === null && !call.callId.startsWith('[');
  return isPlain ? call.callId : JSON.stringify([namespace, call.callId]);
}

function isApproved(context: Context | undefined, call: Identity | undefined, tool: string): boolean {
  if (context === undefined || call === undefined) return false;
  const namespace = namespaceIn(call, tool);
  const toolName = namespace === null ? tool : JSON.stringify(['namespaced', namespace, tool]);
  const { callId, agent } = call;
  return context.isToolApproved({ toolName, callId, agent: agent as never }) === true;
}
