import { statSync } from 'node:fs';

/** The bytes of a file that did not change while it was read: a part of a policy may lack its restrictions. */
export async function readUnchanged(path: string, read: () => Promise<Buffer>): Promise<Buffer> {
  for (let tries = 0; tries < 5; tries += 1) {
    const before = stateOf(path);
    const bytes = await read();
    if (stateOf(path) === before) return bytes;
  }
  throw new Error('it is written to while it is read');
}

function stateOf(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}
