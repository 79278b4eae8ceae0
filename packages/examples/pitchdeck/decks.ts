import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The endings of deck names; the worker file has the same two. */
const suffix = /\.(?:pdf|PDF)$/;

/** The PDFs that lie directly in a folder, by name, sorted. Rejects when the folder cannot be read. */
export async function decksIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => suffix.test(name) && name.length > 4).sort();
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

/** A deck's name without its suffix. */
export function deckName(deck: string): string {
  return deck.replace(suffix, '');
}

/** The report on `aurora.pdf` is `aurora.md`. */
export function reportName(deck: string): string {
  return `${deckName(deck)}.md`;
}
