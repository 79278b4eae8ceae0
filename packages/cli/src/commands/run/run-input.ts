import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';

/** Bytes: a model reads no more than that in any case. */
const mostInput = 8_000_000;

/** What a worker is to begin with: as it was given; `-` is what comes on stdin, in UTF-8. */
export async function inputOf({ stdin }: Host, input: string | undefined): Promise<string | undefined> {
  if (input !== '-') return input;
  if (stdin.isTTY === true)
    throw new UnusableError('the input `-` is what comes on stdin, and that is a terminal', 'pipe it in');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const read = Buffer.from(chunk as Uint8Array);
    bytes += read.length;
    if (bytes > mostInput) throw new UnusableError(`the input on stdin is longer than ${mostInput} bytes`);
    chunks.push(read);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UnusableError('the input on stdin is not UTF-8');
  }
}
