import { readdirSync, realpathSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import type { JsonObject } from '@ambit/core';
import { textOf, type Word } from '../word.js';
import type { Folder, World } from '../world.js';
import { filesFact } from './content.js';

/** An opaque program, where it starts, and its words, the first of which names it. */
export interface Started {
  /** Its name in the table of programs. */
  readonly program: string | null;
  readonly words: readonly Word[];
  readonly folder: Folder;
}

/**
 * The files that define what an opaque program does, with their contents: those of its working folder or else of the
 * nearest one above, of the folders that its words name, files that an option names, and manifests of workspaces.
 */
export function definitionFacts({ program, words, folder: { real } }: Started, world: World): JsonObject {
  const names = program === null ? undefined : definitions.get(program);
  if (names === undefined || real === null) return {};
  const inFolder = (folder: string) => names.map((name) => posix.join(folder, name));
  const said = words.slice(1).map((word) => textOf(word) ?? '');
  const named = said.flatMap((text, index) => namedBy(text, said[index - 1] ?? '', { real, inFolder }));
  const workspaces = managers.includes(program ?? '') && said.some((text) => selects.test(text));
  const files = [...nearest(real, inFolder), ...named, ...(workspaces ? manifestsBelow(real) : [])];
  return filesFact(
    files.filter((file) => kindOf(file) === 'file').map((file) => realpathSync(file)),
    world,
  );
}

function nearest(real: string, inFolder: (folder: string) => readonly string[]): readonly string[] {
  for (let folder = real; ; folder = posix.dirname(folder)) {
    const files = inFolder(folder);
    if (folder === '/' || files.some((file) => kindOf(file) === 'file')) return files;
  }
}

/** What one word names: `DIR`, `-CDIR`, `--prefix=DIR`, `-f FILE`, `--manifest-path FILE`. */
function namedBy(
  text: string,
  before: string,
  { real, inFolder }: { readonly real: string; readonly inFolder: (folder: string) => readonly string[] },
): readonly string[] {
  const glued = /^(--[a-z-]+=|-[A-Za-z])(.+)$/s.exec(text);
  const forms = [
    [text, before] as const,
    ...(glued === null ? [] : [[glued[2] ?? '', glued[1] ?? ''] as const]),
  ];
  return forms.flatMap(([value, option]) => {
    const path = posix.resolve(real, value);
    const kind = value === '' ? null : kindOf(path);
    if (kind === 'folder') return nearest(path, inFolder);
    const isDefinition = settings.test(option) || allNames.has(posix.basename(path));
    return kind === 'file' && isDefinition ? [path] : [];
  });
}

/** Options whose value is a file that says what runs. */
const settings = /^(?:-f|-c|--(?:file|makefile|manifest-path|config|config-file|rcfile)=?)$/;

/** Words by which package managers run scripts of other packages. */
const selects = /^(?:-w|-F|-r|-ws|--workspace|--filter|--recursive|workspace|foreach|--scope|--projects)/;
const managers = ['npm', 'yarn', 'pnpm', 'bun', 'lerna', 'nx', 'turbo'];

/** Workspaces lie at most this deep, and in the first of so many folders. */
const deepest = 3;
const mostFolders = 1000;

function manifestsBelow(real: string): readonly string[] {
  const found: string[] = [];
  let folders = 0;
  const walk = (folder: string, depth: number): void => {
    for (const entry of listed(folder)) {
      folders += 1;
      if (folders > mostFolders) return;
      const path = posix.join(folder, entry);
      if (kindOf(posix.join(path, 'package.json')) === 'file') found.push(posix.join(path, 'package.json'));
      if (depth < deepest) walk(path, depth + 1);
    }
  };
  walk(real, 1);
  return found;
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}

function kindOf(path: string): 'file' | 'folder' | null {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return 'folder';
    return stat.isFile() ? 'file' : null;
  } catch {
    return null;
  }
}

const javascript = ['package.json', '.npmrc'];

/** Files that define what a program runs, by its name in the table; existing ones count. */
const definitions: ReadonlyMap<string, readonly string[]> = new Map([
  ...forAll(['make', 'gmake'], ['GNUmakefile', 'makefile', 'Makefile']),
  ...forAll(['npm', 'npx', 'yarn', 'pnpm', 'bun'], javascript),
  ...forAll(['lerna', 'nx', 'turbo'], [...javascript, 'lerna.json', 'nx.json', 'turbo.json']),
  ...forAll(['cargo'], ['Cargo.toml', 'build.rs']),
  ...forAll(['just'], ['justfile', 'Justfile', '.justfile']),
  ...forAll(['go'], ['go.mod']),
  ...forAll(['mvn'], ['pom.xml']),
  ...forAll(['gradle'], ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts']),
  ...forAll(['ninja'], ['build.ninja']),
  ...forAll(['cmake'], ['CMakeLists.txt']),
  ...forAll(['tox'], ['tox.ini', 'pyproject.toml', 'setup.cfg']),
  ...forAll(['nox'], ['noxfile.py']),
  ...forAll(['pre-commit'], ['.pre-commit-config.yaml']),
  ...forAll(['pytest'], ['pytest.ini', 'pyproject.toml', 'conftest.py', 'setup.cfg']),
  ...forAll(['pip', 'pip3'], ['setup.py', 'pyproject.toml', 'setup.cfg']),
  ...forAll(['rake'], ['Rakefile', 'rakefile']),
  ...forAll(['docker', 'docker-compose'], ['Dockerfile', 'compose.yaml', 'docker-compose.yml']),
]);

const allNames: ReadonlySet<string> = new Set([...definitions.values()].flat());

function forAll(
  programs: readonly string[],
  files: readonly string[],
): readonly (readonly [string, readonly string[]])[] {
  return programs.map((program) => [program, files]);
}
