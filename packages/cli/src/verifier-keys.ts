import { resolve } from 'node:path';
import { parseVerifierKey, readRegular, type VerifierKey } from '@ambit/audit';
import { signingKey, stateFolderOf } from '@ambit/runtime';
import { UnusableError } from './failure.js';
import type { Host } from './host.js';

/** The keys that logs are held to: those in these files. */
export async function verifierKeys(host: Host, files: readonly string[]): Promise<readonly VerifierKey[]> {
  return Promise.all(
    files.map(async (file) => keyIn(file, (await readRegular(resolve(host.folder, file))).toString())),
  );
}

/** The key of this folder, where it has one: the log of a run of its own is held to it, whatever key the log names. */
export async function ownKey(host: Host): Promise<VerifierKey | null> {
  return (await signingKey(await stateFolderOf(host.environment, host.folder)))?.verifier ?? null;
}

function keyIn(file: string, text: string): VerifierKey {
  const key = parseVerifierKey(text);
  if (key !== null) return key;
  throw new UnusableError(
    text.startsWith('PRIVATE+KEY+')
      ? `${file} is the key that signs; whoever verifies needs the other half, and nobody else this one`
      : `${file} holds no verifier key`,
    '`ambit log key` prints it',
  );
}
