import { createInterface, type Interface } from 'node:readline';
import type { Host } from '../host.js';
import { write } from '../host.js';
import type { Keyboard } from './keyboard.js';

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
    const within = AbortSignal.any([signal]);
    const aborted = new Promise<null>((resolve) => {
      if (within.aborted) resolve(null);
      within.addEventListener('abort', () => resolve(null), { once: true });
    });
    const line = await Promise.race([this.#reading.next(), aborted]);
    return line === null || line.done === true ? null : line.value;
  }
}
