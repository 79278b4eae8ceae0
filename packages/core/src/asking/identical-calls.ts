import type { CallDecision, Judgement } from '../decide/judgement.js';
import { isNonEmpty, type NonEmpty } from '../words/decision.js';
import { equalJson, type Json } from '../words/json.js';
import type { Question } from './question.js';
import { isSameCall, type SameCall } from './refused-calls.js';

/** A call that needs an answer. */
export interface WaitingCall {
  readonly id: string;
  /** Its place among the calls of the run. */
  readonly place: number;
  readonly signal: AbortSignal;
  readonly same: SameCall;
  readonly decision: CallDecision;
  readonly questions: readonly Judgement[];
  /** Its history (edited, changed, asked before): calls with different histories are not equal. */
  readonly story: Json;
}

/**
 * Equal calls of a run that wait at the same time share one question, with their number. A call that arrives
 * after the question was asked gets its own, when the answer is known.
 */
export class IdenticalCalls {
  readonly #groups: Group[] = [];
  readonly #arrivals = new Arrivals();
  #arrivedCalls = 0;
  #arrived: Promise<unknown> = Promise.resolve();

  /** The place of a new call, however long it takes to be described. */
  newPlace(): number {
    this.#arrivedCalls += 1;
    return this.#arrivedCalls;
  }

  /** A call is on its way to its judgement until what is given is called. */
  arrive(): () => void {
    return this.#arrivals.enter();
  }

  /** Calls on their way are waited for, so that the calls of one turn meet. */
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
      earlier: (place) => this.#groups.filter((one) => one.place < place),
    });
    this.#groups.push(group);
    void group.closed.then(() => this.#groups.splice(this.#groups.indexOf(group), 1));
    return group;
  }
}

/** Equal calls that share their questions. */
export class Group {
  /** The waiting calls by id, without cancelled ones. */
  readonly #waiting = new Set<string>();
  /** The calls that still use the answers. */
  readonly #inside = new Set<string>();
  /** The calls whose answer is being recorded, with the question. */
  readonly #answering = new Map<string, number>();
  readonly #asked = new Map<number, Promise<unknown>>();
  readonly #gone = new AbortController();
  readonly #closing: { close: () => void };
  readonly #placing: { place: () => void };
  #place = Number.POSITIVE_INFINITY;
  #isShown = false;
  #isClosed = false;
  #shown: Question | null = null;

  /** Resolves when all of its calls are done. */
  readonly closed: Promise<void>;

  /**
   * Resolves when its question is in the order of questions: shown, given up, or after one about the same
   * call.
   */
  readonly placed: Promise<void>;

  constructor(
    readonly first: WaitingCall,
    readonly after: {
      readonly arrived: Promise<unknown>;
      readonly before: Group | null;
      /** The open groups before a place. */
      readonly earlier: (place: number) => readonly Group[];
    },
  ) {
    const placing = { place: (): void => undefined };
    this.placed = new Promise((resolve) => {
      placing.place = resolve;
    });
    this.#placing = placing;
    const closing = { close: (): void => undefined };
    this.closed = new Promise((resolve) => {
      closing.close = resolve;
    });
    this.#closing = closing;
  }

  /** Whether this call belongs to the group, and the question is not open yet. */
  takes(call: WaitingCall): boolean {
    const { first } = this;
    const of = ({ decision, questions, story, same: { chain, tool, args } }: WaitingCall) => {
      const { capabilities, reason, instead } = decision;
      return { chain, tool, args, capabilities, questions, reason, instead, story } as unknown as Json;
    };
    return !this.#isShown && !this.#gone.signal.aborted && equalJson(of(first), of(call));
  }

  enter({ id, signal, place }: WaitingCall): void {
    this.#place = Math.min(this.#place, place);
    this.#waiting.add(id);
    this.#inside.add(id);
    void aborted(signal).then(() => {
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#gone.abort(signal.reason);
    });
  }

  /** The call no longer needs the answers. */
  leave({ id }: WaitingCall): void {
    this.#waiting.delete(id);
    this.#inside.delete(id);
    if (this.#inside.size > 0) return;
    this.#isShown = true;
    this.#isClosed = true;
    this.#gone.abort();
    this.#placing.place();
    this.#closing.close();
  }

  /** Aborts when none of its calls waits. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** The shown question, if any. */
  get shown(): Question | null {
    return this.#shown;
  }

  /** The place of its earliest call. */
  get place(): number {
    return this.#place;
  }

  /** Resolves when the questions about earlier calls are in order. Only earlier ones are waited for: no circle. */
  async inOrder(): Promise<void> {
    await Promise.all(this.after.earlier(this.#place).map((group) => group.placed));
  }

  /** Closes the group: the question is for the calls that wait now. */
  show(question: (calls: NonEmpty<string>) => Question): Question {
    this.#isShown = true;
    const calls = [...this.#waiting];
    this.#shown = question(isNonEmpty(calls) ? calls : [this.first.id]);
    this.#placing.place();
    return this.#shown;
  }

  /** The calls that an answer covers: those that were shown and still wait. */
  answer(number: number): readonly string[] {
    const calls = [...this.#waiting];
    for (const call of calls) this.#answering.set(call, number);
    return calls;
  }

  /** Asks the first call's question for all of them; null if the call is cancelled before the end. */
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

  /**
   * Resolves when it is this group's turn, or the call is cancelled. `wait` gets the promise of other
   * answers.
   */
  async turn({ signal }: WaitingCall, wait: <T>(waiting: Promise<T>) => Promise<T>): Promise<void> {
    const { arrived, before } = this.after;
    await Promise.race([arrived, aborted(signal)]);
    if (before === null || before.#isClosed) return;
    this.#placing.place();
    await wait(Promise.race([before.closed, aborted(signal)]));
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  // A signal of its own: a run's would gather listeners.
  const within = AbortSignal.any([signal]);
  return new Promise((resolve) => {
    if (within.aborted) resolve(null);
    within.addEventListener('abort', () => resolve(null), { once: true });
  });
}

/** The calls of a run that are on their way to their judgement. */
class Arrivals {
  readonly #open = new Set<Promise<void>>();

  /** A call counts as arriving until the returned function is called. */
  enter(): () => void {
    let pass: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => {
      pass = resolve;
    });
    this.#open.add(passed);
    return () => {
      this.#open.delete(passed);
      pass();
    };
  }

  /** Resolves when those that are on their way now have passed; later ones are not waited for. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }
}
