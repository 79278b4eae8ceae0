import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { aborted, printable } from '@ambit/core';
import { type Host, write } from '../host.js';

export interface KeyInput extends Readable {
  setRawMode?(raw: boolean): unknown;
}

/** Milliseconds without a key before an answer. */
const quiet = 300;

const paste = { on: '\u001b[?2004h', off: '\u001b[?2004l', begin: '\u001b[200~', end: '\u001b[201~' };

/**
 * The keyboard of a run. It is always read, so text typed without a question answers nothing. Ctrl-C calls
 * `interrupt`.
 */
export class Keyboard {
  #listener: ((key: string) => void) | null = null;
  #isPasting = false;
  #tail = '';
  #typed = 0;
  #isLent = false;
  #isClosed = false;
  #gone: Error | null = null;
  readonly #end = new AbortController();

  constructor(
    readonly input: KeyInput,
    readonly output: Writable,
    readonly interrupt: () => void,
  ) {
    input.on('data', this.#onData).on('end', this.#onGone).on('error', this.#onGone);
    process.on('exit', this.#restore);
    this.#take();
  }

  /** One of `keys`, or an older one in `also`. Several keys at once do not count. */
  async key(
    prompt: string,
    of: { readonly keys: readonly string[]; readonly also?: readonly string[]; readonly signal: AbortSignal },
  ): Promise<string> {
    const { keys, also = [], signal } = of;
    await this.#silence(signal);
    this.output.write(prompt);
    const within = AbortSignal.any([signal, this.#end.signal]);
    within.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#listener = null;
        reject(within.reason as Error);
      };
      within.addEventListener('abort', onAbort, { once: true });
      this.#listener = (key) => {
        if (!keys.includes(key) && !also.includes(key)) {
          this.output.write(`${keyName(key)} is not a key here; the keys are ${keys.join(' ')}\n> `);
          return;
        }
        within.removeEventListener('abort', onAbort);
        this.#listener = null;
        this.output.write(`${key}\n`);
        resolve(key);
      };
    });
  }

  /** Null for ctrl-D. */
  line(prompt: string, { text, signal }: { readonly text: string; readonly signal: AbortSignal }) {
    return this.lend(
      () =>
        new Promise<string | null>((resolve, reject) => {
          signal.throwIfAborted();
          const { input, output } = this;
          const lines = createInterface({ input, output, terminal: true, historySize: 0, prompt });
          const onKey = (_: unknown, { ctrl, name }: { ctrl?: boolean; name?: string }) => {
            if (ctrl === true && name === 'd') lines.close();
          };
          const onAbort = () => {
            reject(signal.reason as Error);
            lines.close();
          };
          input.on('keypress', onKey);
          signal.addEventListener('abort', onAbort, { once: true });
          lines.on('SIGINT', this.interrupt);
          lines.once('line', (line) => {
            resolve(line);
            lines.close();
          });
          lines.once('close', () => {
            input.off('keypress', onKey);
            signal.removeEventListener('abort', onAbort);
            resolve(null);
          });
          lines.prompt();
          lines.write(text);
        }),
    );
  }

  /** Gives the terminal to something else, an editor, as it was before the run. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#isLent = true;
    this.input.off('data', this.#onData);
    this.#release();
    try {
      return await work();
    } finally {
      this.#isLent = false;
      this.input.on('data', this.#onData);
      this.#take();
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#restore();
    process.off('exit', this.#restore);
    this.input.off('data', this.#onData).off('end', this.#onGone).off('error', this.#onGone);
    this.input.pause();
    this.#onGone();
  }

  async #silence(signal: AbortSignal): Promise<void> {
    const within = AbortSignal.any([signal, this.#end.signal]);
    for (let typed = -1; typed !== this.#typed; ) {
      typed = this.#typed;
      await wait(quiet, undefined, { signal: within });
      // A delayed process sees its timer before typed input: read the input first.
      await inputTurn();
      await inputTurn();
    }
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const text = chunk.toString();
    this.#typed += 1;
    if (text.includes('\u0003')) this.interrupt();
    const isWithin = this.#isPasting || text.includes(paste.begin);
    if (isWithin) {
      // The mark at the end may come in two pieces.
      const seen = this.#tail + text;
      this.#isPasting = seen.lastIndexOf(paste.end) < Math.max(0, seen.lastIndexOf(paste.begin));
      this.#tail = this.#isPasting ? seen.slice(-(paste.end.length - 1)) : '';
    }
    // One key is one chunk of one character; an arrow key or a paste is a longer one.
    if (!isWithin && text.length === 1) this.#listener?.(text);
    else if (!isWithin && this.#listener !== null && !text.startsWith('\u001b'))
      this.output.write('several keys at once do not count: press one\n> ');
  };

  readonly #onGone = (): void => {
    this.#gone ??= new Error('the terminal is gone');
    this.#end.abort(this.#gone);
  };

  #take(): void {
    this.input.setRawMode?.(true);
    this.output.write(paste.on);
    this.input.resume();
  }

  #release(): void {
    this.output.write(paste.off);
    this.input.setRawMode?.(false);
    this.input.pause();
  }

  readonly #restore = (): void => {
    if (!this.#isLent) this.#release();
  };
}

function keyName(key: string): string {
  if (key === '\r' || key === '\n') return 'Enter';
  const code = key.charCodeAt(0);
  return code <= 26 ? `ctrl-${String.fromCharCode(code + 64)}` : `"${printable(key)}"`;
}

function inputTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const prompt = '> ';

/** The user's lines in a conversation, from the keyboard or stdin. Blank lines are skipped. */
export class UserTurns {
  #lines: Interface | null = null;
  #reading: AsyncIterator<string> | null = null;

  constructor(readonly host: Host) {}

  /** The next line; null at the end of the input, or after ctrl-D. */
  async next(keyboard: Keyboard | null, signal: AbortSignal): Promise<string | null> {
    for (;;) {
      const line = await (keyboard === null
        ? this.#fromStdin(signal)
        : keyboard.line(prompt, { text: '', signal }));
      if (line === null || line.trim() !== '') return line;
    }
  }

  release(): void {
    this.#lines?.close();
    this.#lines = null;
    this.#reading = null;
  }

  async #fromStdin(signal: AbortSignal): Promise<string | null> {
    const { stdin, stderr } = this.host;
    if (stdin.isTTY === true) await write(stderr, prompt);
    this.#lines ??= createInterface({ input: stdin, terminal: false });
    this.#reading ??= this.#lines[Symbol.asyncIterator]();
    const line = await Promise.race([this.#reading.next(), aborted(signal)]);
    return line === null || line.done === true ? null : line.value;
  }
}
