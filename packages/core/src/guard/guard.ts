import { askAbout } from '../asking/asker.js';
import { type CallOutcome, plainRefusal } from '../asking/refusal.js';
import { describeCall } from '../tool/describe-call.js';
import { parseArguments } from '../tool/parse-arguments.js';
import { defineToolset, type Tool, type Toolset } from '../tool/tool.js';
import type { JsonObject } from '../words/json.js';
import { messageOf } from '../words/message-of.js';
import { toolsetOf } from '../words/name.js';
import type { Authority } from './authority.js';
import { type Attempt, type Halt, haltOf, type Passage } from './call-in-progress.js';
import { execute } from './execute.js';
import type { Interrupted } from './interrupted.js';
import { type Ruling, rule } from './judge-call.js';
import { refuse, refuseUnjudged } from './refuse.js';

export interface ToolCall {
  /** The tool's name without the toolset. Only own names count. */
  readonly tool: string;
  /** The model's arguments, parsed from JSON. */
  readonly args: unknown;
  readonly signal?: AbortSignal;
  /** Its id in the log; a new one by default. */
  readonly id?: string;
  /** The state of this call before the run was interrupted. */
  readonly interrupted?: Interrupted;
}

/** A tool as the model sees it. */
export interface Offer {
  /** Its name for the model. */
  readonly name: string;
  /** Its name for `call`. */
  readonly tool: string;
  /** `toolset.tool` */
  readonly fullName: string;
  readonly description: string;
  readonly input: JsonObject;
}

/**
 * The only caller of `execute`. Throws on a guarded toolset, which would be judged twice, and on invalid
 * names.
 */
export function guard(
  toolset: Toolset,
  authority: Authority,
  others: Others = () => undefined,
): GuardedToolset {
  if ((toolset as unknown) instanceof GuardedToolset)
    throw new TypeError(`${toolset.name} is guarded already`);
  return new GuardedToolset(toolset, authority, others);
}

/**
 * The worker's other toolsets, for the calls of its tools. Several may share a name (`worker`) with different
 * tools.
 */
export type Others = (toolset: string, tool: string) => GuardedToolset | undefined;

/** A toolset whose calls are described, judged and recorded before they run. On purpose not a `Toolset`. */
export class GuardedToolset {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #toolset: Toolset;
  readonly #authority: Authority;
  readonly #others: Others;

  constructor(toolset: Toolset, authority: Authority, others: Others) {
    // Checked and copied: a toolset may be written by hand, and policies refer to its name.
    this.#toolset = defineToolset(toolset);
    this.#authority = authority;
    this.#others = others;
    this.#tools = new Map(toolset.tools.map((tool) => [tool.name, tool]));
  }

  get name(): string {
    return this.#toolset.name;
  }

  get offers(): readonly Offer[] {
    return [...this.#tools.values()].map(({ name, offered_as = name, description, input }) => ({
      name: offered_as,
      tool: name,
      fullName: `${this.name}.${name}`,
      description,
      input: input.json,
    }));
  }

  /** Never rejects: a refusal and a failure are outcomes. */
  call(call: ToolCall): Promise<CallOutcome> {
    return this.#call(call, null);
  }

  async #call(
    { tool: name, args, signal, id, interrupted }: ToolCall,
    parent: Passage | null,
  ): Promise<CallOutcome> {
    const { run } = this.#authority;
    const passage = {
      call: id ?? run.options.newId(),
      name: `${this.name}.${name}`,
      authority: this.#authority,
      toolset: this.#toolset,
      signal: signal === undefined ? run.signal : AbortSignal.any([signal, run.signal]),
      parent,
      callWithin: this.#callWithin,
    };
    const tool = this.#tools.get(name);
    if (tool === undefined)
      return refuseUnjudged(passage, args, { code: 'unknown_tool', why: `there is no tool ${passage.name}` });
    try {
      return await pass({ ...passage, tool }, args, interrupted);
    } catch (error) {
      return refuseUnjudged(passage, args, { code: 'unjudged', why: `judging failed: ${messageOf(error)}` });
    }
  }

  readonly #callWithin: Passage['callWithin'] = async ({ tool, args, signal, parent }) => {
    const name = toolsetOf(tool);
    const own = tool.slice(name.length + 1);
    const toolset =
      name === this.name && this.#tools.has(own)
        ? this
        : (this.#others(name, own) ?? (name === this.name ? this : undefined));
    if (toolset === undefined || tool === name)
      return refuseUnknownTool(this.#authority, { tool, args, parent });
    return toolset.#call({ tool: tool.slice(name.length + 1), args, signal }, parent);
  };
}

