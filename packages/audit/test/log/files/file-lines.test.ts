import { writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileChunk, fileChunks } from '../../../src/log/files/file-lines.js';
import { folder } from '../../events.js';

/** What chunks are: they hold until the next one is asked for. */
async function chunksOf(
  handle: FileHandle,
  size: number,
): Promise<readonly (FileChunk & { text: string })[]> {
  const chunks: (FileChunk & { text: string })[] = [];
  for await (const chunk of fileChunks(handle, 0, size)) {
    await handle.stat();
    chunks.push({ ...chunk, text: chunk.bytes.toString() });
  }
  return chunks;
}

describe('fileChunks', () => {
  it('returns every byte once, whole lines first, each chunk with its place', async () => {
    const file = join(folder(), 'lines');
    const line = fc.nat(40).map((length) => 'abcdefghijklmnopqrstuvwxyz'.repeat(2).slice(0, length));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.constantFrom(2, 8, 16, 64),
        async (lines, size) => {
          const text = lines.join('\n');
          writeFileSync(file, text);
          const handle = await open(file);
          const chunks = await chunksOf(handle, size);
          await handle.close();
          expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
          for (const chunk of chunks) {
            expect(chunk.text).toBe(text.slice(chunk.offset, chunk.offset + chunk.text.length));
            expect(chunk.text.endsWith('\n')).toBe(chunk.whole);
            expect(chunk.whole || chunk === chunks.at(-1)).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('fails if a file cannot be read', async () => {
    const handle = await open(folder());
    await expect(chunksOf(handle, 64)).rejects.toMatchObject({ code: 'EISDIR' });
    await handle.close();
  });
});
