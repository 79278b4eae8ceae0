import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client';
import type { ServerProcess } from './server-process.js';

/** The SDK's framing over our own process: its own start shares our process group and environment. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #process: ServerProcess;
  readonly #buffer: ReadBuffer;
  #isClosed = false;

  constructor(process: ServerProcess, buffer: ReadBuffer) {
    this.#process = process;
    this.#buffer = buffer;
  }

  start(): Promise<void> {
    const { child } = this.#process;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.once('close', () => void this.close());
    // Its last output may still be in flight; other holders of its output are not awaited.
    child.once('exit', () => setTimeout(() => void this.close(), lastWords));
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        reject(error);
        void this.close();
      });
      const { fault } = this.#process;
      if (fault !== null) reject(fault);
      else if (child.exitCode !== null || child.signalCode !== null)
        reject(new Error('the server has ended'));
      else if (child.pid !== undefined) resolve();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#process.child;
    if (this.#isClosed || !stdin.writable) return Promise.reject(new Error('the server has ended'));
    // Stops writing to a server that does not read.
    if (stdin.writableLength > mostUnread) {
      void this.close();
      return Promise.reject(new Error('the server does not read what it is sent'));
    }
    stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const ending = this.#process.end();
    this.onclose?.();
    await ending;
  }

  #take(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.onerror?.(asError(error));
      void this.close();
      return;
    }
    // The SDK skips lines that are not JSON.
    let skipped = linesIn(chunk);
    for (;;) {
      if (this.#isClosed) return;
      try {
        const message = this.#buffer.readMessage();
        if (message === null) break;
        skipped -= 1;
        this.onmessage?.(message);
      } catch (error) {
        // This line is not a message; the next one may be.
        skipped -= 1;
        this.onerror?.(asError(error));
      }
    }
    for (; skipped > 0 && !this.#isClosed; skipped -= 1) this.onerror?.(new Error('a line is not JSON'));
  }
}

/** Milliseconds. */
const lastWords = 200;
const mostUnread = 32_000_000;

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}
