import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../../../scripts/release/pack.mjs';
import { build, examples, root, runNode } from './run-example.js';

const execute = promisify(execFile);
let project = '';

/** An empty project in which the packages are installed from their tarballs. */
beforeAll(async () => {
  await build();
  project = await realpath(await mkdtemp(join(tmpdir(), 'crm-')));
  const npm = (folder: string, ...words: readonly string[]) =>
    execute('npm', words, { cwd: folder, encoding: 'utf8' });
  const core = pack(project, ['packages/core'])[0] as string;
  await npm(join(examples, 'crm'), 'pack', '--silent', '--ignore-scripts', '--pack-destination', project);
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(
    project,
    'install',
    '--silent',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    core,
    './ambit-example-crm-1.0.0.tgz',
  );
}, 300_000);
afterAll(() => rm(project, { recursive: true, force: true }));

const ambit = (...words: readonly string[]) =>
  runNode([join(root, 'packages/cli/dist/launch.cjs'), ...words], { cwd: project });

describe('the example toolset', () => {
  it('depends only on core and its dependencies', async () => {
    const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as {
      packages: object;
    };
    expect(Object.keys(lock.packages).sort()).toEqual([
      '',
      'node_modules/@ambit/core',
      'node_modules/@ambit/example-crm',
      'node_modules/get-east-asian-width',
      'node_modules/zod',
    ]);
  });

  it('passes the conformance tests, including executed examples', async () => {
    expect(await ambit('toolset', 'check', '@ambit/example-crm', '--execute')).toMatchObject({
      exit: 0,
      err: '',
    });
    expect(JSON.parse(await readFile(join(project, 'contacts.json'), 'utf8'))).toMatchObject([
      { email: 'ada@example.org', notes: ['likes engines'] },
    ]);
  });

  it('reports the capabilities that its README lists', async () => {
    const { exit, out } = await ambit('toolset', 'describe', '@ambit/example-crm');
    expect(exit).toBe(0);
    expect(await readFile(join(examples, 'crm/README.md'), 'utf8')).toContain(`\n${out}\n`);
  });
});
