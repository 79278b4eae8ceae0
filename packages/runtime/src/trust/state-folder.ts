import { hash, randomBytes } from 'node:crypto';
import { chmod, lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { createOnce, ifThere, makeFolder, readNamed } from '@ambit/audit';
import { errorCode, messageOf, systemWords } from '@ambit/core';
import { realOf } from './own-files.js';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** `AMBIT_HOME`, else under `XDG_STATE_HOME`, else under the home folder. Outside the tools' reach. */
export function stateFolder(environment: Environment): string {
  const { AMBIT_HOME, XDG_STATE_HOME } = environment;
  if (AMBIT_HOME !== undefined && AMBIT_HOME !== '') return absolute('AMBIT_HOME', AMBIT_HOME);
  if (XDG_STATE_HOME !== undefined && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'ambit');
  return join(homeFolder(environment), '.local', 'state', 'ambit');
}

export function homeFolder(environment: Environment): string {
  const { HOME } = environment;
  return HOME !== undefined && isAbsolute(HOME) ? HOME : homedir();
}

/** The real path; unchanged if it does not exist. */
export function realHome(environment: Environment): string {
  return realOf(homeFolder(environment));
}

/** Creates the folder for a working folder, mode 0700. Throws if others could write it. */
export async function openStateFolder(environment: Environment, root: string): Promise<string> {
  const folder = await stateFolderOf(environment, root);
  await makePrivate(stateFolder(environment), folder);
  return folder;
}

export async function stateFolderOf(environment: Environment, root: string): Promise<string> {
  const real = await realpath(root);
  // The name is for people, and limited by file systems.
  const name = [...basename(real)].slice(0, 40).join('') || 'root';
  return join(stateFolder(environment), `${name}-${digestOf(real)}`);
}

function digestOf(real: string): string {
  return hash('sha256', real).slice(0, 16);
}

/** The name, shortened so that the digest fits behind it. */
function shortened(name: string): string {
  const characters = [...name];
  while (Buffer.byteLength(characters.join('')) > mostBytes) characters.pop();
  return characters.join('');
}

const mostBytes = 255 - '-0123456789abcdef'.length;

/** The default folder of logs: the base name of the real path, and its digest. */
export async function logFolderOf(environment: Environment, root: string): Promise<string> {
  const real = await realpath(root);
  return join(stateFolder(environment), 'log', `${shortened(basename(real))}-${digestOf(real)}`);
}

/** Created with mode 0700. Throws if others could write it. */
export async function openLogFolder(environment: Environment, root: string): Promise<string> {
  const folder = await logFolderOf(environment, root);
  await makePrivate(stateFolder(environment), dirname(folder), folder);
  return folder;
}

/** 32 random bytes, created at the first use, mode 0600. */
export async function logKey(folder: string): Promise<Uint8Array> {
  const file = join(folder, 'log.key');
  const key = (await ifThere(readNamed(file, 64))) ?? (await madeKey(file));
  if (key.length === 32) return key;
  throw new Error(`${file} is not a key of 32 bytes: remove it, and a new one is made`);
}

/** The key of the digests in a working folder's logs; null for none. */
export async function knownLogKey(environment: Environment, root: string): Promise<Uint8Array | null> {
  const key = await ifThere(readNamed(join(await stateFolderOf(environment, root), 'log.key'), 64));
  return key?.length === 32 ? key : null;
}

/** Atomic: the first of several processes wins. */
async function madeKey(file: string): Promise<Uint8Array> {
  await createOnce(file, randomBytes(32));
  return readNamed(file);
}

/** Outermost first. Throws if another user owns or may write one. */
export async function makePrivate(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await makeFolder(folder, 0o700).catch((error: unknown) => {
      const why = systemWords(error) ?? messageOf(error);
      const message = `the state folder ${folder} cannot be made: ${why}: it must be a folder that you can write`;
      throw Object.assign(new Error(message), { code: errorCode(error) });
    });
    await requirePrivate(folder);
  }
}

/** Throws if another user owns or may write the folder. */
export async function requirePrivate(folder: string): Promise<void> {
  const status = await lstat(folder);
  const uid = process.getuid?.() ?? -1;
  if (!status.isDirectory()) throw new Error(`the state folder ${folder} is not a folder`);
  if (uid >= 0 && status.uid !== uid)
    throw new Error(`the state folder ${folder} belongs to another user: set AMBIT_HOME to another one`);
  if ((status.mode & 0o022) !== 0)
    throw new Error(`the state folder ${folder} can be written by others: chmod 700 it`);
  if ((status.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

function absolute(variable: string, path: string): string {
  if (!isAbsolute(path)) throw new Error(`${variable} is not an absolute path: ${path}`);
  return path;
}
