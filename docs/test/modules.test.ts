import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksIn } from './blocks.js';
import { documents, root } from './documents.js';

const modules = documents()
  .flatMap(blocksIn)
  .filter(({ language }) => language === 'ts' || language === 'typescript')
  .map((block) => ({ ...block, name: `${block.at.replace(/[^a-zA-Z0-9]+/g, '-')}.ts` }));

describe('TypeScript in the documents', () => {
  const base = fileURLToPath(new URL('.generated/', import.meta.url));
  mkdirSync(base, { recursive: true });
  // In this package, so that `@ambit/*` is found as a reader's own package finds it.
  const folder = mkdtempSync(join(base, 'modules-'));
  const scratch = mkdtempSync(join(tmpdir(), 'ambit-docs-'));
  const { AMBIT_HOME } = process.env;

  beforeAll(() => {
    for (const { name, text } of modules) writeFileSync(join(folder, name), `${text}\nexport {};\n`);
    process.env.AMBIT_HOME = join(scratch, 'state');
    process.chdir(scratch);
  });

  afterAll(() => {
    process.chdir(root);
    if (AMBIT_HOME === undefined) delete process.env.AMBIT_HOME;
    else process.env.AMBIT_HOME = AMBIT_HOME;
    rmSync(folder, { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true });
  });

  it('occurs more than a few times', () => {
    expect(modules.length).toBeGreaterThan(6);
  });

  it.each(modules)('runs: $at', async ({ name }) => {
    // A module that throws rejects, and fails the test with its own error.
    await import(/* @vite-ignore */ join(folder, name));
  });

  it('has no type errors', async () => {
    const project = join(folder, 'tsconfig.json');
    // By the declarations, as a reader has them: the sources are checked elsewhere.
    const compilerOptions = {
      noEmit: true,
      noUnusedLocals: false,
      noUnusedParameters: false,
      customConditions: [],
    };
    const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['./*.ts'] };
    writeFileSync(project, JSON.stringify(config));
    const tsc = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args]).then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      );
    expect(await tsc('-b', join(root, 'tsconfig.build.json'))).toBe('');
    expect(await tsc('-p', project)).toBe('');
  });
});
