import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The PDFs that lie directly in a folder, by name, sorted. Rejects when the folder cannot be read. */
export async function decksIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pdf') && name !== '.pdf').sort();
  const isFile = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (status) => status.isFile(),
        () => false,
      ),
    ),
  );
  return names.filter((_, index) => isFile[index]);
}

/** `aurora.pdf` is reported on in `aurora.md`. */
export function reportName(deck: string): string {
  return deck.replace(/\.pdf$/, '.md');
}
