import { describe, expect, it } from 'vitest';
import { readUntil } from '../../src/questions/choose-keep.js';

const now = Date.UTC(2026, 10, 20, 12);

describe('readUntil', () => {
  it.each<readonly [string, number | string]>([
    ['30m', now + 30 * 60_000],
    [' 8h ', now + 8 * 3_600_000],
    ['2 d', now + 2 * 86_400_000],
    ['2026-11-20T18:00Z', Date.UTC(2026, 10, 20, 18)],
    ['2026-11-20T18:00:30+02:00', Date.UTC(2026, 10, 20, 16, 0, 30)],
    ['2026-11-20T12:00Z', 'that time is in the past'],
    ['0h', 'that time is in the past'],
    ['2026-11-20T18:00', 'not a time: 30m, 8h, 2d, or 2026-11-20T18:00Z'],
    ['2027-02-30T18:00Z', 'not a time: 30m, 8h, 2d, or 2026-11-20T18:00Z'],
    ['2026-13-40T18:00Z', 'not a time: 30m, 8h, 2d, or 2026-11-20T18:00Z'],
    ['tomorrow', 'not a time: 30m, 8h, 2d, or 2026-11-20T18:00Z'],
    ['-1h', 'not a time: 30m, 8h, 2d, or 2026-11-20T18:00Z'],
    ['', 'not a time: 30m, 8h, 2d, or 2026-11-20T18:00Z'],
  ])('reads %j as %j', (text, until) => {
    expect(readUntil(text, now)).toBe(until);
  });
});
