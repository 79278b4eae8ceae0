import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { firstSegmentOf } from './find-first.js';

/** The first segments of the named logs, in order and once. A folder names all logs in it. */
export async function logsIn(paths: readonly string[]): Promise<readonly string[]> {
  const logs = new Set<string>();
  for (const path of paths)
    for (const file of await filesIn(resolve(path))) logs.add(await firstSegmentOf(file));
  return [...logs];
}

async function filesIn(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => join(path, name));
}
