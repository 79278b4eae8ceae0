import { open, rm } from 'node:fs/promises';
import { errorCode } from '@ambit/core';

/** Creates a file with this text, or none. False if it exists. */
export async function writeNew(file: string, text: string): Promise<boolean> {
  const handle = await open(file, 'wx').catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
    return null;
  });
  if (handle === null) return false;
  try {
    await handle.writeFile(text);
  } catch (error) {
    await rm(file, { force: true });
    // The system names no file whose content it refuses.
    throw Object.assign(error as Error, { path: file });
  } finally {
    await handle.close();
  }
  return true;
}
