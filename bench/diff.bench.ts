import { cpus } from 'node:os';
import { diffPolicies } from '@ambit/analysis';
import { versionsOf } from './difference.js';
import { median } from './timing.js';

/** How long the difference of two versions of a policy takes: the first time in a process, and the median of some more. */
const rounds = 5;

process.stdout.write(`${cpus()[0]?.model ?? 'an unknown processor'}, Node ${process.version}\n`);
for (const rules of [1_000, 100, 2_000]) {
  const [old, now] = versionsOf(rules);
  const samples = Array.from({ length: rounds }, () => {
    const start = performance.now();
    const { changes, unknown } = diffPolicies(old, now);
    return { took: performance.now() - start, changes: changes.length, unknown: unknown.length };
  });
  const times = samples.map(({ took }) => took);
  const found = `${samples[0]?.changes} classes of calls, ${samples[0]?.unknown} not settled`;
  const [first, usual] = [times[0] ?? Number.NaN, median(times)].map((time) => time.toFixed(0));
  process.stdout.write(`${rules} rules: ${first} ms at first, ${usual} ms usually (${found})\n`);
}
