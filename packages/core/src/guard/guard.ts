import type { Attempt } from '../asking/asked-call.js';
import { describeCall } from '../tool/describe-call.js';
import { type CallOutcome, plainRefusal, type Refusal, unrecorded } from '../tool/outcome.js';
import { defineToolset, parseArguments, type Tool, type Toolset } from '../tool/tool.js';
import type { JsonObject } from '../words/json.js';
import { toolsetOf } from '../words/name.js';
import { messageOf } from '../words/text.js';
import { type Authority, type CallInProgress, policiesOf } from './authority.js';
import { execute } from './execute.js';
import type { Interrupted } from './interrupted.js';
import { judgeCall, type NextStep } from './judge-call.js';
import { refuse, refuseUnjudged } from './record.js';

export interface ToolCall {
  /** Without the toolset. */
  readonly tool: string;
  readonly args: unknown;
  readonly signal?: AbortSignal;
  /** A new one by default. */
  readonly id?: string;
  /** The state of this call before the run was interrupted. */
  readonly interrupted?: Interrupted;
}

/** A tool as the model sees it. */
export interface Offer {
  readonly name: string;
  readonly tool: string;
  /** `toolset.tool` */
  readonly fullName: string;
  readonly description: string;
  readonly input: JsonObject;
}

/** The only caller of `execute`. Throws on a guarded toolset, which would be judged twice. */
export function guard(
  toolset: Toolset,
  authority: Authority,
  others: Others = () => undefined,
): GuardedToolset {
  if ((toolset as unknown) instanceof GuardedToolset)
    throw new TypeError(`${toolset.name} is guarded already`);
  return new GuardedToolset(toolset, authority, others);
}

/** Several toolsets may share a name (`worker`) with different tools. */
export type Others = (toolset: string, tool: string) => GuardedToolset | undefined;

