import { type CallView, type Capability, membersOf, type Request, type Truth } from '@ambit/core';

/** One call during its judgement, with what was found out about it as a whole. */
export class CallInHand implements CallView {
  readonly tool: string;
  readonly toolset: string;
  readonly worker: string;
  readonly chain: CallView['chain'];
  readonly args: CallView['args'];
  readonly context: CallView['context'];
  readonly now: number;
  readonly history: readonly Capability[];
  readonly #capabilities: readonly Capability[];
  #members: readonly Capability[] | null = null;
  #truths: Map<object, Truth> | null = null;

  constructor(request: Request, capabilities: readonly Capability[]) {
    const { tool, toolset, worker, chain, args, context, now, history } = request;
    this.tool = tool;
    this.toolset = toolset;
    this.worker = worker;
    this.chain = chain;
    this.args = args;
    this.context = context;
    this.now = now;
    this.history = history;
    this.#capabilities = capabilities;
  }

  /** All capabilities, file sets as their members. */
  get members(): readonly Capability[] {
    this.#members ??= this.#capabilities.flatMap(membersOf);
    return this.#members;
  }

  /** What is the same for each capability of the call is worked out once. */
  once(key: object, work: () => Truth): Truth {
    this.#truths ??= new Map();
    const known = this.#truths.get(key);
    if (known !== undefined) return known;
    const truth = work();
    this.#truths.set(key, truth);
    return truth;
  }
}
