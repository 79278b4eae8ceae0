/**
 * How deep the tests explore: 0.5 in `npm test`, 10 in `npm run test:deep`, more for a longer search. Only what may grow
 * without end is measured by it: runs of a property, kills, rounds of a race.
 */
const depth = Number(process.env.AMBIT_TEST_DEPTH ?? 0.5);
const seed = process.env.AMBIT_SEED === undefined ? undefined : Number(process.env.AMBIT_SEED);

/** Whether this is a deep run: what takes minutes, or needs a registry, runs only there. */
export const isDeep = depth > 1;

/** How far apart the tries of a series may be that is walked from end to end: 1 in a deep run. */
export const stride = Math.max(1, Math.floor(5 / depth));

/** The first of several seeds, for what counts them up. */
export const firstSeed = seed ?? 1;

/** How many tries to make at this depth, of those that a deep run makes. */
export function tries(deep: number): number {
  return Math.ceil((deep * depth) / 10);
}

/** As many of a list as this depth allows: all in a deep run, otherwise some from end to end, the last one always. */
export function some<T>(list: readonly T[]): readonly T[] {
  const count = Math.min(list.length, tries(list.length));
  return Array.from({ length: count }, (_, index) => Math.ceil(((index + 1) * list.length) / count - 1)).map(
    (at) => list[at] as T,
  );
}

/**
 * The parameters of a property that a deep run tries so many times. A fixed seed is for a property that counts what
 * it met; others draw from the seed that `npm run test:deep` prints.
 */
export function explore(deep: number, fixedSeed = seed): { numRuns: number; seed?: number } {
  return { numRuns: tries(deep), ...(fixedSeed === undefined ? {} : { seed: fixedSeed }) };
}
