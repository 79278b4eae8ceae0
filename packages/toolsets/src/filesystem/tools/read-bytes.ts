import type { Tool } from '@ambit/core';
import * as z from 'zod';
import { readRange } from '../contained/read-contained.js';
import { placeOf } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { atOnce, fileTool } from './file-tool.js';
import { planRead } from './read-file.js';

/** The most bytes in one answer. */
const mostRange = 48_000;

const input = z.strictObject({
  path: z.string().describe('the file'),
  from: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('the first byte to return, counted from 0'),
  count: z.int().min(1).max(mostRange).default(4096).describe('the largest number of bytes to return'),
});

export function readBytesTool(roots: Roots): Tool<z.output<typeof input>> {
  return fileTool({
    name: 'read_bytes',
    description: 'Reads some bytes of a file that is not text, in base64. Use `read_file` for text.',
    input,
    turn: atOnce,
    plan: async ({ path }) => planRead(await placeOf(path, roots), roots),
    perform: async (range, { places: [place] }) => {
      const { bytes, total } = await readRange(place, { roots, ...range });
      const to = range.from + bytes.length;
      return {
        path: place.shown,
        base64: bytes.toString('base64'),
        from: range.from,
        to,
        total_bytes: total,
        rest: to < total ? `${total - to} more bytes: call again with from ${to}` : null,
      };
    },
  });
}
