import { subjectOf } from '@ambit/audit';
import { type DecisionEvent, equalJson, type LogEvent, type OutcomeEvent, objectOf } from '@ambit/core';
import type { RunResult, SessionEvent, Step } from '@ambit/runtime';
import { type Money, shown, sumOfCosts } from '../text.js';

type AtWork = Extract<SessionEvent, { type: 'worker_finished' }>;

/** Escaped. */
export interface WorkerNode {
  readonly name: string;
  /** Root first. */
  readonly chain: readonly string[];
  /** Null if unknown. */
  readonly place: string | null;
  /** Empty while unknown. */
  model: string;
  readonly calls: CallNode[];
  readonly tokens: { input: number; output: number };
  turns: number;
  /** Null if a turn has no price. */
  costs: Money | null;
  state: 'works' | 'finished' | 'ended';
}

export interface CallNode {
  readonly tool: string;
  /** Grows from call to call as they were made. */
  readonly turn: number;
  subject: string;
  state: 'asking' | 'running' | 'done' | 'refused' | 'failed';
  /** `by ana`, `by the mode`. */
  approved: string;
  /** Why it was refused or failed. */
  why: string;
  /** Milliseconds since 1970. */
  since: number;
  readonly calls: CallNode[];
  readonly workers: WorkerNode[];
}

/** The state of a run from its events, for a view. */
export class RunTree {
  readonly workers: WorkerNode[] = [];
  /** All of them, in the order in which they began. */
  readonly allWorkers: WorkerNode[] = [];
  /** When the first event was recorded; null before. */
  begun: number | null = null;
  /** With a reason unless it finished; null while it is active. */
  ended: { readonly status: string; readonly why: string | null } | null = null;
  readonly #calls = new Map<string, CallNode>();
  /** The worker of a call, and its order among all calls: concurrent calls are decided in any order. */
  readonly #made = new Map<string, { readonly place: string | undefined; readonly turn: number }>();

  get calls(): readonly CallNode[] {
    return [...this.#calls.values()];
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'worker_started': {
        const worker = this.#expected(event) ?? this.#started(event);
        worker.model = shown(event.model);
        return;
      }
      case 'model_turn': {
        const worker = this.#at(event);
        if (worker === undefined) return;
        worker.tokens.input += event.tokens.input;
        worker.tokens.output += event.tokens.output;
        const costs = event.costs ?? null;
        worker.costs = worker.turns === 0 ? costs : sumOfCosts(worker.costs, costs);
        worker.turns += 1;
        return;
      }
      case 'call_made':
        this.#made.set(event.call, { place: event.place, turn: this.#made.size });
        return;
      case 'worker_finished': {
        const worker = this.#at(event);
        if (worker !== undefined) worker.state = 'finished';
        return;
      }
      case 'recorded':
        this.#record(event.event);
        return;
      case 'model_text':
      case 'worker_created':
      case 'answer_void':
      case 'toolset_started':
        return;
    }
  }

  /** Active times begin now. */
  recall(steps: readonly Step[], now: number): void {
    for (const step of steps) {
      if (step.step === 'started') this.#started(step).model = shown(step.model);
      else if (step.step === 'turn') this.#recallTurn(step);
      else if (step.step === 'events')
        for (const event of step.events) if (event.event !== 'end') this.#record(event);
    }
    for (const call of this.calls) call.since = now;
  }

