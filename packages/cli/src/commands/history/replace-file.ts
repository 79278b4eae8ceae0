import { stat } from 'node:fs/promises';
import { readRegular, writeWhole } from '@ambit/audit';

/** Puts another text in the place of a file's, whole or not at all; false where the file says something else by now. */
export async function replaceFile(
  file: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<boolean> {
  const { mode } = await stat(file);
  const mayReplace = async () => (await readRegular(file)).toString() === before;
  return writeWhole(file, after, { mode: mode & 0o777, mayReplace });
}
