import { readSync, writeSync } from 'node:fs';
import type { LineStreams } from './commands/given/filter.js';
import type { Exit } from './failure.js';
import { type Host, write } from './host.js';
import { endWith } from './process-host.js';

/**
 * Input and output as files are read and written, for a program that does nothing else meanwhile: Node's streams take as long as
 * a decision. What files cannot do, as waiting for a slow reader, is left to the streams of `host`.
 */
export function plainStreams(host: Pick<Host, 'stdin' | 'stdout'>): LineStreams {
  return { input: () => chunksOf(host), write: (text) => writeAll(text, host) };
}

/** Whether the streams were used, so that output may be pending. */
let usesStreams = false;

/** Ends the process after everything is written. */
export function endPlainly(exit: Exit): void {
  if (usesStreams) endWith(exit);
  else process.exit(exit);
}

async function* chunksOf(host: Pick<Host, 'stdin'>): AsyncGenerator<Buffer | string> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    let length = 0;
    try {
      length = readSync(0, chunk, 0, chunk.length, null);
    } catch {
      yield* host.stdin as AsyncIterable<Buffer | string>;
      return;
    }
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}

async function writeAll(text: string, host: Pick<Host, 'stdout'>): Promise<void> {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (!usesStreams && written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    usesStreams = true;
  }
  if (written < bytes.length) await write(host.stdout, bytes.subarray(written));
}
