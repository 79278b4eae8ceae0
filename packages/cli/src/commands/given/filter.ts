import type { Writable } from 'node:stream';
import { jsonText } from '@ambit/core';
import { lineFailure } from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { type InputLine, LineCutter } from './lines.js';

/**
 * Answers each line of the input with one line of JSON, in order and at once. Answers whose input came together go out
 * together; none waits for input that is yet to come. Says whether every line could be used.
 */
export async function filterLines(
  host: Host,
  answer: (line: string) => Promise<object>,
): Promise<{ readonly allUsable: boolean }> {
  const cutter = new LineCutter();
  const out = new Batch(host.stdout);
  let allUsable = true;
  const answerAll = async (lines: Iterable<InputLine>) => {
    for (const line of lines) {
      const given = line.ok ? await answer(line.text) : lineFailure(line.code, line.message);
      if ('error' in given) allUsable = false;
      await out.add(`${jsonText(given)}\n`);
    }
    await out.flush();
  };
  for await (const chunk of inputOf(host)) await answerAll(cutter.push(chunk));
  await answerAll(cutter.end());
  return { allUsable };
}

/** The whole input, as text. */
export async function readInput(host: Host): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of inputOf(host)) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

async function* inputOf({ stdin }: Host): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stdin as AsyncIterable<Buffer | string>)
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnusableError(`the input cannot be read: ${why}`);
  }
}

const mostCharacters = 64 * 1024;

/** Answers that wait to be written: for no more than the turn that they were made in, and never many of them. */
class Batch {
  #text = '';
  #isDue = false;
  #writing: Promise<void> = Promise.resolve();
  constructor(readonly stream: Writable) {}

  async add(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= mostCharacters) await this.flush();
    // While the next line waits (for a slow disk, say), this writes the finished ones.
    else if (!this.#isDue) {
      this.#isDue = true;
      setImmediate(() => {
        void this.flush().then(() => {
          this.#isDue = false;
        });
      });
    }
  }

  /** One write after another: a slow reader is awaited before the next write. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => {
      const text = this.#text;
      this.#text = '';
      return write(this.stream, text);
    });
    return this.#writing;
  }
}
