import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineReader } from '../../src/mcp/connection/line-reader.js';

it('reads the same lines from every division of the bytes, and the ends of long lines', () => {
  const lines = fc.array(
    fc.oneof(
      fc.string(),
      fc.nat(1_200).map((length) => 'é'.repeat(length)),
    ),
  );
  const law = fc.property(lines, fc.integer({ min: 1, max: 900 }), (drawn, piece) => {
    const texts = drawn.map((line) => line.replaceAll('\n', ' '));
    const bytes = Buffer.from(texts.map((line) => `${line}\n`).join(''));
    const read: [string, boolean][] = [];
    const fits: boolean[] = [];
    const reader = lineReader(1_000, (line, isWhole) => read.push([line, isWhole]));
    for (let at = 0; at < bytes.length; at += piece) fits.push(reader(bytes.subarray(at, at + piece)));
    const end = 'é'.repeat(100);
    const isLong = (line: string) => Buffer.byteLength(line) > 1_000;
    expect(read).toEqual(texts.map((line) => (isLong(line) ? [`${end}\n${end}`, false] : [line, true])));
    expect(fits.includes(false)).toBe(texts.some(isLong));
  });
  fc.assert(law, {
    examples: [
      [['é'.repeat(501)], 1],
      [['é'.repeat(500)], 1],
    ],
  });
});
