import type { Readable } from 'node:stream';

/** All that was written to it since the last time. From Node 26 on, `read` gives one chunk. */
export function writtenTo(stream: Readable): string {
  const chunks: string[] = [];
  for (let chunk: unknown = stream.read(); chunk !== null; chunk = stream.read()) chunks.push(String(chunk));
  return chunks.join('');
}
