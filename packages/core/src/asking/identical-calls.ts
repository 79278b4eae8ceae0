import type { CallDecision, Judgement } from '../decide/judgement.js';
import { isNonEmpty, type NonEmpty } from '../words/decision.js';
import { aborted, deferred } from '../words/deferred.js';
import { equalJson, type Json } from '../words/json.js';
import type { Question } from './question.js';
import { isSameCall, type SameCall } from './refused-calls.js';

export interface WaitingCall {
  readonly id: string;
  /** In the order in which the calls of the run arrived. */
  readonly number: number;
  readonly signal: AbortSignal;
  readonly same: SameCall;
  readonly decision: CallDecision;
  readonly questions: readonly Judgement[];
  /** Calls with different histories (edited, changed, asked) are not equal. */
  readonly story: Json;
}

/** Identical calls that wait at the same time share one question. A later call gets its own. */
export class IdenticalCalls {
  readonly #groups: Group[] = [];
  readonly #arrivals = new Arrivals();
  #arrivedCalls = 0;
  #arrived: Promise<unknown> = Promise.resolve();

  nextNumber(): number {
    this.#arrivedCalls += 1;
    return this.#arrivedCalls;
  }

  /** Announces a call until the returned function is called. */
  arrive(): () => void {
    return this.#arrivals.enter();
  }

  /** Waits for announced calls, so that the identical calls of one turn share a question. */
  join(call: WaitingCall): Group {
    const open = this.#groups.find((group) => group.takes(call));
    const group = open ?? this.#add(call);
    group.enter(call);
    return group;
  }

  #add(call: WaitingCall): Group {
    const before = this.#groups.findLast((group) => isSameCall(group.first.same, call.same));
    this.#arrived = Promise.all([this.#arrived, this.#arrivals.settled()]).then(() => undefined);
    const group = new Group(call, {
      arrived: this.#arrived,
      before: before ?? null,
      earlier: (number) => this.#groups.filter((one) => one.number < number),
    });
    this.#groups.push(group);
    void group.closed.then(() => this.#groups.splice(this.#groups.indexOf(group), 1));
    return group;
  }
}

/** Identical calls that share their questions. */
export class Group {
  /** Without cancelled ones. */
  readonly #waiting = new Set<string>();
  /** The calls that still use the answers. */
  readonly #inside = new Set<string>();
  /** By the number of the question. */
  readonly #answering = new Map<string, number>();
  readonly #asked = new Map<number, Promise<unknown>>();
  readonly #gone = new AbortController();
  /** Aborts when none of its calls waits. */
  readonly signal: AbortSignal = this.#gone.signal;
  readonly #closing = deferred();
  readonly #placing = deferred();
  #number = Number.POSITIVE_INFINITY;
  #isShown = false;
  #isClosed = false;
  #shown: Question | null = null;

  /** Resolves when all of its calls are done. */
  readonly closed = this.#closing.promise;

  /** Resolves when its question is shown, given up, or follows one about the same call. */
  readonly placed = this.#placing.promise;

  constructor(
    readonly first: WaitingCall,
    readonly after: {
      readonly arrived: Promise<unknown>;
      readonly before: Group | null;
      /** The open groups with a call of a lower number. */
      readonly earlier: (number: number) => readonly Group[];
    },
  ) {}

  /** The question must not be open yet. */
  takes(call: WaitingCall): boolean {
    const { first } = this;
    const of = ({ decision, questions, story, same: { chain, tool, args } }: WaitingCall) => {
      const { capabilities, reason, instead } = decision;
      return { chain, tool, args, capabilities, questions, reason, instead, story } as unknown as Json;
    };
    return !this.#isShown && !this.#gone.signal.aborted && equalJson(of(first), of(call));
  }

  enter({ id, signal, number }: WaitingCall): void {
    this.#number = Math.min(this.#number, number);
    this.#waiting.add(id);
    this.#inside.add(id);
    void aborted(signal).then(() => {
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#gone.abort(signal.reason);
    });
  }

  leave({ id }: WaitingCall): void {
    this.#waiting.delete(id);
    this.#inside.delete(id);
    if (this.#inside.size > 0) return;
    this.#isShown = true;
    this.#isClosed = true;
    this.#gone.abort();
    this.#placing.resolve();
    this.#closing.resolve();
  }

  get shown(): Question | null {
    return this.#shown;
  }

  /** The lowest number of its calls. */
  get number(): number {
    return this.#number;
  }

  /** Resolves after the questions of earlier calls, so there is no circle. */
  async inOrder(): Promise<void> {
    await Promise.all(this.after.earlier(this.#number).map((group) => group.placed));
  }

  /** Closes the group with the calls that wait now. */
  show(question: (calls: NonEmpty<string>) => Question): Question {
    this.#isShown = true;
    const calls = [...this.#waiting];
    this.#shown = question(isNonEmpty(calls) ? calls : [this.first.id]);
    this.#placing.resolve();
    return this.#shown;
  }

  /** Those that were shown and still wait. */
  answer(number: number): readonly string[] {
    const calls = [...this.#waiting];
    for (const call of calls) this.#answering.set(call, number);
    return calls;
  }

  /** Asks once for all calls; null if the call is cancelled. */
  async once<T>(number: number, { id, signal }: WaitingCall, ask: () => Promise<T>): Promise<T | null> {
    const known = this.#asked.get(number) as Promise<T> | undefined;
    const asking = known ?? ask();
    if (known === undefined) {
      this.#asked.set(number, asking);
      asking.catch(() => undefined);
    }
    const first = await Promise.race([asking, aborted(signal)]);
    return first === null && this.#answering.get(id) === number ? asking : first;
  }

  /** Resolves at this group's turn, or when the call is cancelled. */
  async turn({ signal }: WaitingCall, wait: <T>(waiting: Promise<T>) => Promise<T>): Promise<void> {
    const { arrived, before } = this.after;
    await Promise.race([arrived, aborted(signal)]);
    if (before === null || before.#isClosed) return;
    this.#placing.resolve();
    await wait(Promise.race([before.closed, aborted(signal)]));
  }
}

class Arrivals {
  /** For each open one, what to call at its end. */
  readonly #open = new Set<(() => void)[]>();

  /** Ended by the returned function. */
  enter(): () => void {
    const waiting: (() => void)[] = [];
    this.#open.add(waiting);
    return () => {
      this.#open.delete(waiting);
      for (const end of waiting) end();
    };
  }

  /** Resolves when the current arrivals have passed. */
  async settled(): Promise<void> {
    await Promise.all([...this.#open].map((waiting) => new Promise<void>((end) => waiting.push(end))));
  }
}
