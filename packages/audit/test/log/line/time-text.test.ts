import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../../test/depth.js';
import { timeText } from '../../../src/log/line/line.js';

describe('timeText', () => {
  it('is what a date says, whatever was asked before', () => {
    const near = fc.tuple(
      fc.integer({ min: -8.64e15, max: 8.64e15 }),
      fc.array(fc.integer({ min: -1500, max: 1500 })),
    );
    fc.assert(
      fc.property(near, ([start, steps]) => {
        for (const step of [0, ...steps]) {
          const now = Math.max(-8.64e15, Math.min(8.64e15, start + step));
          expect(timeText(now)).toBe(new Date(now).toISOString());
          expect(timeText(now)).toBe(new Date(now).toISOString());
        }
      }),
      explore(500),
    );
    expect(timeText(1.5)).toBe(new Date(1.5).toISOString());
    expect(timeText(1000)).toBe('1970-01-01T00:00:01.000Z');
    expect(() => timeText(Number.NaN)).toThrow(RangeError);
  });
});
