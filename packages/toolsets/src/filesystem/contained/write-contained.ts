import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorCode } from '@ambit/core';
import { changed } from '../roots/failure.js';
import { type HeldFolder, inFolder } from '../roots/folder.js';
import type { RealPlace } from '../roots/place.js';
import type { Roots } from '../roots/root.js';

/** Writes a file atomically, without following links. Throws if an undescribed file is in its place. */
export async function writeContained(
  place: RealPlace,
  bytes: Uint8Array,
  { roots, replaces }: { readonly roots: Roots; readonly replaces: Stats | null },
): Promise<void> {
  const name = posix.basename(place.real);
  const walk = { folder: posix.dirname(place.real), create: place.missing, descriptors: roots.descriptors };
  await inFolder(walk, (held) => writeHeld(held, { name, shown: place.shown, bytes, replaces }));
}

interface Writing {
  readonly name: string;
  readonly shown: string;
  readonly bytes: Uint8Array;
  /** The replaced file, in its last checked state. */
  readonly replaces: Stats | null;
}

/** The same in a folder that is held already. */
export async function writeHeld(held: HeldFolder, { name, shown, bytes, replaces }: Writing): Promise<void> {
  const temporary = held.at(`.ambit-${randomBytes(12).toString('hex')}.tmp`);
  const file = await open(temporary, createOnly, replaces === null ? 0o666 : 0o600);
  try {
    await file.writeFile(bytes);
    if (replaces !== null) await keepOwnerAndMode(file, replaces);
    await file.sync();
    if (replaces === null) await nameNew(temporary, held.at(name));
    else await replace(temporary, held.at(name), { shown, replaces });
    // Another writer of this folder may have replaced the temporary file.
    if (!isSame(await lstat(held.at(name)), await file.stat())) throw changed(shown);
    await syncFolder(held);
  } finally {
    await file.close();
    await unlink(temporary).catch(() => undefined);
  }
}

const createOnly = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;

/** Whether both are one file, while one of them is held. */
export function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** Whether a file is unchanged between two checks by its metadata: inode numbers are reused. */
export function isUnchanged(one: Stats, other: Stats): boolean {
  return (
    isSame(one, other) &&
    one.mode === other.mode &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs
  );
}

async function replace(
  temporary: string,
  target: string,
  { shown, replaces }: Pick<Writing, 'shown'> & { replaces: Stats },
): Promise<void> {
  if (!isUnchanged(await lstat(target), replaces)) throw changed(shown);
  await rename(temporary, target);
}

/** Gives a file a new name; throws `EEXIST` if the name exists. */
async function nameNew(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    if (!lacksHardLinks(error)) throw error;
    await claimName(temporary, target);
  }
}

/** For file systems without hard links, and across file systems. */
export function lacksHardLinks(error: unknown): boolean {
  return ['EPERM', 'EXDEV', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '');
}

/** As `nameNew`, but a reader in between, or after a crash, sees an empty file. */
export async function claimName(temporary: string, target: string): Promise<void> {
  const claim = await open(target, createOnly, 0o600);
  await claim.close();
  await rename(temporary, target);
}

async function keepOwnerAndMode(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  // A user who cannot change owners keeps the file: the content was requested.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => undefined);
  await file.chmod(mode & 0o777);
}

/** Makes the name durable; if the folder cannot be opened for reading, this is left to the system. */
async function syncFolder({ self }: HeldFolder): Promise<void> {
  const folder = await open(self, constants.O_RDONLY | constants.O_DIRECTORY).catch(() => null);
  if (folder === null) return;
  try {
    await folder.sync().catch(() => undefined);
  } finally {
    await folder.close();
  }
}
