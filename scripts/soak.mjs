import { run } from './process.mjs';

/**
 * Kills runs, pairs of runs and writers of logs at random moments, and resumes them: `runs` of each, 1000 by default,
 * with seeds from `seed` on.
 */
export async function soak([runs = '1000', seed = '1'], say) {
  for (const number of [runs, seed])
    if (!/^[1-9]\d{0,5}$/.test(number)) throw new Error(`soak takes RUNS and SEED, not ${number}`);
  say(`${runs} runs, killed and resumed, from seed ${seed} on`);
  // Of 30 tries, a depth of 1 makes 3.
  process.env.AMBIT_TEST_DEPTH = String(Number(runs) / 3);
  process.env.AMBIT_SEED = seed;
  const tests = [
    'packages/cli/test/commands/run/killed.test.ts',
    'packages/runtime/test/killed/pairs.test.ts',
    'packages/audit/test/log/write/kill.test.ts',
  ];
  const code = await run('vitest', ['run', ...tests]);
  if (code !== 0) throw new Error('not all of them came to their end as they should');
}
