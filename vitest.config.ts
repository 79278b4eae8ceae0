import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { yamlForVite } from './scripts/yaml-module.mjs';

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
