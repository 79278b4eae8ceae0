import { readRegularSync } from '@ambit/audit';

/**
 * The text of a file; null if it is missing. It reads synchronously: a hook reads small files, for which a
 * thread would take longer.
 */
export async function textOf(file: string): Promise<string | null> {
  try {
    return readRegularSync(file).toString();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
