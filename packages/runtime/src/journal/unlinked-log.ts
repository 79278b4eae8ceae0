import { lstat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/**
 * Refuses a log below `.ambit` of the working folder where a link lies on the way: a checkout that brings the link would
 * choose where the run is recorded, and which file is appended to.
 */
export async function requireUnlinked(root: string, log: string): Promise<void> {
  const names = relative(root, log).split(sep);
  if (names[0] !== '.ambit') return;
  for (const index of names.keys()) {
    const way = join(...names.slice(0, index + 1));
    const found = await lstat(join(root, way)).catch(() => null);
    if (found?.isSymbolicLink() === true)
      throw new Error(
        `the log cannot be written: ${way} is a link; remove it, or give another place with --log`,
      );
  }
}
