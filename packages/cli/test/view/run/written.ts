import type { Readable } from 'node:stream';

/** All that was written to it since the last time. From Node 26 on, `read` gives one chunk. */
export function writtenTo(stream: Readable): string {
  const chunks: string[] = [];
  const next = () => stream.read() as Buffer | null;
  for (let chunk = next(); chunk !== null; chunk = next()) chunks.push(chunk.toString());
  return chunks.join('');
}
