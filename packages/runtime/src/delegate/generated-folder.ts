import { lstat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createWhole } from '@ambit/audit';
import { failureOf, inFolder } from '@ambit/toolsets';

/** The folder of created workers, inside the registry's folder; none is loaded from there. */
export const generatedFolder = 'generated';

/** Why a new worker cannot have this name, or null. */
export async function nameProblem(folder: string, name: string): Promise<string | null> {
  const file = `${name}.worker`;
  // For the model: without the folder's path on the host.
  for (const path of [file, join(generatedFolder, file)])
    if (await isThere(join(folder, path))) return `there is a worker \`${name}\` already: ${path}`;
  return null;
}

/** Writes a new worker file, and removes it if a later step fails. Rejects an existing name and a linked folder. */
export async function writeGenerated<T>(
  folder: string,
  file: { readonly name: string; readonly text: string },
  then: () => T,
): Promise<T> {
  const taken = await nameProblem(folder, file.name);
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
    // An unreadable folder hides its files.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}
