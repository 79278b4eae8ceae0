import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';

/**
 * The suites that these paths mean: a file itself, of a folder all `*.test.yaml` in it and below, by name. Each once. Links to folders are
 * not followed; hidden folders and `node_modules` are not looked into.
 */
export async function suiteFiles(host: Host, paths: readonly string[]): Promise<readonly string[]> {
  const given = paths.length === 0 ? ['.'] : paths;
  const found: string[] = [];
  for (const path of given) {
    const isFolder = (await stat(resolve(host.folder, path))).isDirectory();
    const files = isFolder ? await suitesBelow(host, path) : [path];
    if (files.length === 0)
      throw new UnusableError(`no suite in ${path}`, 'a suite is a file NAME.test.yaml');
    found.push(...files);
  }
  const seen = new Set<string>();
  const once: string[] = [];
  for (const file of found) {
    const real = await realpath(resolve(host.folder, file));
    if (!seen.has(real)) once.push(file);
    seen.add(real);
  }
  return once;
}

async function suitesBelow(host: Host, folder: string): Promise<readonly string[]> {
  const entries = await readdir(resolve(host.folder, folder), { withFileTypes: true });
  const found: string[] = [];
  for (const entry of [...entries].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules')
        found.push(...(await suitesBelow(host, path)));
    } else if (/\.test\.ya?ml$/.test(entry.name) && (await isFile(host, path))) found.push(path);
  }
  return found;
}

/** A link that leads nowhere counts as a file, so that it is reported and not passed over. */
async function isFile(host: Host, path: string): Promise<boolean> {
  return stat(resolve(host.folder, path)).then(
    (found) => !found.isDirectory(),
    () => true,
  );
}
