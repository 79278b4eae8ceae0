import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { yamlForVite } from './scripts/yaml-module.mjs';

// What tests, their processes and vitest itself leave behind goes with this folder, also when a test fails. Each
// project reads this file again.
if (process.env.AMBIT_TEST_FOLDER === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-'));
  // Some tests try what another user may do there.
  chmodSync(folder, 0o755);
  process.env.AMBIT_TEST_FOLDER = folder;
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

const conditions = ['@ambit/source', 'module', 'node', 'development|production'];
const packages = readdirSync(new URL('packages', import.meta.url));

const project = (name: string, root: string, include = 'test/**/*.test.ts') => ({
  extends: true as const,
  test: { name, root, include: [include] },
});

export default defineConfig({
  plugins: [yamlForVite],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Files of one project share a process and its modules: loading them anew took a third of the time.
    isolate: false,
    // A limit for what hangs. A property that is slow on a busy machine is not wrong.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Of two processors both: who waits for the tests does little else.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      ...packages.map((name) => project(name, `packages/${name}`)),
      project('docs', 'docs'),
      project('house', '.', 'test/**/*.test.ts'),
    ],
  },
});