/** A toolset whose calls are guarded. It is not a `Toolset` on purpose. */
export class GuardedToolset {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #toolset: Toolset;
  readonly #authority: Authority;
  readonly #others: Others;
  readonly #policies = () => policiesOf(this.#authority);

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
    parent: CallInProgress | null,
  ): Promise<CallOutcome> {
    const { run } = this.#authority;
    const known = this.#tools.get(name);
    const call = {
      id: id ?? run.options.newId(),
      name: `${this.name}.${name}`,
      number: run.asker.identical.nextNumber(),
      authority: this.#authority,
      chain: this.#authority.chain,
      toolset: this.#toolset,
      tool: known as Tool,
      policies: this.#policies,
      signal: signal === undefined ? run.signal : run.signalWith(signal),
      parent,
      callWithin: this.#callWithin,
    };
    if (known === undefined)
      return refuseUnjudged(call, args, unknownTool(call.name, [...this.#tools.keys()]));
    try {
      return await outcomeOf(call, args, interrupted);
    } catch (error) {
      return await refuseUnjudged(
        call,
        args,
        plainRefusal('unjudged', `judging failed: ${messageOf(error)}`),
      );
    } finally {
      run.dependent.end(call);
    }
  }

  readonly #callWithin: CallInProgress['callWithin'] = async ({ tool, args, signal, parent }) => {
    const name = toolsetOf(tool);
    const own = tool.slice(name.length + 1);
    const toolset =
      name === this.name && this.#tools.has(own)
        ? this
        : (this.#others(name, own) ?? (name === this.name ? this : undefined));
    if (toolset === undefined || tool === name)
      return refuseUnknownTool(this.#authority, { tool, args, parent });
    return toolset.#call({ tool: own, args, signal }, parent);
  };
}

/** The refusal lists the `known` tools. */
export function refuseUnknownTool(
  authority: Authority,
  call: {
    readonly tool: string;
    readonly args: unknown;
    readonly parent?: CallInProgress;
    readonly id?: string;
    readonly known?: readonly string[];
  },
): Promise<CallOutcome> {
  const { run } = authority;
  const { tool: name, parent = null, known = [] } = call;
  const incoming = { id: call.id ?? run.options.newId(), name, authority, signal: run.signal, parent };
  return refuseUnjudged(incoming, call.args, unknownTool(`\`${call.tool}\``, known));
}

function unknownTool(name: string, known: readonly string[]): Refusal {
  const list = known.length === 0 ? '' : `; the tools are ${known.join(', ')}`;
  return plainRefusal('unknown_tool', `there is no tool ${name}${list}`);
}

const maxRounds = 8;

async function outcomeOf(
  call: CallInProgress,
  raw: unknown,
  interrupted?: Interrupted,
): Promise<CallOutcome> {
  const { run } = call.authority;
  const { asker } = run;
  const parsed = parseArguments(call.tool, raw);
  if (!parsed.ok) return refuseUnjudged(call, raw, plainRefusal('bad_input', parsed.problem));
  if (interrupted !== undefined && interrupted.refused !== null)
    return refuse(call, plainRefusal(interrupted.refused.code, interrupted.refused.why));
  let attempt = firstAttempt(call.tool, parsed.value, interrupted);
  for (let round = 0; round < maxRounds; round += 1) {
    const arrived = asker.identical.arrive();
    let step: NextStep;
    try {
      step = await describeAndJudge(call, attempt);
    } finally {
      // Before anybody is asked: identical calls wait for it, and join its question.
      arrived();
    }
    if (step.next === 'halt') return withEdited(await halt(call, attempt, step.refusal), attempt);
    if (step.next === 'refuse') {
      const { refusal, isRecorded } = step;
      const refused = { status: 'refused', call: call.id, refusal } as const;
      return withEdited(isRecorded ? refused : await refuse(call, refusal), attempt);
    }
    if (step.next === 'execute') {
      const outcome = await execute(call, attempt, step.decision);
      if (outcome.status !== 'again') return withEdited(outcome, attempt);
      const { learnt } = outcome;
      attempt = { ...attempt, recorded: step.decision, ...(learnt !== undefined && { learnt }) };
      continue;
    }
    // Others need not wait for the answer.
    run.dependent.end(call);
    const next = await asker.ask(call, attempt, step);
    if ('refusal' in next) return withEdited(await refuse(call, next.refusal), attempt);
    attempt = next;
  }
  const reason = 'gave up: the description of this call keeps changing';
  return withEdited(await refuse(call, plainRefusal('unsettled', reason)), attempt);
}

/** An outcome of edited arguments says so. */
function withEdited(outcome: CallOutcome, { args, edited }: Attempt): CallOutcome {
  return outcome.status === 'completed' || !edited ? outcome : { ...outcome, edited: args };
}

async function describeAndJudge(call: CallInProgress, attempt: Attempt): Promise<NextStep> {
  const { run } = call.authority;
  const { clock, describeLimit: limit } = run.options;
  const within = { chain: call.chain, signal: call.signal, clock, limit, learnt: attempt.learnt };
  const saying = describeCall(call.tool, attempt.args, within);
  const described = saying instanceof Promise ? await saying : saying;
  const halted = run.halted(call.signal);
  if (halted !== null) return { next: 'halt', refusal: halted };
  if (!described.ok) return { next: 'halt', refusal: plainRefusal('undescribed', described.why) };
  const { step, durable } = await run.inTurn(() => judgeCall(call, attempt, described));
  return durable === null || (await durable) ? step : { next: 'refuse', refusal: unrecorded };
}

/** The state from before an interruption still counts. */
function firstAttempt(tool: Tool, args: JsonObject, interrupted: Interrupted | undefined): Attempt {
  const none = {
    args,
    edited: false,
    answered: null,
    recorded: null,
    again: null,
    timesAsked: 0,
    isUnknown: false,
  };
  if (interrupted === undefined) return none;
  const { recorded, timesAsked, answered, isUnknown, replaced } = interrupted;
  const again = isUnknown ? 'it had begun when the run was interrupted, and its outcome is unknown' : null;
  const known = { ...none, recorded, timesAsked, again, isUnknown };
  if (interrupted.edited === null) return { ...known, answered };
  const edited = parseArguments(tool, interrupted.edited);
  if (!edited.ok) return { ...known, again: `the edited arguments are invalid: ${edited.problem}` };
  return { ...known, args: edited.value, edited: true, answered, ...(replaced === null ? {} : { replaced }) };
}

/** A call with a logged judgement gets its outcome, and no second judgement. */
function halt(call: CallInProgress, { args, recorded }: Attempt, refusal: Refusal): Promise<CallOutcome> {
  return recorded === null ? refuseUnjudged(call, args, refusal) : refuse(call, refusal);
}
