import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareAll } from './compare.js';
import { compareConditions } from './conditions.js';
import { timeDrawn } from './drawn.js';
import { timeLayers } from './layers.js';
import { measureHeap } from './memory.js';
import { timeProgram } from './program.js';
import { reportOf } from './report.js';

/** Writes `docs/benchmarks.md`. It takes some minutes on an idle machine. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const say = (what: string) => process.stderr.write(`bench: ${what}\n`);

// First, before other benchmarks leave garbage that is collected later.
say('the heap');
const heap = measureHeap(10_000);
// Printed with the results; `AMBIT_SEED` draws the same workloads again.
const seed = Number(process.env.AMBIT_SEED ?? Math.floor(Math.random() * 1e9));
say(`drawn workloads, seed ${seed}`);
const drawn = { seed, drawn: timeDrawn([10, 1_000, 10_000], seed) };
say('the first workload');
const sizes = await compareAll([10, 100, 1_000, 10_000, 100_000], say);
say('the second workload');
const layers = timeLayers(1_000);
const small = timeLayers(40);
say('conditions');
const conditions = compareConditions();
say('the program');
const program = timeProgram(root);
const report = reportOf({
  sizes,
  drawn,
  layers,
  small,
  conditions,
  heap,
  program,
  versions: versions(),
  date: today(),
});
writeFileSync(join(root, 'docs/benchmarks.md'), report);
process.stdout.write(report);

function versions(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'bench/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith('@ambit/')));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
