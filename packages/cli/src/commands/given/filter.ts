import { isUtf8 } from 'node:buffer';
import { jsonText, messageOf } from '@ambit/core';
import { lineFailure } from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import { type Host, withoutMark, write } from '../../host.js';

/** The source of lines, and the target of answers. */
export interface LineStreams {
  readonly input: () => AsyncIterable<Buffer | string>;
  readonly write: (text: string) => Promise<void>;
}

export function lineStreams({ stdin, stdout }: Host): LineStreams {
  return { input: () => stdin, write: (text) => write(stdout, text) };
}

/**
 * Answers each line of the input with a line of JSON, in order and at once. Returns whether all lines could be used.
 */
export async function filterLines(
  streams: LineStreams,
  answer: (line: string) => Promise<object>,
): Promise<{ readonly allUsable: boolean }> {
  const cutter = new LineCutter();
  const out = new Batch(streams.write);
  let allUsable = true;
  const answerAll = async (lines: Iterable<InputLine>) => {
    for (const line of lines) {
      const given = line.ok ? await answer(line.text) : lineFailure(line.code, line.message);
      if ('error' in given) allUsable = false;
      await out.add(`${jsonText(given)}\n`);
    }
    await out.flush();
  };
  for await (const chunk of chunksOf(streams)) await answerAll(cutter.push(chunk));
  await answerAll(cutter.end());
  return { allUsable };
}

export async function readInput(host: Host): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(lineStreams(host))) chunks.push(chunk);
  return withoutMark(Buffer.concat(chunks));
}

async function* chunksOf({ input }: LineStreams): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of input()) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  } catch (error) {
    const why = messageOf(error);
    throw new UnusableError(`the input cannot be read: ${why}`);
  }
}

const mostCharacters = 64 * 1024;

/** Joins the answers of one turn into one write. */
class Batch {
  #text = '';
  #isDue = false;
  #writing: Promise<void> = Promise.resolve();
  constructor(readonly write: LineStreams['write']) {}

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

  /** Waits for a slow reader. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => {
      const text = this.#text;
      this.#text = '';
      return this.write(text);
    });
    return this.#writing;
  }
}

type InputLine =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 'too_long' | 'bad_encoding'; readonly message: string };

/** Longer lines are not kept in memory. */
export const mostLineBytes = 8_000_000;

/** Cuts bytes into lines as they arrive. Accepts empty lines, both line ends and a byte order mark. */
export class LineCutter {
  #parts: Buffer[] = [];
  #length = 0;
  #isFirst = true;

  /** The lines that these bytes complete, one at a time. */
  *push(bytes: Buffer): Generator<InputLine> {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(newline, start);
      if (end === -1) break;
      this.#keep(bytes.subarray(start, end));
      yield* this.#line();
      start = end + 1;
    }
    this.#keep(bytes.subarray(start));
  }

  *end(): Generator<InputLine> {
    yield* this.#line();
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > mostLineBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  *#line(): Generator<InputLine> {
    const [length, joined] = [this.#length, Buffer.concat(this.#parts)];
    const bytes = this.#isFirst && joined.subarray(0, 3).equals(mark) ? joined.subarray(3) : joined;
    this.#parts = [];
    this.#length = 0;
    this.#isFirst = false;
    if (length > mostLineBytes) {
      const message = `the line has ${length} bytes; at most ${mostLineBytes} are allowed`;
      yield { ok: false, code: 'too_long', message };
    } else if (!isUtf8(bytes)) {
      yield { ok: false, code: 'bad_encoding', message: 'the line is not UTF-8' };
    } else {
      const text = bytes.toString('utf8');
      if (!/^[ \t\r]*$/.test(text)) yield { ok: true, text };
    }
  }
}

const newline = 10;
/** The byte order mark, in UTF-8. */
const mark = Buffer.of(0xef, 0xbb, 0xbf);
