import { isUtf8 } from 'node:buffer';

/** A line of input, without its end, or why it is invalid. */
export type InputLine =
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

  /** The last line, without a line end. */
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
      const message = `the line has ${length} bytes, ${mostLineBytes} are allowed`;
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
