import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { readRegular } from '@ambit/audit';

/** Puts another text in the place of a file's, whole or not at all; false where the file says something else by now. */
export async function replaceFile(
  file: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<boolean> {
  const { mode } = await stat(file);
  const beside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(beside, 'wx', mode & 0o777);
  try {
    await handle.writeFile(after);
    await handle.chmod(mode & 0o777);
    await handle.sync();
    await handle.close();
    if ((await readRegular(file)).toString() !== before) return false;
    await rename(beside, file);
    return true;
  } finally {
    await handle.close().catch(() => undefined);
    await rm(beside, { force: true });
  }
}
