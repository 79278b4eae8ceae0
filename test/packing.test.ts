import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicPackages, stage } from '../scripts/release/pack.mjs';
import { type Manifest, manifestOf, root } from './repository.js';

interface Published extends Manifest {
  readonly files: readonly string[];
  readonly license: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** What a tarball of each package holds, from the last build. */
describe.each(publicPackages())('the tarball of %s', (folder) => {
  let place = '';
  let manifest: Published;
  let files: readonly string[] = [];
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'stage-'));
    stage(folder, place);
    manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    files = readdirSync(place, { recursive: true, encoding: 'utf8' });
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  const text = (path: string) => readFileSync(join(place, path), 'utf8');

  it('contains the files of its manifest, and the licence', () => {
    const named = [
      ...Object.values(manifest.exports).flatMap((to) => (typeof to === 'string' ? [to] : Object.values(to))),
      ...Object.values(manifest.bin ?? {}),
      'LICENSE',
      'README.md',
    ];
    expect(named.filter((path) => !existsSync(join(place, path)))).toEqual([]);
    expect(manifest.license).toBe('Apache-2.0');
  });

  it('contains no workspace file, source or build output of other packages', () => {
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|@ambit\/source|devDependencies|scripts/);
    expect(files.filter((path) => /\.(map|tsbuildinfo)$|^src|^test/.test(path))).toEqual([]);
    // Compiled code is for the program alone, and another version of Node refuses it.
    const compiled = ['decide', 'main', 'quick'].map((bundle) => `dist/${bundle}.cjs.cache`);
    const isProgram = folder === 'packages/cli';
    expect(files.filter((path) => path.endsWith('.cache')).sort()).toEqual(isProgram ? compiled : []);
    const versions = Object.entries(manifest.dependencies ?? {}).filter(([name]) =>
      name.startsWith('@ambit/'),
    );
    for (const [name, version] of versions)
      expect(version).toBe(manifestOf(name.replace('@ambit', 'packages')).version);
  });

  it('contains every page that its pages link to', () => {
    const pages = files.filter((path) => path.endsWith('.md'));
    expect(pages).toContain('README.md');
    const broken = pages.flatMap((page) =>
      [...text(page).matchAll(/\]\(([^)\s#]+)/g)]
        .map(([, path = '']) => path)
        .filter((path) => !/^https?:/.test(path) && !existsSync(join(place, dirname(page), path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(broken).toEqual([]);
  });

  it('has a README that fits one screen', () => {
    expect(text('README.md').split('\n').length).toBeLessThanOrEqual(56);
  });

  it('imports exactly its declared dependencies', () => {
    const imported = new Set(
      files.filter((path) => /\.(c?js|d\.ts)$/.test(path)).flatMap((path) => importsOf(path, text(path))),
    );
    imported.delete(manifest.name);
    const dependencies = Object.keys(manifest.dependencies ?? {});
    const known = [...dependencies, ...Object.keys(manifest.peerDependencies ?? {})];
    // In texts of a bundled package: code that it would write into a file.
    if (folder === 'packages/cli') known.push('ajv', 'ajv-formats');
    expect([...imported].filter((name) => !known.includes(name))).toEqual([]);
    // These bring what the packages below them load only when it is used.
    const brought: Readonly<Record<string, readonly string[]>> = {
      'packages/gateway': ['@modelcontextprotocol/client'],
    };
    expect(
      dependencies.filter((name) => !imported.has(name) && brought[folder]?.includes(name) !== true),
    ).toEqual([]);
  });

  it('declares its types without optional packages', () => {
    const optional = Object.keys(manifest.peerDependencies ?? {});
    const declarations = files.filter((path) => path.endsWith('.d.ts'));
    const wanting = declarations.filter((path) =>
      importsOf(path, text(path)).some((name) => optional.includes(name)),
    );
    expect(wanting).toEqual([]);
  });
});

/** The packages that a file imports. Code has double quotes: single ones belong to a text within it. */
function importsOf(file: string, text: string): readonly string[] {
  const quote = file.endsWith('.d.ts') ? `'` : '"';
  const imports = new RegExp(
    `(?:\\bfrom|\\bimport\\(?|\\brequire\\()\\s*${quote}([@a-z][\\w@./:-]*)${quote}`,
    'g',
  );
  return [...text.matchAll(imports)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('node:') && !builtinModules.includes(path))
    .map((path) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

it('packs no private package', () => {
  expect(publicPackages()).not.toContain('packages/examples');
  expect(existsSync(join(root, 'packages/examples'))).toBe(true);
});
