import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { firstSeed, isDeep, tries } from '../../../../../test/depth.js';
import { killAndResume } from './kill-and-resume.js';

const runs = isDeep ? tries(30) : 1;
/** As many at once as leave the machine something. */
const lanes = 2;

describe('a run that is killed at random moments and resumed', () => {
  beforeAll(() => {
    // Builds where there is no build.
    const ambit = fileURLToPath(new URL('../../../../../bin/ambit', import.meta.url));
    expect(spawnSync(ambit, ['--version']).status).toBe(0);
  }, 300_000);

  it(`finishes ${runs} times, with no lost answer or repeated work, and a valid log`, {
    timeout: 600_000 + runs * 20_000,
  }, async () => {
    const wrong: { readonly seed: number; readonly wrong: readonly string[] }[] = [];
    let [kills, answers, unknown, next] = [0, 0, 0, firstSeed];
    const say = (count: number) => {
      if (runs <= 30) return;
      const counts = `${kills} kills, ${answers} answers, ${unknown} calls of unknown outcome`;
      process.stderr.write(`${count} runs: ${counts}, ${wrong.length} wrong\n`);
    };
    const lane = async () => {
      while (next < firstSeed + runs) {
        const seed = next;
        next += 1;
        const came = await killAndResume(seed);
        kills += came.kills;
        answers += came.answers;
        unknown += came.unknown;
        if (came.wrong.length > 0) {
          wrong.push({ seed, wrong: came.wrong });
          // At once: a soak may be ended before it has come to its end.
          process.stderr.write(`seed ${seed}: ${came.wrong.join('; ')}\n`);
        }
        if ((seed - firstSeed + 1) % 50 === 0) say(seed - firstSeed + 1);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    say(runs);
    expect(wrong).toEqual([]);
    // They were killed in the middle of their work, and people were asked; of a few, chance may have had it otherwise.
    if (runs < 30) return;
    expect(kills).toBeGreaterThan(runs / 2);
    expect(answers).toBeGreaterThan(runs * 3);
  });
});
