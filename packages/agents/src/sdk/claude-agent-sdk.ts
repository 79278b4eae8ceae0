import { equalJson, isJsonObject, type Json } from '@ambit/core';
import type { HookStage } from '../clients/client.js';
import { answerHook } from '../hook/answer-hook.js';

export interface ClaudeOptions {
  /** The absolute paths of policy files. */
  readonly policies: readonly string[];
  /**
   * Asks the user of the program. Any result but `true` means no; without it, a call that needs approval is
   * refused.
   */
  readonly ask?: (tool: string, input: unknown, reason: string) => Promise<boolean>;
  /** The folder of the log and the answers. By default `AMBIT_HOME`, or else the user's state folder. */
  readonly state?: string;
  /** Seconds within which a call must be judged; later it is refused. 30 by default. */
  readonly timeout?: number;
}

interface HookedCall {
  readonly input: Json;
  readonly decision: string;
}

const noUser = async () => false;

/**
 * Options of the Claude Agent SDK: `query({ prompt, options: { ...ambitOptions({ policies }), cwd } })`. A hook judges every call as
 * `ambit hook claude-code` does; what needs approval comes to `ask`, and is judged again after a yes. No settings of a
 * repository apply, and a hook that fails blocks.
 */
export function ambitOptions({ policies, ask = noUser, state, timeout = 30 }: ClaudeOptions) {
  const environment = { ...process.env, ...(state === undefined ? {} : { AMBIT_HOME: state }) };
  const calls = new Map<string, HookedCall>();

  async function answer(input: unknown, stage: HookStage, isApproved?: boolean) {
    // The deadline is before the client gives up.
    const deadline = Date.now() + timeout * 800;
    const of = { client: 'claude-code', stage, policies, environment, deadline, isAlone: true } as const;
    const written = await answerHook(
      JSON.stringify(input),
      isApproved === undefined ? of : { ...of, isApproved },
    );
    if (written.exit !== 0) return { decision: 'deny', reason: written.stderr.trim() } as const;
    return decisionIn(written.stdout);
  }

  const before =
    <Event extends 'PreToolUse' | 'PreSkillShellCommand'>(event: Event) =>
    async (input: unknown) => {
      const { decision, reason } = await answer(input, 'before');
      const id = isJsonObject(input) ? input.tool_use_id : undefined;
      if (typeof id === 'string') calls.set(id, { input: structuredClone(input) as Json, decision });
      return {
        hookSpecificOutput: {
          hookEventName: event,
          permissionDecision: decision,
          permissionDecisionReason: reason,
        },
      } as const;
    };

  async function after(input: unknown) {
    const id = isJsonObject(input) ? input.tool_use_id : undefined;
    if (typeof id === 'string') calls.delete(id);
    await answer(input, 'after');
    return {};
  }

  const deny = (message: string) => ({ behavior: 'deny', message }) as const;

  async function canUseTool(
    tool: string,
    input: Record<string, unknown>,
    {
      toolUseID,
      decisionReason = '',
      signal,
    }: { readonly toolUseID: string; readonly decisionReason?: string; readonly signal?: AbortSignal },
  ) {
    const hooked = calls.get(toolUseID);
    const judged = hooked !== undefined && isJsonObject(hooked.input) ? hooked.input.tool_input : undefined;
    if (
      hooked === undefined ||
      judged === undefined ||
      hooked.decision === 'deny' ||
      !equalJson(judged, input as Json)
    )
      return deny('this call was not judged, so it cannot be approved');
    const said = await Promise.resolve()
      .then(() => ask(tool, input, decisionReason))
      .catch(() => false);
    // A yes after the run was aborted does not count.
    const isApproved = said === true && signal?.aborted !== true;
    if (hooked.decision === 'ask') {
      const { decision, reason } = await answer(hooked.input, 'before', isApproved);
      if (decision !== 'allow') return deny(reason);
    }
    if (!isApproved) return deny('the user refused this call');
    return { behavior: 'allow', updatedInput: judged as Record<string, unknown> } as const;
  }

  const hooked = <Hook>(hook: Hook) => [{ hooks: [hook], timeout, onFailure: 'block' as const }];
  return {
    settingSources: [],
    hooks: {
      PreToolUse: hooked(before('PreToolUse')),
      PreSkillShellCommand: hooked(before('PreSkillShellCommand')),
      PostToolUse: hooked(after),
      PostToolUseFailure: hooked(after),
    },
    canUseTool,
  };
}

type ClaudeDecision = 'allow' | 'ask' | 'deny';

/** The output of the hook; any unknown output is a refusal. */
function decisionIn(stdout: string): { readonly decision: ClaudeDecision; readonly reason: string } {
  const unknown = { decision: 'deny', reason: 'the hook gave no decision' } as const;
  if (stdout === '') return unknown;
  const written: unknown = JSON.parse(stdout);
  const output = isJsonObject(written) ? written.hookSpecificOutput : undefined;
  if (!isJsonObject(output)) return unknown;
  const { permissionDecision: decision, permissionDecisionReason: reason } = output;
  if (decision !== 'allow' && decision !== 'ask' && decision !== 'deny') return unknown;
  return { decision, reason: typeof reason === 'string' ? reason : '' };
}
