import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastPoint, numberOf, pointAt } from '../../../../test/texts.js';
import { sha256Of } from '../../src/text/sha256.js';

const known = (data: Uint8Array | string) => createHash('sha256').update(data).digest('hex');

describe('sha256', () => {
  it('gives the digests of the standard', () => {
    expect(sha256Of('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256Of('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('equals node:crypto at every length around whole blocks, and where node:crypto takes over', () => {
    const lengths = [...Array(260).keys(), ...Array.from({ length: 20 }, (_, at) => 2_039 + at)];
    for (const length of lengths) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 151 + length) % 256);
      expect([length, sha256Of(bytes)]).toEqual([length, known(bytes)]);
    }
  });

  it('equals node:crypto for any bytes and any text', () => {
    const data = fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.string({ unit: fc.nat(lastPoint).map(pointAt, numberOf), maxLength: 600 }),
    );
    fc.assert(
      fc.property(data, (one) => sha256Of(one) === known(one)),
      { numRuns: 300 },
    );
  });
});
