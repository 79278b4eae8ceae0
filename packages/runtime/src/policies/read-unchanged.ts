import { statSync } from 'node:fs';
import { stateOf } from '@ambit/audit';

/** The bytes of a file that did not change while it was read: a part of a policy may lack its restrictions. */
export async function readUnchanged(path: string, read: () => Promise<Buffer>): Promise<Buffer> {
  for (let tries = 0; tries < 5; tries += 1) {
    const before = stateOf(path, statSync);
    const bytes = await read();
    if (stateOf(path, statSync) === before) return bytes;
  }
  throw new Error('it is written to while it is read');
}
