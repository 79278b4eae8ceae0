import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@ambit/core';
import type { ClientQuestion } from '../serve/ask.js';

/** A question that ends a request: the client sends the request again with the answer. */
export interface Shown extends ClientQuestion {
  readonly id: string;
}

/** The current client request of a call: each try is another one. */
export interface Attempt {
  readonly signal: AbortSignal;
  readonly progress?: (params: JsonObject) => void;
}

/** The result of a call, or the question that came first. */
export type Outcome = { readonly result: JsonObject } | { readonly question: Shown };

export type Continue = (answer: JsonObject | null, attempt: Attempt) => Promise<Outcome>;

interface Question extends Shown {
  readonly answer: (given: JsonObject | null) => void;
}

interface Call {
  readonly ending: AbortController;
  readonly result: Promise<JsonObject>;
  /** The request that waits for the call; null while its client has a question to answer. */
  attempt: (Attempt & { readonly show: (question: Question) => void }) | null;
  /** Questions that the client has not got yet. */
  readonly waiting: Question[];
}

/** A question that the client has, with its call. */
interface Waiting {
  readonly call: Call;
  readonly question: Question;
  /** Ends both if no answer comes. It would keep them in memory after an answer. */
  readonly timer: NodeJS.Timeout;
}

const mostWaiting = 20;
/** The most calls that wait for the answers of a client. They hold their arguments, and clients may never come back. */
const mostShown = 50;
const tenMinutes = 600_000;

/**
 * The running calls of a client without sessions. A question ends the client's request, and its call continues. The
 * client's next try brings the answer, and waits for the result of the same call.
 */
export class KeptCalls {
  readonly #running = new Set<Call>();
  readonly #shown = new Map<string, Waiting>();

  /** `patience`: milliseconds that a client has for an answer; then its call is cancelled. */
  constructor(private readonly patience = tenMinutes) {}

  /** Starts a call for a request. Its client leaves by closing the request. */
  run(attempt: Attempt, start: (as: Attempt) => Promise<JsonObject>): Promise<Outcome> {
    const ending = new AbortController();
    const tell = attempt.progress && { progress: (params: JsonObject) => call.attempt?.progress?.(params) };
    const result = Promise.resolve().then(() => start({ signal: ending.signal, ...tell }));
    const call: Call = { ending, result, attempt: null, waiting: [] };
    this.#running.add(call);
    const end = () => {
      this.#running.delete(call);
      for (const { answer } of call.waiting.splice(0)) answer(null);
    };
    result.then(end, end);
    return this.#next(call, attempt);
  }

  /** Asks a client while one of its calls runs, the newest. Null if it is not answered. */
  ask({ method, params }: ClientQuestion, signal: AbortSignal): Promise<JsonObject | null> {
    const calls = [...this.#running].filter(({ waiting }) => waiting.length < mostWaiting).reverse();
    const call = calls.find(({ attempt }) => attempt !== null) ?? calls[0];
    if (call === undefined || signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const question: Question = { id: randomUUID(), method, params, answer: resolve };
      signal.addEventListener('abort', () => this.#withdraw(call, question), { once: true });
      if (call.attempt === null) call.waiting.push(question);
      else call.attempt.show(question);
    });
  }

  /**
   * Takes a question, once, to continue its call with the answer; null if there is no such question. A null answer
   * counts as no answer.
   */
  take(id: string): Continue | null {
    const shown = this.#remove(id);
    if (shown === null) return null;
    return (answer, attempt) => {
      shown.question.answer(answer);
      return this.#next(shown.call, attempt);
    };
  }

  end(): void {
    for (const id of this.#shown.keys()) this.#remove(id);
    for (const { ending } of this.#running) ending.abort();
  }

  #next(call: Call, { signal, ...attempt }: Attempt): Promise<Outcome> {
    const question = call.waiting.shift();
    if (question !== undefined) return Promise.resolve(this.#show(call, question));
    return new Promise((resolve, reject) => {
      const leave = () => call.ending.abort(signal.reason);
      const done = () => {
        call.attempt = null;
        signal.removeEventListener('abort', leave);
      };
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      const show = (next: Question) => {
        done();
        resolve(this.#show(call, next));
      };
      call.attempt = { signal, ...attempt, show };
      call.result.finally(done).then((result) => resolve({ result }), reject);
    });
  }

  #show(call: Call, question: Question): Outcome {
    const { id, method, params } = question;
    const [oldest] = this.#shown.keys();
    if (oldest !== undefined && this.#shown.size >= mostShown) this.#giveUp(oldest);
    const timer = setTimeout(() => this.#giveUp(id), this.patience).unref();
    this.#shown.set(id, { call, question, timer });
    return { question: { id, method, params } };
  }

  #giveUp(id: string): void {
    const shown = this.#remove(id);
    shown?.question.answer(null);
    shown?.call.ending.abort(new Error('the client did not answer a question in time'));
  }

  #remove(id: string): Waiting | null {
    const shown = this.#shown.get(id) ?? null;
    clearTimeout(shown?.timer);
    this.#shown.delete(id);
    return shown;
  }

  /** The server no longer waits for the answer. A client that was asked gets the result at its next try. */
  #withdraw(call: Call, question: Question): void {
    const at = call.waiting.indexOf(question);
    if (at !== -1) call.waiting.splice(at, 1);
    question.answer(null);
  }
}
