import type { CallDecision, Judgement } from '../decide/decide.js';
import { isNonEmpty, type NonEmpty } from '../words/decision.js';
import { equalJson, type Json } from '../words/json.js';
import type { Arrivals } from './arrivals.js';
import type { Question } from './question.js';
import { isSameCall, type SameCall } from './refused-calls.js';

/** A call that somebody is to be asked about. */
export interface WaitingCall {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly same: SameCall;
  readonly decision: CallDecision;
  readonly questions: readonly Judgement[];
  /** What has come of it so far (edited, changed, asked about before): where that differs, the calls are not equal. */
  readonly story: Json;
}

/**
 * Calls of a run that wait at the same time and are equal are asked about once, with their number. Who comes after the question
 * was put is asked about anew, when the answer is known.
 */
export class EqualCalls {
  readonly #groups: Group[] = [];
  #arrived: Promise<unknown> = Promise.resolve();

  /** `arrivals` are waited for, so that the calls of one turn meet. */
  join(call: WaitingCall, arrivals: Arrivals): Group {
    const open = this.#groups.find((group) => group.takes(call));
    const group = open ?? this.#add(call, arrivals);
    group.enter(call);
    return group;
  }

  #add(call: WaitingCall, arrivals: Arrivals): Group {
    const before = this.#groups.findLast((group) => isSameCall(group.first.same, call.same));
    // One after the other, so that questions come in the order of the calls.
    this.#arrived = Promise.all([this.#arrived, arrivals.settled()]).then(() => undefined);
    const last = this.#groups.at(-1)?.placed ?? null;
    const group = new Group(call, { arrived: this.#arrived, before: before ?? null, last });
    this.#groups.push(group);
    void group.closed.then(() => this.#groups.splice(this.#groups.indexOf(group), 1));
    return group;
  }
}

/** Equal calls that share their questions. */
export class Group {
  /** Those that wait, by id: who is cancelled waits no more. */
  readonly #waiting = new Set<string>();
  /** Those that are not done with the answers yet. */
  readonly #inside = new Set<string>();
  /** Those for which an answer is being recorded, and to which question. */
  readonly #answering = new Map<string, number>();
  readonly #asked = new Map<number, Promise<unknown>>();
  readonly #gone = new AbortController();
  readonly #closing: { close: () => void };
  readonly #placing: { place: () => void };
  #isShown = false;
  #isClosed = false;
  #shown: Question | null = null;

  /** Resolves when all of its calls are done. */
  readonly closed: Promise<void>;

  /** Resolves when its question has its place among those of others: shown, given up, or behind one about the same call. */
  readonly placed: Promise<void>;

  constructor(
    readonly first: WaitingCall,
    readonly after: {
      readonly arrived: Promise<unknown>;
      readonly before: Group | null;
      /** Resolves when the question that came last has its place; null where none is open. */
      readonly last: Promise<void> | null;
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

  /** Whether this call is one of them, and nobody has been asked yet. */
  takes(call: WaitingCall): boolean {
    const { first } = this;
    const of = ({ decision, questions, story, same: { chain, tool, args } }: WaitingCall) => {
      const { capabilities, reason, instead } = decision;
      return { chain, tool, args, capabilities, questions, reason, instead, story } as unknown as Json;
    };
    return !this.#isShown && !this.#gone.signal.aborted && equalJson(of(first), of(call));
  }

  enter({ id, signal }: WaitingCall): void {
    this.#waiting.add(id);
    this.#inside.add(id);
    void aborted(signal).then(() => {
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#gone.abort(signal.reason);
    });
  }

  /** The call has what it needs of the answers. */
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

  /** Aborts when none of its calls waits any more. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** What is shown, once something is. */
  get shown(): Question | null {
    return this.#shown;
  }

  /** From now on nobody else is taken: what is shown is shown for those that wait now. */
  show(question: (calls: NonEmpty<string>) => Question): Question {
    this.#isShown = true;
    const calls = [...this.#waiting];
    this.#shown = question(isNonEmpty(calls) ? calls : [this.first.id]);
    this.#placing.place();
    return this.#shown;
  }

  /** Those that an answer is for: who waits still, of those that it was shown for. */
  answer(number: number): readonly string[] {
    const calls = [...this.#waiting];
    for (const call of calls) this.#answering.set(call, number);
    return calls;
  }

  /** Asks for all of them what the first of them asks; null where the call is cancelled before that has come to an end. */
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

  /** Resolves when it is this group's turn, or the call is cancelled; `wait` is given the waiting for other people's answers. */
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
