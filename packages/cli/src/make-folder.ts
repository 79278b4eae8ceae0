import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A folder and those above it, as far as they are missing. Node's own way never ends below /proc. */
export async function makeFolder(path: string): Promise<void> {
  const error = await attempt(path);
  if (error === null) return;
  if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
  await makeFolder(dirname(path));
  const again = await attempt(path);
  if (again !== null) throw again;
}

/** Why there is no folder there now, or null. */
async function attempt(path: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path);
    return null;
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isFolder ? null : (error as NodeJS.ErrnoException);
  }
}
