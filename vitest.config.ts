import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { yamlForVite } from './scripts/yaml-module.mjs';

// What tests, their processes and vitest itself leave behind goes with this folder, also when a test fails.
if (process.env.AMBIT_TEST_FOLDER === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-'));
  // Some tests try what another user may do there.
  chmodSync(folder, 0o755);
  process.env.AMBIT_TEST_FOLDER = folder;
  process.env.TMPDIR = folder;
  // A judge that a test left resident may still write while this removes; what an exit throws would fail the run.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 10 }));
}

const conditions = ['@ambit/source', 'module', 'node', 'development|production'];

export default defineConfig({
  plugins: [yamlForVite],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'docs/test/**/*.test.ts', 'test/**/*.test.ts'],
    // Files share a process and its modules, and packages one project: loading modules again takes a third of the time.
    isolate: false,
    setupFiles: ['test/loaded.ts'],
    // A limit for what hangs. What is slow on a busy machine is not wrong, so no test says a shorter one.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    // More than two processors: tests often wait for processes, disks and terminals.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
