import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseVerifierKey, readRegular, type VerifierKey } from '@ambit/audit';
import { signingKey, stateFolder, stateFolderOf } from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';

export async function verifierKeys(host: Host, files: readonly string[]): Promise<readonly VerifierKey[]> {
  return Promise.all(
    files.map(async (file) => keyIn(file, (await readRegular(resolve(host.folder, file))).toString())),
  );
}

export async function ownKey(host: Host): Promise<VerifierKey | null> {
  return (await signingKey(await stateFolderOf(host.environment, host.folder)))?.verifier ?? null;
}

/** The key of the folder whose run wrote a log. Null without such a folder; `key` is null without a key. */
export async function keyOfLog(
  host: Host,
  log: string,
): Promise<{ readonly key: VerifierKey | null } | null> {
  const state = stateFolder(host.environment);
  const [logs = '', project = ''] = relative(state, log).split(sep);
  if (logs === 'log' && project !== '') {
    // A long name is shortened, its digest is not.
    const parts = await readdir(state).catch(() => []);
    const part = parts.find((name) => name.slice(-16) === project.slice(-16)) ?? project;
    return { key: (await signingKey(join(state, part)))?.verifier ?? null };
  }
  for (let folder = dirname(log); ; folder = dirname(folder)) {
    const kept = await stateFolderOf(host.environment, folder).catch(() => null);
    if (kept !== null && existsSync(kept)) return { key: (await signingKey(kept))?.verifier ?? null };
    if (folder === dirname(folder)) return null;
  }
}

function keyIn(file: string, text: string): VerifierKey {
  const key = parseVerifierKey(text);
  if (key !== null) return key;
  throw new UnusableError(
    text.startsWith('PRIVATE+KEY+')
      ? `${file} is the secret key that signs; verifying needs the public key`
      : `${file} holds no public key`,
    '`ambit log key` prints it',
  );
}
