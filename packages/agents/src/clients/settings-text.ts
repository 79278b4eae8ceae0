import { readRegularSync } from '@ambit/audit';

/**
 * The text of a file; null if it is missing. It reads synchronously: a hook reads small files, for which a
 * thread would take longer.
 */
export function textOf(file: string): string | null {
  try {
    return readRegularSync(file).toString();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** The same, but a NUL if it is unreadable, because the client may read it differently. */
export function readableTextOf(file: string): string | null {
  try {
    return textOf(file);
  } catch {
    return '\0';
  }
}

/** JSON as agents write it: comments are allowed, and a comma after the last member. Throws `SyntaxError`. */
export function jsonWithComments(text: string): unknown {
  // A text is kept unchanged; a comment becomes a blank. A comma is kept only if a value follows it.
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(
      /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, kept: string | undefined) => kept ?? ' ',
    )
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, kept: string | undefined) => kept ?? '');
  return JSON.parse(plain);
}
