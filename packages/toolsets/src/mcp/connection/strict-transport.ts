import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { declaresTasks, withTask } from './tasks-extension.js';

/** The most messages and faults between two awaited answers. */
const mostStray = 5_000;
/** Progress of an open request counts as this part of a message: a long call may report much. */
const ofProgress = 1 / 256;

/** Passes one answer to each open question, by its exact id. Closes if the server floods it. */
export class StrictTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  /** Why it was closed from here; null if it was not. */
  fault: string | null = null;
  readonly #inner: Transport;
  readonly #waiting = new Set<string | number>();
  /** Requests whose results may be tasks of the extension. */
  readonly #takingTasks = new Set<string | number>();
  #strays = 0;
  /** One message each turn: the SDK takes notifications a turn later than answers. */
  #turn: Promise<void> = Promise.resolve();

  constructor(inner: Transport, isProcess: boolean) {
    this.#inner = inner;
    // The SDK recognises process streams by these: a silent process counts as an older server.
    if (isProcess) Object.assign(this, { stderr: null, pid: null });
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion = (version: string): void => this.#inner.setProtocolVersion?.(version);

  async start(): Promise<void> {
    this.#inner.onclose = () => this.#next(() => this.onclose?.());
    this.#inner.onerror = (error) => {
      this.#stray();
      this.onerror?.(error);
    };
    this.#inner.onmessage = (message, extra) => this.#take(message, extra);
    await this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && 'id' in message) {
      const { id } = message;
      this.#waiting.add(id);
      if (declaresTasks(message.params)) this.#takingTasks.add(id);
      options?.requestSignal?.addEventListener('abort', () => this.#waiting.delete(id), { once: true });
    }
    // A late answer.
    if ('method' in message && message.method === 'notifications/cancelled') this.#forget(message.params);
    return this.#inner.send(message, { onRequestStreamEnd: () => this.#lose(message), ...options });
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #forget(params: { readonly [key: string]: unknown } | undefined): void {
    const id = params?.requestId;
    if (typeof id !== 'number' && typeof id !== 'string') return;
    this.#waiting.delete(id);
    this.#takingTasks.delete(id);
  }

  /** No answer comes after the end of its stream. The SDK would wait until the time limit. */
  #lose(message: JSONRPCMessage): void {
    if (!('id' in message && 'method' in message) || !this.#waiting.has(message.id)) return;
    const error = { code: -32_000, message: 'the connection ended before the response' };
    this.#take({ jsonrpc: '2.0', id: message.id, error }, undefined);
  }

  #take(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (this.fault !== null) return;
    const isAnswer = !('method' in message) && message.id !== undefined && this.#waiting.delete(message.id);
    if (isAnswer) this.#strays = 0;
    else this.#stray(this.#isProgress(message) ? ofProgress : 1);
    const mayBeTask = isAnswer && message.id !== undefined && this.#takingTasks.delete(message.id);
    const taken = mayBeTask ? withTask(message) : message;
    if (isAnswer || 'method' in message)
      this.#next(() => {
        if (this.fault === null) this.onmessage?.(taken, extra);
      });
  }

  #next(take: () => void): void {
    this.#turn = this.#turn.then(take).catch((error: Error) => this.onerror?.(error));
  }

  /** Whether it is progress of an open request. The SDK's token of a request is its id. */
  #isProgress(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/progress') return false;
    return this.#waiting.has(message.params?.progressToken as string | number);
  }

  #stray(weight = 1): void {
    this.#strays += weight;
    if (this.#strays <= mostStray || this.fault !== null) return;
    this.fault = 'it sends too many messages that were not requested';
    void this.close();
  }
}
