import { describe, expect, it } from 'vitest';
import { type HouseFigures, measureHouse } from '../scripts/house.mjs';

type Lists = 'bigFolders' | 'circles' | 'smallFiles' | 'unusedExports';

/** How many there may be. Lower a bound when its figure falls; the aims are 0, 0, 20 and 20. */
const bounds: Readonly<Record<Lists, number>> = {
  bigFolders: 0,
  circles: 0,
  smallFiles: 16,
  unusedExports: 8,
};

/** The same for the lines of all sources except those of packages for other people's agents and servers, and for the longest file. */
const mostLines = 85_507;
const added: readonly string[] = ['agents', 'gateway', 'examples'];
const longestFile = 300;

describe('the source size', () => {
  const figures = measureHouse();
  const all = (key: Lists) =>
    figures.flatMap((each: HouseFigures) => each[key].map((place) => `${each.name}: ${place}`));

  it.each(Object.entries(bounds) as [Lists, number][])('has at most this many %s: %d', (key, bound) => {
    const places = all(key);
    // The message lists all places: only git knows which of them is new.
    expect(places.length, `\n${places.join('\n')}\n`).toBeLessThanOrEqual(bound);
  });

  it('does not grow', () => {
    expect(figures.length).toBeGreaterThan(0);
    const counted = figures.filter(({ name }) => !added.includes(name));
    const lines = counted.reduce((sum, each) => sum + each.lines, 0);
    const help =
      'take out what is not needed, or raise `mostLines` and say in the commit what the lines are for';
    expect(lines, help).toBeLessThanOrEqual(mostLines);
    expect(Math.max(...figures.map(({ longest }) => longest))).toBeLessThanOrEqual(longestFile);
  });
});
