import { beforeAll, expect, it } from 'vitest';
import { firstSeed, isDeep, tries } from '../../../../test/depth.js';
import { build } from '../program.js';
import { driveAll, KilledRun, type Moment } from './killed-runs.js';

const pairs = isDeep ? tries(30) : 1;
/** The number of runs that one process kills. */
const together = 8;

beforeAll(build, 300_000);

it(`a run killed twice finishes, signed or not, with a valid log after each kill (${pairs} times)`, {
  timeout: 600_000 + pairs * 20_000,
}, async () => {
  const wrong: string[] = [];
  let kills = 0;
  for (let seed = firstSeed; seed < firstSeed + pairs; seed += together) {
    const runs = await Promise.all(
      Array.from({ length: Math.min(together, firstSeed + pairs - seed) }, (_, index) =>
        KilledRun.make(seed + index),
      ),
    );
    try {
      kills += await killTwice(runs, seed, wrong);
    } finally {
      for (const run of runs) run.remove();
    }
    const done = seed - firstSeed + runs.length;
    if (pairs >= 100 && done % 40 === 0)
      process.stderr.write(`${done} runs, ${kills} kills, ${wrong.length} wrong\n`);
  }
  expect(wrong).toEqual([]);
  // A moment may come after the end of a run: of a few, chance may have had it so for most.
  if (pairs >= 24) expect(kills).toBeGreaterThan(pairs / 4);
});

async function killTwice(runs: readonly KilledRun[], seed: number, wrong: string[]): Promise<number> {
  let kills = 0;
  let left = runs;
  for (const [turn, steps] of [40, 8].entries()) {
    const kill = randomMoment(left.length, steps);
    const place = `seed ${seed}, kill ${turn} ${JSON.stringify(kill)}`;
    const ends = await driveAll(left, kill);
    for (const end of ends ?? []) if (end !== 'finished') wrong.push(`${place}: ${end}`);
    if (ends === null) kills += left.length;
    left = await unfinished(left);
  }
  for (const end of (await driveAll(left, null)) ?? ['killed'])
    if (end !== 'finished') wrong.push(`seed ${seed}, the last: ${end}`);
  for (const [index, run] of runs.entries())
    for (const what of await run.wrong()) {
      wrong.push(`seed ${seed + index}: ${what}`);
      // At once: a soak may be ended before it has come to its end.
      process.stderr.write(`seed ${seed + index}: ${what}\n`);
    }
  return kills;
}

async function unfinished(runs: readonly KilledRun[]): Promise<readonly KilledRun[]> {
  const states = await Promise.all(runs.map((run) => run.look()));
  return runs.filter((_, index) => states[index] !== 'finished');
}

const ats = ['before', 'between', 'between', 'later', 'time'] as const;

/** Milliseconds. */
const most = { before: 0, between: 40, later: 5, time: 1200 } as const;

/** The second one mostly comes soon after the runs were resumed. */
function randomMoment(runs: number, steps: number): Moment {
  const pick = (count: number) => Math.floor(Math.random() * count);
  const at = ats[pick(ats.length)] ?? 'between';
  return { at, run: pick(runs), step: 1 + pick(steps), after: Math.random() * most[at] };
}
