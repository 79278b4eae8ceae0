/** A path as one word for a shell. */
export function shellWord(path: string): string {
  return /^[A-Za-z0-9_/.,:+@%=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
