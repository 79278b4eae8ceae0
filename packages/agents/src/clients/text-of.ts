import { readRegularSync } from '@ambit/audit';

/** The text of a file; null where it is missing. At once: a hook reads small files, and waiting for a thread takes longer. */
export async function textOf(file: string): Promise<string | null> {
  try {
    return readRegularSync(file).toString();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
