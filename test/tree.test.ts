import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageNames, sourcesOf } from '../scripts/sources.mjs';
import { committedFiles, manifestOf, root } from './repository.js';

// Put together here, so that this file does not contain what it forbids.
const pieces = (...parts: readonly string[]) => parts.join('');
const forbidden: readonly RegExp[] = [
  pieces('registry\\.', 'npmjs'),
  pieces('registry\\.', 'yarnpkg'),
  pieces('npm\\.', 'pkg\\.github'),
  pieces('deb\\.', 'debian'),
  pieces('/wo', 'rk/(main|shared)\\b'),
  pieces('/(home|Users)/', '[^/\\s]+/([^\\s"\'`]+/)?ambit(-monorepo)?/'),
  pieces('/ro', 'ot/([^\\s"\'`]+/)?ambit(-monorepo)?/'),
].map((source) => new RegExp(source));

describe('the tree', () => {
  const files = committedFiles().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

  it('contains no registry host, and no path of a development machine', () => {
    const here = root.replace(/\/$/, '');
    // A checkout in `/app` or `/src` says nothing about a machine; one three folders deep does.
    const ours = here.split('/').length > 3 || here.startsWith(homedir()) ? [here] : [];
    const wrong = files.filter(
      ({ text }) => forbidden.some((word) => word.test(text)) || ours.some((word) => text.includes(word)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  });

  it('has one lockfile, without download addresses', () => {
    const lockfiles = files.filter(({ path }) =>
      /(^|\/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml)$/.test(path),
    );
    expect(lockfiles.map(({ path }) => path)).toEqual(['pnpm-lock.yaml']);
    expect(lockfiles[0]?.text).not.toMatch(/tarball:|resolved:|:\/\//);
  });

  it('requires one exact version of every package', () => {
    const versions = new Map<string, Set<string>>();
    for (const folder of ['.', 'docs', 'bench', ...packageNames.map((name) => `packages/${name}`)]) {
      const { dependencies, devDependencies, peerDependencies } = manifestOf(folder);
      for (const [name, version] of Object.entries({
        ...peerDependencies,
        ...devDependencies,
        ...dependencies,
      })) {
        versions.set(name, (versions.get(name) ?? new Set()).add(version));
      }
    }
    const wrong = [...versions].filter(
      ([, asked]) =>
        asked.size > 1 || ![...asked].every((version) => /^(\d+\.\d+\.\d+|workspace:\*)$/.test(version)),
    );
    expect(wrong.map(([name, asked]) => `${name} ${[...asked].join(' ')}`)).toEqual([]);
    expect(versions.size).toBeGreaterThan(0);
  });
});

describe('the map of the rooms', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const [, ...chapters] = page.split(/^### `packages\//m);
  const rooms = chapters.flatMap((chapter) => {
    const name = chapter.slice(0, chapter.indexOf('`'));
    return [...chapter.matchAll(/^\| `([^`]+)` \|/gm)].map(([, room]) => `packages/${name}/src/${room}`);
  });

  it('lists exactly the folders of sources', () => {
    const folders = packageNames.flatMap((name) =>
      sourcesOf(name)
        .map(({ path }) => dirname(path))
        .filter((folder) => folder.startsWith(`packages/${name}/src/`)),
    );
    const help =
      'give each folder of sources one row under "Rooms" in docs/architecture.md, and remove rows without a folder';
    expect([...rooms].sort(), help).toEqual([...new Set(folders)].sort());
    expect(rooms.length).toBeGreaterThan(50);
  });
});
