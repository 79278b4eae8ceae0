import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder and its missing parents. Node's `recursive` never ends below /proc. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const error = await attempt(path, mode);
  if (error === null) return;
  if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
  await makeFolder(dirname(path), mode);
  const again = await attempt(path, mode);
  if (again !== null) throw again;
}

/** Why the folder is unusable now, or null. */
async function attempt(path: string, mode: number): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path, { mode });
    return null;
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isFolder ? null : (error as NodeJS.ErrnoException);
  }
}
