import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createOnce, createSigningKey, parseSigningKey, readRegular, type SigningKey } from '@ambit/audit';
import { errorCode } from '@ambit/core';
import { causeOf } from '@ambit/policy';

/** Null for none. Throws on an unusable key: a log is never silently unsigned. */
export async function signingKey(folder: string): Promise<SigningKey | null> {
  const file = signingKeyFile(folder);
  const text = await readPrivateKeyFile(file);
  if (text === null) return null;
  const key = parseSigningKey(text);
  if (key !== null) return key;
  throw new Error(
    `${file} is not a signing key: put back the one that was there, or remove it, and nothing is signed`,
  );
}

/** `isNew`: whether the key was created now. */
export async function makeSigningKey(
  folder: string,
): Promise<{ readonly key: SigningKey; readonly isNew: boolean }> {
  const found = await signingKey(folder);
  if (found !== null) return { key: found, isNew: false };
  const made = createSigningKey(`ambit/${basename(folder).replace(/[^A-Za-z0-9._-]/g, '-')}`);
  const isNew = await createOnce(signingKeyFile(folder), `${made.secret}\n`);
  // The first of several simultaneous creators wins.
  return isNew ? { key: made, isNew } : makeSigningKey(folder);
}

export function signingKeyFile(folder: string): string {
  return join(folder, 'signing.key');
}

/** Null without a file; a key that others may read or change is unusable. */
async function readPrivateKeyFile(file: string): Promise<string | null> {
  try {
    const status = await lstat(file);
    const uid = process.getuid?.() ?? status.uid;
    const wrong = !status.isFile()
      ? 'is not a regular file'
      : status.uid !== uid
        ? 'belongs to another user'
        : (status.mode & 0o077) !== 0
          ? 'can be read or written by others: make a new one, or chmod 600 it if you know that no one did'
          : null;
    if (wrong !== null) throw new Error(`the signing key ${file} ${wrong}`);
    return (await readRegular(file)).toString();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return null;
    throw code === null ? error : new Error(`the signing key ${file} cannot be read: ${causeOf(error)}`);
  }
}