  #recallTurn({ place, calls, message }: Extract<Step, { step: 'turn' }>): void {
    for (const call of calls) this.#made.set(call, { place, turn: this.#made.size });
    const worker = this.allWorkers.findLast((one) => one.place === place);
    if (worker === undefined) return;
    const usage = objectOf(objectOf(message).usage);
    worker.tokens.input += Number(usage.input_tokens ?? 0);
    worker.tokens.output += Number(usage.output_tokens ?? 0);
    // The cost is not stored with a step.
    worker.turns += 1;
  }

  end({ status, why }: Pick<RunResult, 'status' | 'why'>): void {
    this.ended = { status, why: why === null ? null : shown(why) };
    for (const worker of this.allWorkers) if (worker.state === 'works') worker.state = 'ended';
  }

  #started(at: Pick<AtWork, 'chain' | 'place'>): WorkerNode {
    const { chain } = at;
    const place = at.place ?? null;
    const worker: WorkerNode = {
      name: shown(chain[chain.length - 1] ?? ''),
      chain,
      place,
      model: '',
      calls: [],
      tokens: { input: 0, output: 0 },
      turns: 0,
      costs: null,
      state: 'works',
    };
    const by = (place === null ? undefined : this.#calls.get(place)) ?? this.#callThatStarts(chain);
    (by?.workers ?? this.workers).push(worker);
    this.allWorkers.push(worker);
    return worker;
  }

  #record(event: LogEvent): void {
    this.begun ??= event.now;
    if (event.event === 'decision') this.#decide(event);
    else if (event.event === 'approval') {
      const call = this.#calls.get(event.call);
      if (call === undefined || !event.approved) return;
      change(call, { state: 'running', since: event.now });
      call.approved = approvedBy(event);
    } else if (event.event === 'outcome') this.#end(event);
    else if (event.event === 'end') this.end(event);
  }

  #decide(event: DecisionEvent): void {
    const call = this.#calls.get(event.call) ?? this.#added(event);
    call.subject = shown(subjectOf(event.args));
    const state = event.decision === 'pre_approved' ? 'running' : 'asking';
    // A refusal follows at once, so it does not count as a question until then.
    const isRefused = event.decision === null || event.decision === 'blocked' || event.code !== undefined;
    change(call, { state: isRefused ? 'refused' : state, since: event.now });
  }

  #added(event: DecisionEvent): CallNode {
    const call: CallNode = {
      tool: shown(event.tool),
      // A call that no model made comes after all calls of models so far.
      turn: this.#made.get(event.call)?.turn ?? this.#made.size - 0.5,
      subject: '',
      state: 'running',
      approved: '',
      why: '',
      since: event.now,
      calls: [],
      workers: [],
    };
    this.#calls.set(event.call, call);
    const parent = event.parent === undefined ? undefined : this.#calls.get(event.parent);
    const place = this.#made.get(event.call)?.place;
    const at = { chain: event.chain, ...(place === undefined ? {} : { place }) };
    const worker = this.#at(at) ?? this.#started(at);
    const calls = parent?.calls ?? worker.calls;
    const before = calls.findLastIndex(({ turn }) => turn <= call.turn);
    calls.splice(before + 1, 0, call);
    return call;
  }

  #end(event: OutcomeEvent): void {
    const call = this.#calls.get(event.call);
    if (call === undefined) return;
    if (event.outcome === 'completed') change(call, { state: 'done', since: event.now });
    else if (event.outcome === 'failed')
      change(call, { state: 'failed', why: shown(event.error), since: event.now });
    else change(call, { state: 'refused', why: `${event.code}: ${shown(event.reason)}`, since: event.now });
    // A step does not tell that a worker has finished, and its call has not completed before.
    const state = event.outcome === 'completed' ? 'finished' : 'ended';
    for (const worker of call.workers) if (worker.state === 'works') worker.state = state;
  }

  /** A worker may call before its start is reported, or be resumed. */
  #expected(at: Pick<AtWork, 'chain' | 'place'>): WorkerNode | undefined {
    const worker = this.#at(at);
    const isIt = worker?.model === '' || (worker?.place !== null && worker?.place === at.place);
    return isIt && worker?.state === 'works' ? worker : undefined;
  }

  #at({ chain, place }: Pick<AtWork, 'chain' | 'place'>): WorkerNode | undefined {
    const workers = this.allWorkers.filter((worker) => equalJson(worker.chain, chain));
    const known = workers.find((worker) => place !== undefined && worker.place === place);
    // Of several equal workers, the last one that is active.
    const likely = workers.filter((worker) => place === undefined || worker.place === null);
    return known ?? likely.findLast(({ state }) => state === 'works') ?? likely.at(-1);
  }

  /** The first call that could have started the worker. */
  #callThatStarts(chain: readonly string[]): CallNode | undefined {
    const [name, before] = [chain[chain.length - 1], chain.slice(0, -1)];
    const callers = this.allWorkers.filter((worker) => equalJson(worker.chain, before));
    return callers
      .flatMap(({ calls }) => calls)
      .find(
        ({ tool, state, workers }) =>
          state === 'running' &&
          workers.length === 0 &&
          (tool === `worker.${name}` || tool === 'delegation.worker_call'),
      );
  }
}

function approvedBy({ how, who }: Extract<LogEvent, { event: 'approval' }>): string {
  if (how === 'mode') return 'by the mode';
  const { person } = objectOf(Array.isArray(who) ? who[0] : who);
  if (how === 'grant') return typeof person === 'string' ? `by an answer of ${shown(person)}` : 'by a grant';
  return typeof person === 'string' ? `by ${shown(person)}` : 'by another person';
}

function change(call: CallNode, now: Pick<CallNode, 'state' | 'since'> & { readonly why?: string }): void {
  Object.assign(call, { why: '', ...now });
}
