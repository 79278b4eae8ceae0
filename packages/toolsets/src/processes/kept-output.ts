/** Head and tail of an output. */
export interface Kept {
  readonly text: string;
  /** Bytes between the two. */
  readonly left_out: number;
}

/** Takes an output of any length, and holds only this many bytes and one chunk. */
export class KeptOutput {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #total = 0;

  constructor(mostBytes: number) {
    this.#half = Math.max(1, Math.floor(mostBytes / 2));
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const forHead = chunk.subarray(0, this.#half - this.#headBytes);
    if (forHead.length > 0) {
      this.#head.push(forHead);
      this.#headBytes += forHead.length;
    }
    const forTail = chunk.subarray(forHead.length);
    if (forTail.length === 0) return;
    this.#tail.push(forTail);
    this.#tailBytes += forTail.length;
    this.#letGo();
  }

  /** Invalid UTF-8 becomes U+FFFD. */
  kept(): Kept {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    const spare = Math.max(0, tail.length - this.#half);
    if (spare === 0 && head.length + tail.length === this.#total)
      return { text: decoded(Buffer.concat([head, tail])), left_out: 0 };
    const [first, last] = [wholeStart(head), wholeEnd(tail.subarray(spare))];
    const left_out = this.#total - first.length - last.length;
    return {
      text: `${decoded(first)}\n[… ${left_out} bytes are left out here …]\n${decoded(last)}`,
      left_out,
    };
  }

  #letGo(): void {
    for (
      let first = this.#tail[0];
      first !== undefined && this.#tailBytes - first.length >= this.#half;
      first = this.#tail[0]
    ) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }
}

function decoded(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Drops a cut character at the end. */
function wholeStart(bytes: Buffer): Buffer {
  const start = bytes.findLastIndex((byte) => !isContinuation(byte));
  if (start === -1 || bytes.length - start >= 4) return bytes;
  return bytes.length - start < lengthOf(bytes[start] ?? 0) ? bytes.subarray(0, start) : bytes;
}

/** Drops a cut character at the beginning. */
function wholeEnd(bytes: Buffer): Buffer {
  const found = bytes.findIndex((byte) => !isContinuation(byte));
  const start = found === -1 ? bytes.length : found;
  return start < 4 ? bytes.subarray(start) : bytes;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function lengthOf(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}
