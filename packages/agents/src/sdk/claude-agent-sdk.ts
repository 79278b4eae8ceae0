import { randomUUID } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, jsonOr, objectOf } from '@ambit/core';
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

/**
 * Options of the Claude Agent SDK: `query({ prompt, options: { ...ambitOptions({ policies }), cwd } })`. A hook judges every call as
 * `ambit hook claude-code` does. `ask` gets each call that needs approval; an approved call is judged again. No settings of a
 * repository apply, and a hook that fails blocks.
 */
export function ambitOptions({ policies, ask = async () => false, state, timeout = 30 }: ClaudeOptions) {
  if (!Array.isArray(policies) || !policies.every((path) => typeof path === 'string' && isAbsolute(path)))
    throw new TypeError("`policies` must be a list of absolute paths: `[resolve('policy.yaml')]`");
  if (typeof ask !== 'function') throw new TypeError('`ask` must be a function');
  if (!(timeout > 0)) throw new TypeError('`timeout` must be a number of seconds above 0');
  const environment = { ...process.env, ...(state === undefined ? {} : { AMBIT_HOME: resolve(state) }) };
  const calls = new HookedCalls({ policies, environment, timeout, ask });
  const hooked = <Hook>(hook: Hook) => [{ hooks: [hook], timeout, onFailure: 'block' as const }];
  const after = (input: unknown) => calls.after(input);
  return {
    settingSources: [],
    hooks: {
      PreToolUse: hooked((input: unknown) => calls.before('PreToolUse', input)),
      PreSkillShellCommand: hooked((input: unknown) => calls.before('PreSkillShellCommand', input)),
      PostToolUse: hooked(after),
      PostToolUseFailure: hooked(after),
    },
    canUseTool: (tool: string, input: Record<string, unknown>, asking: Asking) =>
      calls.canUseTool(tool, input, asking),
  };
}

const words = ['allow', 'ask', 'deny'] as const;

interface Answer {
  readonly permissionDecision: (typeof words)[number];
  readonly permissionDecisionReason: string;
}

interface HookedCall {
  /** The SDK's id, which a model may repeat. */
  readonly id: unknown;
  /** The input of the hook, with the id of the call in the log. */
  readonly input: JsonObject;
  readonly decision: 'allow' | 'ask';
  readonly isAnswered: boolean;
}

interface Asking {
  readonly toolUseID: string;
  readonly decisionReason?: string;
  readonly signal?: AbortSignal;
}

type HookedCallsOptions = Required<Omit<ClaudeOptions, 'state'>> & {
  readonly environment: NodeJS.ProcessEnv;
};

/** The calls without an outcome, judged by the hook. */
class HookedCalls {
  readonly #calls = new Set<HookedCall>();
  readonly #seen = new Set<unknown>();

  constructor(private readonly by: HookedCallsOptions) {}

  async before<Event extends string>(hookEventName: Event, given: unknown) {
    const input = structuredClone(objectOf(given));
    const { tool_use_id: id } = input;
    // A repeated id gets another one in the log.
    const own = this.#seen.has(id) ? { ...input, tool_use_id: randomUUID() } : input;
    this.#seen.add(id);
    const answer = await this.#answer(own, 'before');
    const decision = answer.permissionDecision;
    if (decision !== 'deny') this.#calls.add({ id, input: own, decision, isAnswered: false });
    return { hookSpecificOutput: { ...answer, hookEventName } };
  }

  async after(given: unknown) {
    const input = objectOf(given);
    const of = [input.tool_use_id, input.tool_name, input.tool_input];
    const call = this.#take(of, ({ decision }) => decision === 'allow');
    await this.#answer({ ...input, ...(call && { tool_use_id: call.input.tool_use_id }) }, 'after');
    return {};
  }

  async canUseTool(
    tool: string,
    args: Record<string, unknown>,
    { toolUseID, decisionReason = '', signal }: Asking,
  ) {
    const call = this.#take([toolUseID, tool, args], ({ isAnswered }) => !isAnswered);
    if (call === undefined) return denied('this call was not judged, so it cannot be approved');
    const said = await Promise.resolve()
      .then(() => this.by.ask(tool, args, decisionReason))
      .catch(() => false);
    // A yes after the run was aborted does not count.
    const isApproved = () => said === true && signal?.aborted !== true;
    if (call.decision === 'ask') {
      const answer = await this.#answer(call.input, 'before', isApproved());
      if (answer.permissionDecision !== 'allow') return denied(answer.permissionDecisionReason);
    }
    if (isApproved()) {
      this.#calls.add({ ...call, decision: 'allow', isAnswered: true });
      return { behavior: 'allow', updatedInput: call.input.tool_input as JsonObject } as const;
    }
    const error = said === true ? 'the run was aborted before this call' : 'the user refused this call';
    await this.#answer({ ...call.input, hook_event_name: 'PostToolUseFailure', error }, 'after');
    return denied(error);
  }

  async #answer(input: object, stage: HookStage, isApproved?: boolean): Promise<Answer> {
    const { policies, environment, timeout } = this.by;
    // The deadline is before the client gives up.
    const deadline = Date.now() + timeout * 800;
    const of = { client: 'claude-code', stage, policies, environment, deadline, isAlone: true } as const;
    const { exit, stdout, stderr } = await answerHook(JSON.stringify(input), { ...of, isApproved });
    const said = (jsonOr(stdout, null) as { readonly hookSpecificOutput?: Answer } | null)
      ?.hookSpecificOutput;
    // The SDK does not refuse a call for an unknown word.
    if (exit === 0 && said !== undefined && words.includes(said.permissionDecision)) return said;
    return { permissionDecision: 'deny', permissionDecisionReason: stderr.trim() };
  }

  #take(of: readonly unknown[], may: (call: HookedCall) => boolean): HookedCall | undefined {
    const found = [...this.#calls].find(
      (call) => may(call) && isDeepStrictEqual([call.id, call.input.tool_name, call.input.tool_input], of),
    );
    if (found !== undefined) this.#calls.delete(found);
    return found;
  }
}

const denied = (message: string) => ({ behavior: 'deny', message }) as const;
