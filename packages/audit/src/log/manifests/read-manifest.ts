import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { errorCode, folderOf, type ListedSet, printable } from '@ambit/core';
import { readRegularSync } from '../files/regular-file.js';
import { isDigest } from '../line/members.js';
import { hmacOf, manifestFolder, manifestPath, maxManifestBytes } from './manifest-file.js';

/** The members of a listed set; text if they are missing. */
export type ReadMembers = (set: ListedSet) => readonly string[] | string;

/** The most members that are kept in memory. */
const mostKept = 1_000_000;

/** Reads the manifests beside a log. Without the key it checks only count and folder, not the digest. */
export function readManifests(log: string, key: Uint8Array | null): ReadMembers {
  const folder = join(dirname(log), manifestFolder);
  const known = new Map<string, Loaded | string>();
  let size = 0;
  const load = (digest: string): Loaded | string => {
    const before = known.get(digest);
    if (before !== undefined) return before;
    const found = isDigest(digest) ? loadManifest(manifestPath(folder, digest)) : 'its digest is malformed';
    const isOther = typeof found !== 'string' && key !== null && hmacOf(key, found.text) !== digest;
    const checked = isOther ? 'it does not match its digest' : found;
    size += typeof checked === 'string' ? 1 : checked.members.length;
    if (size > mostKept) {
      known.clear();
      size = 0;
    }
    known.set(digest, checked);
    return checked;
  };
  return (set) => {
    const found = load(set.digest);
    const problem = typeof found === 'string' ? found : whyOther(found.members, set);
    if (problem !== null)
      return `the manifest ${printable(set.digest.slice(0, 16))}… is unusable: ${problem}`;
    return (found as Loaded).members;
  };
}

interface Loaded {
  readonly text: string;
  readonly members: readonly string[];
}

function whyOther(members: readonly string[], { count, folder }: ListedSet): string | null {
  if (members.length !== count) return `it has ${members.length} members, the log says ${count}`;
  // Older logs name a higher folder where it is a member itself.
  const isWithin = `${folderOf(members) ?? ''}/`.startsWith(folder === '/' ? '/' : `${folder}/`);
  return isWithin ? null : 'its members are not in the folder that the log names';
}

export function loadManifest(file: string): Loaded | string {
  try {
    const text = gunzipSync(readRegularSync(file, { follow: false }), {
      maxOutputLength: maxManifestBytes,
    }).toString();
    const members: unknown = JSON.parse(text);
    return isMemberList(members) ? { text, members } : 'it is damaged';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'it is missing' : 'it is damaged';
  }
}

/** Sorted, each once. */
function isMemberList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every(
      (path, index) => typeof path === 'string' && (index === 0 || (value[index - 1] as string) < path),
    )
  );
}