/** Refuses and records a call of an unknown tool. */
export function refuseUnknownTool(
  authority: Authority,
  call: { readonly tool: string; readonly args: unknown; readonly parent?: Passage; readonly id?: string },
): Promise<CallOutcome> {
  const { run } = authority;
  const { tool: name, parent = null } = call;
  const passage = { call: call.id ?? run.options.newId(), name, authority, signal: run.signal, parent };
  return refuseUnjudged(passage, call.args, {
    code: 'unknown_tool',
    why: `there is no tool \`${call.tool}\``,
  });
}

/** How often a call may change during a question, or start over. */
const maxRounds = 8;

async function pass(passage: Passage, raw: unknown, interrupted?: Interrupted): Promise<CallOutcome> {
  const parsed = parseArguments(passage.tool, raw);
  if (!parsed.ok) return refuseUnjudged(passage, raw, { code: 'bad_input', why: parsed.problem });
  if (interrupted !== undefined && interrupted.refused !== null)
    return refuse(passage, { ...plainRefusal(interrupted.refused.code), reason: interrupted.refused.why });
  let attempt = firstAttempt(passage.tool, parsed.value, interrupted);
  for (let round = 0; round < maxRounds; round += 1) {
    const arrived = passage.authority.run.arrivals.enter();
    let ruling: Ruling;
    try {
      ruling = await ruled(passage, attempt);
    } finally {
      // Ends the arrival before the question: identical calls join this question.
      arrived();
    }
    if (ruling.next === 'halt') return withEdited(await halted(passage, attempt, ruling.halt), attempt);
    if (ruling.next === 'refuse') return withEdited(await refuse(passage, ruling.refusal), attempt);
    if (ruling.next === 'execute') {
      const outcome = await execute(passage, attempt, ruling.decision);
      if (outcome.status !== 'again') return withEdited(outcome, attempt);
      attempt = { ...attempt, recorded: ruling.decision, learnt: outcome.learnt };
      continue;
    }
    const next = await askAbout(passage, attempt, ruling);
    if ('refusal' in next) return withEdited(await refuse(passage, next.refusal), attempt);
    attempt = next;
  }
  const reason = 'the call changed each time that it was described';
  return withEdited(await refuse(passage, { ...plainRefusal('unsettled'), reason }), attempt);
}

/** The outcome of edited arguments says so. */
function withEdited(outcome: CallOutcome, { args, edited }: Attempt): CallOutcome {
  return outcome.status === 'completed' || !edited ? outcome : { ...outcome, edited: args };
}

async function ruled(passage: Passage, attempt: Attempt): Promise<Ruling> {
  const described = await describeCall(passage.tool, attempt.args, { ...passage, learnt: attempt.learnt });
  const halt = haltOf(passage);
  if (halt !== null) return { next: 'halt', halt };
  if (!described.ok) return { next: 'halt', halt: { code: 'undescribed', why: described.why } };
  return passage.authority.run.inTurn(() => rule(passage, attempt, described));
}

/** The first attempt; the state from before an interruption still counts. */
function firstAttempt(tool: Tool, args: JsonObject, interrupted: Interrupted | undefined): Attempt {
  const nothing = { edited: false, answered: null, recorded: null, again: null, asked: 0, isUnknown: false };
  if (interrupted === undefined) return { args, ...nothing };
  const { recorded, asked, answered, isUnknown, replaced } = interrupted;
  const again = isUnknown
    ? 'it had begun when the run was interrupted, and what came of it is not known'
    : null;
  const known = { ...nothing, recorded, asked, again, isUnknown };
  if (interrupted.edited === null) return { ...known, args, answered };
  const edited = parseArguments(tool, interrupted.edited);
  if (!edited.ok) return { ...known, args, again: `the edited arguments do not fit: ${edited.problem}` };
  return {
    ...known,
    args: edited.value,
    edited: true,
    answered,
    ...(replaced === null ? {} : { replaced }),
  };
}

/** A call with a logged judgement gets its outcome, and no second judgement. */
function halted(passage: Passage, { args, recorded }: Attempt, halt: Halt): Promise<CallOutcome> {
  return recorded === null
    ? refuseUnjudged(passage, args, halt)
    : refuse(passage, { ...plainRefusal(halt.code), reason: halt.why });
}
