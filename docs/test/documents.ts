import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Document {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

/** Everything in Markdown that is meant for readers. */
export function documents(): readonly Document[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  const examples = readdirSync(join(root, 'packages/examples')).map((name) => `packages/examples/${name}`);
  const paths = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...markdownIn('docs'),
    ...markdownIn('docs/decisions'),
    ...[...packages, ...examples].map((folder) => `${folder}/README.md`),
  ];
  return paths
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function markdownIn(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);
}
