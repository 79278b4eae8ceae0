import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** What git would commit here: tracked files, and new ones that are not ignored. */
export function committedFiles(): readonly string[] {
  if (!existsSync(join(root, '.git'))) return unpackedFiles();
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return list.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

/** The same for a checkout that came without git, as from an archive. */
function unpackedFiles(folder = ''): readonly string[] {
  const made = new Set([
    'node_modules',
    'dist',
    'dist-bench',
    'types',
    'coverage',
    '.turbo',
    '.build',
    '.ambit',
  ]);
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !made.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return unpackedFiles(path);
      return entry.isFile() ? [path] : [];
    });
}
