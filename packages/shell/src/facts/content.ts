import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import type { JsonObject } from '@ambit/core';
import { digestOfPlain, isUnder } from '@ambit/toolsets';
import type { Folder, World } from '../world.js';

/** The most bytes of a file that are read for its digest. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Identifies the content of a file when the line begins: the SHA-256 of its bytes, read once. A file that
 * cannot be read or is larger than 32 MiB has its metadata instead, which change with each write.
 */
export type Content = { readonly sha256: string } | { readonly state: string };

/** Results for one line, by its listing. */
const contents = new WeakMap<World['listing'], Map<string, Content | null>>();

/** The content of a real path, read once for a line. Null unless it is a regular file. */
export function contentOf(real: string, { listing }: World): Content | null {
  const known = contents.get(listing) ?? new Map<string, Content | null>();
  contents.set(listing, known);
  const content = known.has(real) ? (known.get(real) ?? null) : look(real);
  known.set(real, content);
  return content;
}

/** These files with their contents, as the fact `files` of an opaque program; absent for an empty list. */
export function filesFact(paths: readonly string[], world: World): JsonObject {
  const files = [...new Set(paths)].flatMap((path) => {
    const content = contentOf(path, world);
    return content === null ? [] : [{ path, ...content }];
  });
  return files.length === 0 ? {} : { files };
}

/** The same for the files of a folder that define what a program of the table does there. */
export function definitionFacts(program: string | null, { real }: Folder, world: World): JsonObject {
  const names = real === null || program === null ? [] : definitionsOf(program);
  return filesFact(
    names.map((name) => posix.join(real ?? '/', name)),
    world,
  );
}

/** Whether earlier commands of the line may have written or removed a file before it is read. */
export function mayBeChanged(real: string, { changes }: World): boolean {
  const { created, removed, open } = changes;
  return (
    created.has(real) ||
    [...removed].some((path) => isUnder(real, path)) ||
    [...open].some((folder) => isUnder(real, folder))
  );
}

function look(real: string): Content | null {
  try {
    if (!lstatSync(real).isFile()) return null;
  } catch {
    return null;
  }
  const sha256 = digestOfPlain(real, { most: mostBytes, follow: false });
  return sha256 === null ? stateOf(real) : { sha256 };
}

function stateOf(real: string): Content | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(real, { bigint: true });
    return { state: [dev, ino, size, mtimeNs, ctimeNs].join(' ') };
  } catch {
    return null;
  }
}

/** Files in the working folder that define what a program runs, by its name; existing ones count. */
const definitions: ReadonlyMap<string, readonly string[]> = new Map([
  ...forAll(['make', 'gmake'], ['GNUmakefile', 'makefile', 'Makefile']),
  ...forAll(['npm', 'npx', 'yarn', 'pnpm', 'bun'], ['package.json', '.npmrc']),
  ...forAll(['cargo'], ['Cargo.toml', 'build.rs']),
  ...forAll(['just'], ['justfile', 'Justfile', '.justfile']),
  ...forAll(['go'], ['go.mod']),
  ...forAll(['mvn'], ['pom.xml']),
  ...forAll(['gradle'], ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts']),
  ...forAll(['ninja'], ['build.ninja']),
  ...forAll(['cmake'], ['CMakeLists.txt']),
  ...forAll(['tox'], ['tox.ini', 'pyproject.toml', 'setup.cfg']),
  ...forAll(['pytest'], ['pytest.ini', 'pyproject.toml', 'conftest.py', 'setup.cfg']),
  ...forAll(['pip', 'pip3'], ['setup.py', 'pyproject.toml', 'setup.cfg']),
  ...forAll(['rake'], ['Rakefile', 'rakefile']),
  ...forAll(['docker', 'docker-compose'], ['Dockerfile', 'compose.yaml', 'docker-compose.yml']),
]);

/** The names of the files that define what an opaque program does in a folder. */
export function definitionsOf(program: string): readonly string[] {
  return definitions.get(program) ?? [];
}

function forAll(
  programs: readonly string[],
  files: readonly string[],
): readonly (readonly [string, readonly string[]])[] {
  return programs.map((program) => [program, files]);
}
