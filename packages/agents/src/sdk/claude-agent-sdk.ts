import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { equalJson, isJsonObject, type Json, type JsonObject, objectOf } from '@ambit/core';
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

const noUser = async () => false;

/**
 * Options of the Claude Agent SDK: `query({ prompt, options: { ...ambitOptions({ policies }), cwd } })`. A hook judges every call as
 * `ambit hook claude-code` does; what needs approval comes to `ask`, and is judged again after a yes. No settings of a
 * repository apply, and a hook that fails blocks.
 */
export function ambitOptions({ policies, ask = noUser, state, timeout = 30 }: ClaudeOptions) {
  if (!Array.isArray(policies) || !policies.every((path) => typeof path === 'string' && isAbsolute(path)))
    throw new TypeError("`policies` must be a list of absolute paths: `[resolve('policy.yaml')]`");
  if (typeof ask !== 'function') throw new TypeError('`ask` must be a function');
  if (!(timeout > 0)) throw new TypeError('`timeout` must be a number of seconds above 0');
  const environment = { ...process.env, ...(state === undefined ? {} : { AMBIT_HOME: state }) };
  const calls = new HookedCalls({ policies, environment, timeout, ask });
  const hooked = <Hook>(hook: Hook) => [{ hooks: [hook], timeout, onFailure: 'block' as const }];
  const before = <Event extends 'PreToolUse' | 'PreSkillShellCommand'>(event: Event) =>
    hooked((input: unknown) => calls.before(input, event));
  const after = () => hooked((input: unknown) => calls.after(input));
  return {
    settingSources: [],
    hooks: {
      PreToolUse: before('PreToolUse'),
      PreSkillShellCommand: before('PreSkillShellCommand'),
      PostToolUse: after(),
      PostToolUseFailure: after(),
    },
    canUseTool: (tool: string, input: Record<string, unknown>, asking: Asking) =>
      calls.canUseTool(tool, input, asking),
  };
}

interface HookedCall {
  /** The input of the hook, with the id of the call in the log. */
  readonly input: JsonObject;
  /** `asked`: the user answers. `runs`: after a yes. */
  state: 'allow' | 'ask' | 'asked' | 'runs';
}

interface Asking {
  readonly toolUseID: string;
  readonly decisionReason?: string;
  readonly signal?: AbortSignal;
}

type Judging = Required<Omit<ClaudeOptions, 'state'>> & { readonly environment: NodeJS.ProcessEnv };

/** The calls without an outcome, judged by the hook. */
class HookedCalls {
  /** By the SDK's id, which a model may repeat. */
  readonly #calls = new Map<string, readonly HookedCall[]>();
  readonly #seen = new Set<string>();

  constructor(private readonly by: Judging) {}

  async before<Event extends string>(input: unknown, event: Event) {
    const id = idIn(input);
    const own = id === null ? null : this.#withOwnId(structuredClone(input) as JsonObject, id);
    const { decision, reason } = await this.#answer(own ?? input, 'before');
    if (id !== null && own !== null && decision !== 'deny')
      this.#calls.set(id, [...this.#of(id), { input: own, state: decision }]);
    return {
      hookSpecificOutput: {
        hookEventName: event,
        permissionDecision: decision,
        permissionDecisionReason: reason,
      },
    } as const;
  }

  async after(input: unknown) {
    const id = idIn(input);
    if (id === null || !isJsonObject(input)) return {};
    const { tool_name: tool, tool_input: args } = input;
    const ended = this.#of(id).find((call) => /^(?:allow|runs)$/.test(call.state) && isOf(call, tool, args));
    this.#takeOut(id, ended);
    await this.#answer({ ...input, tool_use_id: ended?.input.tool_use_id ?? id }, 'after');
    return {};
  }

  async canUseTool(
    tool: string,
    input: Record<string, unknown>,
    { toolUseID, decisionReason = '', signal }: Asking,
  ) {
    const hooked = this.#of(toolUseID).find(
      (call) => /^(?:allow|ask)$/.test(call.state) && isOf(call, tool, input),
    );
    if (hooked === undefined) return denied('this call was not judged, so it cannot be approved');
    const isAsked = hooked.state === 'ask';
    hooked.state = 'asked';
    const said = await Promise.resolve()
      .then(() => this.by.ask(tool, input, decisionReason))
      .catch(() => false);
    // A yes after the run was aborted does not count.
    const isApproved = () => said === true && signal?.aborted !== true;
    const { decision, reason } = isAsked
      ? await this.#answer(hooked.input, 'before', isApproved())
      : ({ decision: 'allow', reason: '' } as const);
    if (decision === 'allow' && isApproved()) {
      hooked.state = 'runs';
      return { behavior: 'allow', updatedInput: hooked.input.tool_input as JsonObject } as const;
    }
    this.#takeOut(toolUseID, hooked);
    if (decision !== 'allow') return denied(reason);
    const error = said === true ? 'the run was aborted before this call' : 'the user refused this call';
    await this.#answer({ ...hooked.input, hook_event_name: 'PostToolUseFailure', error }, 'after');
    return denied(error);
  }

  async #answer(input: unknown, stage: HookStage, isApproved?: boolean) {
    const { policies, environment, timeout } = this.by;
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

  #of(id: string): readonly HookedCall[] {
    return this.#calls.get(id) ?? [];
  }

  /** A repeated id gets another one in the log. */
  #withOwnId(input: JsonObject, id: string): JsonObject {
    const isNew = !this.#seen.has(id);
    this.#seen.add(id);
    return isNew ? input : { ...input, tool_use_id: randomUUID() };
  }

  #takeOut(id: string, ended: HookedCall | undefined): void {
    const rest = this.#of(id).filter((call) => call !== ended);
    if (rest.length === 0) this.#calls.delete(id);
    else this.#calls.set(id, rest);
  }
}

const denied = (message: string) => ({ behavior: 'deny', message }) as const;

function idIn(input: unknown): string | null {
  const id = objectOf(input).tool_use_id;
  return typeof id === 'string' ? id : null;
}

function isOf({ input }: HookedCall, tool: unknown, args: unknown): boolean {
  return equalJson([input.tool_name ?? null, input.tool_input ?? null], [tool, args] as Json[]);
}

type ClaudeDecision = 'allow' | 'ask' | 'deny';

/** The output of the hook; any unknown output is a refusal. */
function decisionIn(stdout: string): { readonly decision: ClaudeDecision; readonly reason: string } {
  const unknown = { decision: 'deny', reason: 'the hook returned no decision' } as const;
  if (stdout === '') return unknown;
  const output = objectOf(JSON.parse(stdout)).hookSpecificOutput;
  if (!isJsonObject(output)) return unknown;
  const { permissionDecision: decision, permissionDecisionReason: reason } = output;
  if (decision !== 'allow' && decision !== 'ask' && decision !== 'deny') return unknown;
  return { decision, reason: typeof reason === 'string' ? reason : '' };
}
