import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { KeptOutput } from '../../src/processes/kept-output.js';

/** What is kept of bytes that come in pieces of these lengths, again and again. */
function kept(bytes: Buffer, most: number, lengths: readonly number[]) {
  const output = new KeptOutput(most);
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const length = lengths[piece % lengths.length] ?? 1;
    output.add(bytes.subarray(at, at + length));
    at += length;
  }
  return output.kept();
}

const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe('the kept part of an output', () => {
  it('is the whole, or head and tail with a byte count, in whole characters', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '😀'), maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 300 }), lengths, (whole, most, pieces) => {
        const bytes = Buffer.from(whole);
        const { text: shown, left_out } = kept(bytes, most, pieces);
        if (bytes.length <= 2 * Math.floor(most / 2)) {
          expect([shown, left_out]).toEqual([whole, 0]);
          return;
        }
        const [head, tail, ...more] = shown.split(`\n[… ${left_out} bytes are left out here …]\n`);
        expect(more).toEqual([]);
        expect(whole.startsWith(head ?? '?') && whole.endsWith(tail ?? '?')).toBe(true);
        const sizes = [head ?? '', tail ?? ''].map((part) => Buffer.byteLength(part));
        expect((sizes[0] ?? 0) + (sizes[1] ?? 0) + left_out).toBe(bytes.length);
        // Less than a character short of what fits.
        for (const size of sizes) expect(Math.floor(most / 2) - size).toBeLessThan(4);
      }),
      explore(3000),
    );
  });

  it('is text for any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 100 }),
        fc.integer({ min: 0, max: 60 }),
        lengths,
        (bytes, most, pieces) => {
          const { text, left_out } = kept(Buffer.from(bytes), most, pieces);
          expect(/\p{Surrogate}/u.test(text)).toBe(false);
          expect(left_out).toBeLessThanOrEqual(bytes.length);
        },
      ),
      explore(3000),
    );
  });
});
