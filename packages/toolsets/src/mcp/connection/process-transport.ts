import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { lineReader } from './line-reader.js';
import type { Receive } from './received.js';
import type { ServerProcess } from './server-process.js';

/** Messages as lines of our own process: the SDK's start shares our process group and environment. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #isClosed = false;

  constructor(
    private readonly process: ServerProcess,
    private readonly receive: Receive,
  ) {}

  start(): Promise<void> {
    const { child } = this.process;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    const read = lineReader(longestMessage, (line, isWhole) => {
      if (isWhole && !this.#isClosed) this.#takeLine(line);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      if (read(chunk) || this.#isClosed) return;
      this.onerror?.(new Error('a line is too long'));
      void this.close();
    });
    child.once('close', () => void this.close());
    // Its last output may still be in flight; other holders of its output are not awaited.
    child.once('exit', () => setTimeout(() => void this.close(), lastWords));
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        reject(error);
        void this.close();
      });
      const { fault } = this.process;
      if (fault !== null) reject(fault);
      else if (child.exitCode !== null || child.signalCode !== null)
        reject(new Error('the server has ended'));
      else if (child.pid !== undefined) resolve();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.process.child;
    if (this.#isClosed || !stdin.writable) return Promise.reject(new Error('the server has ended'));
    // Stops writing to a server that does not read.
    if (stdin.writableLength > mostUnreadByServer) {
      void this.close();
      return Promise.reject(new Error('the server does not read its input'));
    }
    stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const ending = this.process.end();
    this.onclose?.();
    await ending;
  }

  #takeLine(line: string): void {
    const received = this.receive(line);
    if (received === null) this.onerror?.(new Error('a line is not an MCP message'));
    else this.onmessage?.(received.message);
  }
}

/** Milliseconds. */
const lastWords = 200;
const mostUnreadByServer = 32_000_000;
const longestMessage = 8_000_000;
