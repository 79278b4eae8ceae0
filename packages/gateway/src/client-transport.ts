import type { Readable, Writable } from 'node:stream';
import { type JsonObject, objectOf, orNull, whyUnkept } from '@ambit/core';
import { asWritten, firstStateless, lineReader } from '@ambit/toolsets';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';

type Id = string | number | null;

/**
 * Messages of a client as lines on standard input and output. The client has one running request of an id at a time, and
 * gets an error for a line that is refused: it would wait until its time limit.
 */
export class ClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The first message in the stateless revision: what it declares holds until the end. */
  opening: JsonObject | null = null;
  /** By the id of a request: its length, and whether the end of the input waits for its answer. */
  readonly #running = new Map<unknown, { readonly length: number; readonly isAwaited: boolean }>();
  /** The characters of all of them. */
  #held = 0;
  readonly #read = lineReader(longestLine, (line, isWhole) => {
    if (isWhole) this.#takeLine(line);
    else {
      const [, first, last = first] = idAtEdge.exec(line) ?? [];
      this.#refuse(last === undefined ? null : JSON.parse(last), `a line has at most ${longestLine} bytes`);
    }
  });
  #hasEnded = false;
  #isOpened = false;
  /** The bytes that may be read before: their messages wait in memory. */
  #early = longestLine;
  #isClosed = false;

  constructor(
    private readonly stdin: Readable,
    private readonly stdout: Writable,
    /** The client does not read its answers; the transport closes. */
    private readonly onStuck: () => void,
  ) {}

  start(): Promise<void> {
    const close = () => void this.close();
    const end = () => {
      this.#hasEnded = true;
      // A gateway that cannot start says why, also to a client without a message.
      if (this.#isOpened && !this.#awaitsAnswers) close();
      else setTimeout(close, longestEnd).unref();
    };
    this.stdin.on('data', this.#take).on('error', close).once('end', end);
    this.stdin.on('close', () => this.#hasEnded || close());
    this.stdout.on('error', close);
    if (this.stdin.readableEnded || this.stdin.destroyed) setImmediate(end);
    return Promise.resolve();
  }

  /** The servers run, and take messages. */
  opened(): void {
    this.#isOpened = true;
    if (this.#hasEnded && !this.#awaitsAnswers) void this.close();
    if (!this.#isClosed) this.stdin.resume();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const isQuestion = 'method' in message && 'id' in message;
    if (this.#isClosed || (this.#hasEnded && isQuestion))
      return Promise.reject(new Error('the client has disconnected'));
    if ('id' in message && !isQuestion) this.#forget(message.id);
    this.stdout.write(`${asWritten(JSON.stringify(message))}\n`);
    if (this.stdout.writableLength > mostUnreadByClient) {
      this.onStuck();
      void this.close();
    }
    if (this.#hasEnded && !this.#awaitsAnswers) void this.close();
    return Promise.resolve();
  }

  get #awaitsAnswers(): boolean {
    return [...this.#running.values()].some(({ isAwaited }) => isAwaited);
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.stdin.off('data', this.#take).pause();
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #take = (chunk: Buffer): void => {
    this.#early -= chunk.length;
    if (this.#early < 0 && !this.#isOpened) this.stdin.pause();
    this.#read(chunk);
  };

  #takeLine(line: string): void {
    const read = orNull(() => ({ value: JSON.parse(line) as unknown }));
    if (read === null || this.#isClosed) return;
    const message = orNull(() => parseJSONRPCMessage(read.value));
    const why = whyUnkept(line);
    if (message === null || (why !== null && 'method' in message)) this.#refuseLine(read.value, why);
    else if ('method' in message) this.#takeMessage(message, line.length);
    else {
      const error = { code: -32600, message: String(why) };
      // The question would wait for another answer until its time limit.
      this.onmessage?.(why === null ? message : { jsonrpc: '2.0', id: message.id, error });
    }
  }

  #takeMessage(message: Extract<JSONRPCMessage, { method: string }>, length: number): void {
    if ('id' in message) {
      const { id, method } = message;
      const why = this.#running.has(id)
        ? 'a request with this id runs already'
        : 'too many long requests are unanswered';
      if (this.#running.has(id) || this.#held + length > mostHeld) {
        this.#refuse(id, why);
        return;
      }
      this.#running.set(id, { length, isAwaited: method !== 'subscriptions/listen' });
      this.#held += length;
    }
    if (message.method === 'notifications/cancelled') this.#forget(message.params?.requestId);
    const meta = objectOf(message.params?._meta);
    if (meta['io.modelcontextprotocol/protocolVersion'] === firstStateless)
      this.opening ??= message as JsonObject;
    this.onmessage?.(message);
  }

  #forget(id: unknown): void {
    this.#held -= this.#running.get(id)?.length ?? 0;
    this.#running.delete(id);
  }

  /** Answers each request in a line that is JSON, but no message that can be kept. */
  #refuseLine(value: unknown, why: string | null): void {
    const isBatch = Array.isArray(value);
    const ids = (isBatch ? (value as unknown[]) : [value]).map(requestId).filter((id) => id !== null);
    const said = isBatch
      ? 'batches are not served: send each request by itself'
      : (why ?? 'the line is JSON, but no message of MCP');
    // By JSON-RPC an error has no id where the message has no valid one.
    for (const id of ids.length === 0 ? [null] : ids) this.#refuse(id, said);
  }

  #refuse(id: Id, message: string): void {
    // An error under the id of a running request would be taken for its answer.
    const error = { jsonrpc: '2.0', id: this.#running.has(id) ? null : id, error: { code: -32600, message } };
    this.send(error as never).catch(() => undefined);
  }
}

/** Milliseconds after the end of the input, in which requests before it are answered. */
const longestEnd = 10_000;
/** The most bytes of answers that a client has not read. */
const mostUnreadByClient = 64_000_000;
/** The most characters of unanswered requests. */
const mostHeld = 67_108_864;
/** Bytes. */
export const longestLine = 10_000_000;
/** The id in the beginning or the end of a message, where clients write it. */
const idAtEdge = /^\s*\{"jsonrpc":"2\.0","id":(\d{1,15}|"[\w-]+"),|,"id":(\d{1,15}|"[\w-]+")\}\s*$/;

function requestId(value: unknown): Id {
  const { method, id } = Object(value) as { readonly method?: unknown; readonly id?: unknown };
  if (typeof method !== 'string') return null;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}
