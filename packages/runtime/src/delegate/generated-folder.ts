import { lstat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createWhole } from '@ambit/audit';
import { failureOf, inFolder } from '@ambit/toolsets';

/** Where workers that a run creates are kept, in the folder of the registry; nothing loads them from there. */
export const generatedFolder = 'generated';

/** Why there cannot be a new worker of this name, or null. Looks, and changes nothing. */
export async function takenBy(folder: string, name: string): Promise<string | null> {
  const file = `${name}.worker`;
  // A model is told this: where the folder is on the host is none of its business.
  for (const path of [file, join(generatedFolder, file)])
    if (await isThere(join(folder, path))) return `there is a worker \`${name}\` already: ${path}`;
  return null;
}

/**
 * Writes a new worker file at once and whole, and undoes that where what comes afterwards fails. Rejects, with nothing written,
 * where there is something of that name, and where the folder is a link.
 */
export async function writeGenerated<T>(
  folder: string,
  file: { readonly name: string; readonly text: string },
  then: () => T,
): Promise<T> {
  const taken = await takenBy(folder, file.name);
  if (taken !== null) throw new Error(taken);
  const generated = join(folder, generatedFolder);
  const walk = { folder: generated, create: [generated], descriptors: '/proc/self/fd' };
  const writing = inFolder(walk, async (held) => {
    const path = held.at(`${file.name}.worker`);
    await createWhole(path, file.text, { mode: 0o644 });
    try {
      return then();
    } catch (error) {
      await unlink(path);
      throw error;
    }
  });
  return writing.catch((error: unknown) => {
    throw failureOf(error, join(generatedFolder, `${file.name}.worker`));
  });
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    // A folder that may not be read hides what is in it.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}
