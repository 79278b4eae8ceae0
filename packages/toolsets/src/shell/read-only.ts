import { posix } from 'node:path';
import type { Capability } from '@ambit/core';
import { rootsInWords } from '../filesystem/place.js';
import { type OpenRoot, type Roots, rootsAt } from '../filesystem/root.js';
import { isUnder } from '../paths.js';

/** Why what a command would do is forbidden by a root, whoever permits it: it changes one that is read only. Null where it does not. */
export function problemOfReadOnly(capabilities: readonly Capability[], roots: Roots): string | null {
  for (const { name, path } of capabilities) {
    if (!changing.has(name) || typeof path !== 'string') continue;
    const root = rootsAt(path, roots).find(({ mode }) => mode === 'ro');
    if (root === undefined) continue;
    return `the command would change \`${shownIn(root, path)}\`, which lies in a root that is read only: ${rootsInWords(roots)}`;
  }
  return null;
}

const changing: ReadonlySet<string> = new Set(['fs.write', 'fs.delete', 'fs.meta']);

function shownIn({ name, folder, real }: OpenRoot, path: string): string {
  return posix.join(name, posix.relative(isUnder(path, folder) ? folder : real, path));
}
