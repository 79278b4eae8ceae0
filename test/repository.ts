import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  /** The specifiers of its imports and re-exports, type-only and dynamic ones too. */
  readonly imports: readonly string[];
}

export const packageNames = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'package.json')),
);

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** The TypeScript files under packages/NAME/src; those of `examples` stand in one folder an example. */
export function sourcesOf(name: string): readonly SourceFile[] {
  const folder = name === 'examples' ? 'packages/examples' : `packages/${name}/src`;
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(^|\/)(node_modules|dist|test)\//.test(path))
    .map((path) => {
      const text = readFileSync(join(root, folder, path), 'utf8');
      return { path: `${folder}/${path}`, text, imports: importsIn(text) };
    });
}

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

export function withoutComments(text: string): string {
  // By line: a glob in a string, such as `/a/**`, would open a comment for anything cleverer.
  return text
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/\*|\*)/.test(line))
    .join('\n');
}

function importsIn(text: string): readonly string[] {
  // As the formatter writes them; a key `'--files-from': '…'` is none.
  const pattern = /(?:(?:^|[} ])from |^import |\bimport\(\s*)'([^'\n]+)'/gm;
  return [...withoutTemplates(withoutComments(text)).matchAll(pattern)].map(
    ([, specifier]) => specifier ?? '',
  );
}

/** Without texts over several lines: code that is written for others has imports of its own. */
function withoutTemplates(text: string): string {
  return text.replace(/`[^`]*`/g, '``');
}
