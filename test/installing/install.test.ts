import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack, publicPackages } from '../../scripts/release/pack.mjs';
import { isDeep } from '../depth.js';
import { manifestOf, root } from '../repository.js';
import { type Manager, managers, run, writeProject } from './managers.js';
import { type Registry, startRegistry } from './registry.js';

const limit = 600_000;
const nodeTypes = { '@types/node': '20.19.43' };
const compilers = [
  ['node16', 'node16'],
  ['esnext', 'bundler'],
] as const;

/** Decides a call by a written policy. */
const program = `
import { createRequest, decide, defineTool } from '@ambit/core';
import { loadPolicies } from '@ambit/policy';

const text = 'version: 1\\ndefault: blocked\\ncapabilities: { fs.read: pre_approved }\\n';
const loaded = await loadPolicies(['policy.yaml'], {
  read: async () => new TextEncoder().encode(text),
  home: '/home/ada',
  root: '/work',
});
if (!loaded.ok) throw new Error('the policy');
const request = createRequest({
  tool: 'files.read', chain: ['main'], args: {}, context: {}, history: [], now: 0,
  capabilities: [{ name: 'fs.read', path: '/a' }],
});
console.log(decide(request, loaded.policies).decision, typeof defineTool);
`;

describe.skipIf(!isDeep)('an empty project', () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'install-')));
  let registry: Registry;
  beforeAll(async () => {
    registry = await startRegistry(pack(join(place, 'tarballs')));
  }, limit);
  afterAll(async () => {
    await registry?.close();
    rmSync(place, { recursive: true, force: true });
  });

  const typecheck = (folder: string, [module, resolution]: readonly [string, string]) =>
    run(folder, [
      process.execPath,
      join(root, 'node_modules/typescript/bin/tsc'),
      ...`--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false
        --target es2022 --types node --module ${module} --moduleResolution ${resolution}
        --outDir out program.ts`.split(/\s+/),
    ]);

  it.each(managers.map((manager) => [manager.name, manager] as const))(
    'installs core and policy with %s, compiles a strict program and runs it',
    async (name, manager) => {
      const folder = mkdtempSync(join(place, `${name}-`));
      const dependencies = { '@ambit/core': '^0.1.0', '@ambit/policy': '^0.1.0', ...nodeTypes };
      writeProject(folder, { manager, registry: registry.url, dependencies });
      expect(await run(folder, [...manager.command, ...manager.install])).toMatchObject({ exit: 0 });
      writeFileSync(join(folder, 'program.ts'), program);
      for (const compiler of compilers)
        expect(await typecheck(folder, compiler)).toEqual({ exit: 0, out: '', err: '' });
      const ran = await run(folder, [process.execPath, 'out/program.js']);
      expect(ran).toEqual({ exit: 0, out: 'pre_approved function\n', err: '' });
    },
    limit,
  );

  const npm = managers[0] as Manager;
  const installed = async (dependencies: object) => {
    const folder = mkdtempSync(join(place, 'npm-'));
    writeProject(folder, { manager: npm, registry: registry.url, dependencies });
    expect(await run(folder, [...npm.command, ...npm.install])).toMatchObject({ exit: 0 });
    return folder;
  };

  it(
    'needs at most 12 MB for core and policy',
    async () => {
      const folder = await installed({ '@ambit/core': '0.1.0', '@ambit/policy': '0.1.0' });
      const { out } = await run(folder, ['du', '-sk', 'node_modules']);
      const kilobytes = Number.parseInt(out, 10);
      expect(kilobytes).toBeGreaterThan(500);
      expect(kilobytes).toBeLessThan(12_000);
    },
    limit,
  );

  it(
    'compiles and loads every package without its optional dependencies',
    async () => {
      const names = publicPackages().filter((folder) => manifestOf(folder).exports?.['.'] !== undefined);
      // An adapter loads the SDK that it is for.
      const left = ['./package.json', './anthropic'];
      const entries = names.flatMap((folder) => {
        const { name, exports = {} } = manifestOf(folder);
        const paths = Object.keys(exports).filter((path) => !left.includes(path));
        return paths.map((path) => name + path.slice(1));
      });
      expect(entries).toContain('@ambit/toolsets/testing');
      const versions = names.map((folder) => [manifestOf(folder).name, manifestOf(folder).version]);
      const folder = await installed({ ...Object.fromEntries(versions), ...nodeTypes });
      const imports = entries.map((entry, index) => `import * as m${index} from '${entry}';\n`);
      const used = entries.map((_, index) => `m${index}`).join(', ');
      writeFileSync(join(folder, 'program.ts'), `${imports.join('')}console.log([${used}].length);\n`);
      for (const compiler of compilers)
        expect(await typecheck(folder, compiler)).toEqual({ exit: 0, out: '', err: '' });
      const ran = await run(folder, [process.execPath, 'out/program.js']);
      expect(ran).toEqual({ exit: 0, out: `${entries.length}\n`, err: '' });
    },
    limit,
  );

  it(
    'runs the program with npx, which names the missing package of a model',
    async () => {
      const folder = await installed({ '@ambit/cli': '0.1.0' });
      const npx = (...words: string[]) => run(folder, ['npx', 'ambit', ...words]);
      expect((await npx('--version')).out).toBe('0.1.0\n');
      expect(await npx('init', '--preset', 'ci')).toMatchObject({ exit: 0 });
      expect(await npx('check', 'policy.yaml')).toMatchObject({ exit: 0 });
      expect(await npx('test')).toMatchObject({ exit: 0 });
      const capabilities = '{"tool": "x.y", "capabilities": ["fs.read"]}';
      expect(await npx('explain', '--policy', 'policy.yaml', capabilities)).toMatchObject({ exit: 0 });
      writeFileSync(join(folder, 'w.worker'), 'name: w\ntoolsets: {}\n---\nWork.\n');
      writeFileSync(join(folder, 'script.yaml'), 'w:\n  - say: done\n');
      const ran = await npx(
        'run',
        'w.worker',
        '--policy',
        'policy.yaml',
        '--model',
        'script:script.yaml',
        '--strict',
      );
      expect(ran.exit).toBe(2);
      expect(ran.err).toContain(
        'the package `@anthropic-ai/sdk` is not installed here: npm install @anthropic-ai/sdk',
      );
    },
    limit,
  );
});
