import { describe, expect, it } from 'vitest';
import { type HouseFigures, measureHouse } from '../scripts/house.mjs';

type Lists = 'bigFolders' | 'circles' | 'smallFiles' | 'unusedExports';

/** How many there may be today. Lower a bound when its figure falls; the aims are 0, 0, 20 and 20. */
const bounds: Readonly<Record<Lists, number>> = {
  bigFolders: 15,
  circles: 13,
  smallFiles: 107,
  unusedExports: 236,
};

/** The same for the lines of all sources, and for the longest file. */
const mostLines = 77_500;
const longestFile = 303;

describe('the sources of all packages', () => {
  const figures = measureHouse();
  const all = (key: Lists) =>
    figures.flatMap((each: HouseFigures) => each[key].map((place) => `${each.name}: ${place}`));

  it.each(Object.entries(bounds) as [Lists, number][])('have no more %s than today, %d', (key, bound) => {
    const places = all(key);
    // The places are the message: which of them is new only git knows.
    expect(places.length, `\n${places.join('\n')}\n`).toBeLessThanOrEqual(bound);
  });

  it('do not grow', () => {
    expect(figures.length).toBeGreaterThan(0);
    expect(figures.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(mostLines);
    expect(Math.max(...figures.map(({ longest }) => longest))).toBeLessThanOrEqual(longestFile);
  });
});
