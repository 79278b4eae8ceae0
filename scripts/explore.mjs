import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printCount, vitest } from './test.mjs';
import { root } from './workspace.cjs';

/**
 * Runs every test file that uses `test/depth.ts`, at full length. Properties draw from `AMBIT_SEED`, a random seed by
 * default; `AMBIT_TEST_DEPTH` (10) makes a longer search. Needs a build.
 */
export async function explore(say) {
  process.env.AMBIT_TEST_DEPTH ??= '10';
  process.env.AMBIT_SEED ??= String(randomInt(1, 1_000_000));
  const { AMBIT_TEST_DEPTH: depth, AMBIT_SEED: seed } = process.env;
  const files = ['packages', 'docs'].flatMap(filesThatExplore);
  say(`${files.length} test files at full length, AMBIT_TEST_DEPTH=${depth} AMBIT_SEED=${seed}`);
  const count = { passed: 0, failed: 0, skipped: 0 };
  try {
    await vitest([`--testTimeout=${Number(depth) * 600_000}`, ...files], count);
  } catch (error) {
    say(error.message);
    count.failed += 1;
  }
  if (count.failed > 0) say(`run these again with AMBIT_SEED=${seed} npm run test:deep -- explore`);
  printCount(count);
}

function filesThatExplore(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return /^(node_modules|dist.*|types|src)$/.test(entry.name) ? [] : filesThatExplore(path);
    const isTest = entry.name.endsWith('.test.ts');
    return isTest && readFileSync(join(root, path), 'utf8').includes("/test/depth.js'") ? [path] : [];
  });
}
