import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './documents.js';

interface Manifest {
  readonly license?: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const packages = readdirSync(join(root, 'packages')).map((name) => ({
  name,
  manifest: JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest,
}));

describe('a package', () => {
  it.each(packages)('$name has a README with a title of its own', ({ name }) => {
    const path = join(root, 'packages', name, 'README.md');
    expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toMatch(/^# \S/);
  });

  it.each(packages)('$name states its licence', ({ manifest }) => {
    expect(manifest.license).toBe('Apache-2.0');
  });

  it.each(packages.filter(({ manifest }) => manifest.private !== true))(
    '$name declares its exports and types',
    ({ manifest }) => {
      const targets = Object.entries(manifest.exports ?? {});
      const wrong = targets.filter(
        ([subpath, target]) =>
          subpath.includes('*') || (typeof target !== 'string' && target.types === undefined),
      );
      expect(targets.length).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
    },
  );
});
