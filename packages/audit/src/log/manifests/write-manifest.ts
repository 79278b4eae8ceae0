import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { errorCode, messageOf, orNull } from '@ambit/core';
import { LogError } from '../files/log-error.js';
import { whyShared } from '../files/regular-file.js';
import type { KeepMembers } from './list-sets.js';
import { hmacOf, manifestFolder, manifestPath, manifestText, maxManifestBytes } from './manifest-file.js';
import { loadManifest } from './read-manifest.js';

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
  const wrong = status.isDirectory() ? whyShared(status) : 'is not a folder';
  if (wrong !== null) throw new Error(`${folder} ${wrong}`);
}

function isThere(file: string, of: { readonly key: Uint8Array; readonly digest: string }): boolean {
  const found = loadManifest(file);
  return typeof found !== 'string' && hmacOf(of.key, found.text) === of.digest;
}

/** Writes atomically. A whole file stays: another run may have written it, and watches it. */
function write(file: string, bytes: Buffer, isWhole: () => boolean): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    // Fast rather than small: the caller waits.
    const packed = gzipSync(bytes, { level: 1 });
    writeFileSync(draft, packed, { flag: 'wx', mode: 0o600, flush: true });
    if (orNull(() => linkSync(draft, file)) === null && !isWhole()) renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  sync(dirname(file));
}

function sync(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
