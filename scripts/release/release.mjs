import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../workspace.cjs';

/** Turns the changesets of a checkout into versions and changelogs, and returns the new version. */
export function writeVersions(checkout = root, today = new Date()) {
  const changesets = readdirSync(join(checkout, '.changeset')).filter((name) => name.endsWith('.md'));
  if (changesets.every((name) => name === 'README.md'))
    throw new Error('nothing to release: `npx changeset` writes down a change');
  const program = join(root, 'node_modules/@changesets/cli/bin.js');
  execFileSync(process.execPath, [program, 'version'], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { version } = JSON.parse(readFileSync(join(checkout, 'packages/core/package.json'), 'utf8'));
  const file = join(checkout, 'CHANGELOG.md');
  const text = readFileSync(file, 'utf8');
  if (!text.includes('\n## [Unreleased]\n')) throw new Error('CHANGELOG.md has no section [Unreleased]');
  const title = `## [${version}] - ${today.toISOString().slice(0, 10)}`;
  writeFileSync(file, text.replace('\n## [Unreleased]\n', `\n## [Unreleased]\n\n${title}\n`));
  return version;
}

/** The packages that are in the bundles of the program, as npm names them. */
function bundledIn(tarballs) {
  if (!tarballs.some((path) => basename(path).startsWith('ambit-cli-'))) return [];
  const notices = readFileSync(join(root, 'packages/cli/dist/licences.txt'), 'utf8');
  return [...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
}

/** Writes the contents of an install of these tarballs as CycloneDX, and the digests of all files. */
export function writeEvidence(out, tarballs) {
  const project = mkdtempSync(join(tmpdir(), 'ambit-sbom-'));
  try {
    const npm = (...args) =>
      execFileSync('npm', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    writeFileSync(
      join(project, 'package.json'),
      '{ "name": "ambit", "version": "0.0.0", "private": true }\n',
    );
    npm(
      'install',
      '--package-lock-only',
      '--prefer-offline',
      '--no-audit',
      '--ignore-scripts',
      ...tarballs,
      ...bundledIn(tarballs),
    );
    const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'library'];
    writeFileSync(join(out, 'sbom.cdx.json'), npm('sbom', '--package-lock-only', ...format));
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  const files = [...tarballs, join(out, 'sbom.cdx.json')];
  const digests = files.map((path) => {
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    return `${digest}  ${basename(path)}\n`;
  });
  writeFileSync(join(out, 'SHA256SUMS'), digests.join(''));
}
