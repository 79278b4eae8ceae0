import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { errorCode, messageOf, orNull } from '@ambit/core';
import { LogError } from '../files/log-error.js';
import type { KeepMembers } from './list-sets.js';
import { hmacOf, manifestFolder, manifestPath, manifestText, maxManifestBytes } from './manifest-file.js';
import { loadManifest } from './read-manifest.js';

const { O_WRONLY, O_RDONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Writes members durably to private manifests beside a log; throws a `LogError`. `onKept` gets each file. */
export function keepManifests(log: string, key: Uint8Array, onKept: (file: string) => void): KeepMembers {
  const folder = join(dirname(log), manifestFolder);
  const kept = new Set<string>();
  return (members) => {
    const text = manifestText(members);
    const digest = hmacOf(key, text);
    if (kept.has(digest)) return digest;
    const file = manifestPath(folder, digest);
    const bytes = Buffer.from(text);
    if (bytes.length > maxManifestBytes)
      throw new LogError('TOO_LONG', `a file set of ${bytes.length} bytes is too long for a manifest`, {
        file,
      });
    try {
      prepare(folder);
      const isWhole = () => isThere(file, { key, digest });
      if (!isWhole()) write(file, bytes, isWhole);
      onKept(file);
    } catch (error) {
      const message = `the log cannot be written: a manifest failed: ${messageOf(error)}`;
      throw new LogError('WRITE_FAILED', message, { file, cause: error });
    }
    kept.add(digest);
    return digest;
  };
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    sync(dirname(folder));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const status = lstatSync(folder);
  if (!status.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (process.getuid !== undefined && status.uid !== process.getuid())
    throw new Error(`${folder} belongs to another user`);
  if ((status.mode & 0o022) !== 0) throw new Error(`${folder} may be written by others`);
}

function isThere(file: string, of: { readonly key: Uint8Array; readonly digest: string }): boolean {
  const found = loadManifest(file);
  return typeof found !== 'string' && hmacOf(of.key, found.text) === of.digest;
}

/** Writes atomically. A whole file stays: another run may have written it, and watches it. */
function write(file: string, bytes: Buffer, isWhole: () => boolean): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const descriptor = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    try {
      // Fast rather than small: the caller waits.
      const packed = gzipSync(bytes, { level: 1 });
      for (let written = 0; written < packed.length; ) written += writeSync(descriptor, packed, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (orNull(() => linkSync(draft, file)) === null && !isWhole()) renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  sync(dirname(file));
}

function sync(folder: string): void {
  const descriptor = openSync(folder, O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
