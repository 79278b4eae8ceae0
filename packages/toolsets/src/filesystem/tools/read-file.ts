import type { Tool } from '@ambit/core';
import * as z from 'zod';
import { readContained, readRange } from '../contained/read-contained.js';
import type { Seen } from '../contained/seen.js';
import { pageOf, textOf } from '../contained/text.js';
import { cannotTouch, capabilitiesOf, mostBytes } from '../roots/access.js';
import { FileError } from '../roots/failure.js';
import { type Place, placeOf, realPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';
import { atOnce, fileTool, type PlanOfOne } from './file-tool.js';

const input = z.strictObject({
  path: z.string().describe('the file'),
  from: z.int().min(1).max(1_000_000_000).default(1).describe('the first line to return, counted from 1'),
  lines: z.int().min(1).max(100_000).default(2000).describe('the largest number of lines to return'),
  column: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .default(1)
    .describe(
      'the first character to return of the first line, counted from 1; for lines too long for one answer',
    ),
});

export function readFileTool(roots: Roots, seen: Seen): Tool<z.output<typeof input>> {
  return fileTool({
    name: 'read_file',
    description:
      'Reads a text file (UTF-8), or some lines of it. It says what it left out, and how to get it.',
    input,
    turn: atOnce,
    plan: async ({ path }) => planRead(await placeOf(path, roots), roots),
    perform: async (range, { places: [place] }) => {
      const read = await readContained(place, { roots, limit: mostBytes(place, roots) });
      const text = readableText(read.bytes, place.shown);
      seen.note(realPlace(place).real, read);
      return { path: place.shown, ...pageOf(text, range) };
    },
  });
}

/** The most bytes in one answer. */
const mostRange = 48_000;

const bytesInput = z.strictObject({
  path: z.string().describe('the file'),
  from: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('the first byte to return, counted from 0'),
  count: z.int().min(1).max(mostRange).default(4096).describe('the largest number of bytes to return'),
});

export function readBytesTool(roots: Roots): Tool<z.output<typeof bytesInput>> {
  return fileTool({
    name: 'read_bytes',
    description: 'Reads some bytes of a file that is not text, in base64. Use `read_file` for text.',
    input: bytesInput,
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

export function planRead(place: Place, roots: Roots): PlanOfOne {
  const capabilities = capabilitiesOf(place, { access: 'read' }, roots);
  return {
    capabilities,
    cannot: cannotTouch(place, 'read', roots) ?? tooLarge(place, roots),
    places: [place],
  };
}

export function tooLarge(place: Place, roots: Roots): string | null {
  const most = mostBytes(place, roots);
  if (place.stat === null || place.stat.size <= most) return null;
  return `\`${place.shown}\` holds ${place.stat.size} bytes, and at most ${most} may be read`;
}

/** Throws if it is not text. */
export function readableText(bytes: Uint8Array, shown: string): string {
  const text = textOf(bytes);
  if (text === null)
    throw new FileError(
      `\`${shown}\` is not UTF-8 text; a worker that takes attachments may be able to read it`,
    );
  return text;
}
