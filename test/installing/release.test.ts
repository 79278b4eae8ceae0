import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pack, publicPackages } from '../../scripts/release/pack.mjs';
import { writeEvidence, writeVersions } from '../../scripts/release/release.mjs';
import { isDeep } from '../depth.js';
import { type Manifest, root } from '../repository.js';

function folderFor(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.skipIf(!isDeep)('a release', () => {
  it('sets the next version in every package, and dates the changelog', () => {
    const checkout = folderFor();
    const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
    const manifests = ['.', ...folders].map((folder) => join(folder, 'package.json'));
    for (const path of [...manifests, '.changeset', 'pnpm-workspace.yaml', 'CHANGELOG.md']) {
      mkdirSync(join(checkout, dirname(path)), { recursive: true });
      cpSync(join(root, path), join(checkout, path), { recursive: true });
    }
    writeFileSync(join(checkout, '.changeset/one.md'), `---\n'@ambit/core': minor\n---\n\nOne change.\n`);
    const version = writeVersions(checkout, new Date('2026-12-01T10:00:00Z'));
    const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
    for (const folder of publicPackages()) {
      expect((JSON.parse(read(`${folder}/package.json`)) as Manifest).version).toBe(version);
      expect(read(`${folder}/CHANGELOG.md`)).toContain(`## ${version}`);
    }
    expect(read('CHANGELOG.md')).toContain(`## [Unreleased]\n\n## [${version}] - 2026-12-01\n`);
    expect(() => writeVersions(checkout)).toThrow('nothing to release');
  });

  it('lists the contents of an install, and the digests of its files', () => {
    const out = folderFor();
    const tarballs = pack(out, ['packages/core', 'packages/policy']);
    writeEvidence(out, tarballs);
    const bill = JSON.parse(readFileSync(join(out, 'sbom.cdx.json'), 'utf8')) as {
      readonly components: readonly { readonly name: string }[];
    };
    expect(bill.components.map(({ name }) => name).sort()).toEqual([
      '@ambit/core',
      '@ambit/policy',
      'get-east-asian-width',
      'json-logic-js',
      'yaml',
    ]);
    const program = folderFor();
    writeEvidence(program, pack(program));
    const all = JSON.parse(readFileSync(join(program, 'sbom.cdx.json'), 'utf8')) as typeof bill;
    // Only in the bundle of the program.
    const names = all.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['@ambit/cli', 'commander', 'diff']));
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')).toHaveLength(3);
  });
});
