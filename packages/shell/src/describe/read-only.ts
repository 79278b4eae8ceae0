import { posix } from 'node:path';
import { type Capability, fileSetOf, type Json } from '@ambit/core';
import { isUnder, type OpenRoot, type Roots, rootsAt, rootsInWords } from '@ambit/toolsets';

/** Why a root forbids a command, whatever the policy: it changes a read-only root. Null if it does not. */
export function problemOfReadOnly(capabilities: readonly Capability[], roots: Roots): string | null {
  for (const { name, path } of capabilities) {
    if (!changing.has(name)) continue;
    for (const changed of pathsIn(path)) {
      const root = rootsAt(changed, roots).find(({ mode }) => mode === 'ro');
      if (root === undefined) continue;
      return `the command would change \`${shownIn(root, changed)}\`, which lies in a root that is read only: ${rootsInWords(roots)}`;
    }
  }
  return null;
}

/** The paths that certainly change: of an open set its known members. */
function pathsIn(path: Json | undefined): readonly string[] {
  return typeof path === 'string' ? [path] : (fileSetOf(path)?.paths ?? []);
}

const changing: ReadonlySet<string> = new Set(['fs.write', 'fs.delete', 'fs.meta']);

function shownIn({ name, folder, real }: OpenRoot, path: string): string {
  return posix.join(name, posix.relative(isUnder(path, folder) ? folder : real, path));
}
