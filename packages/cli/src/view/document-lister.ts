import { randomBytes } from 'node:crypto';
import { digestMembers, hasLargeSet, withListedSets } from '@ambit/audit';
import { logKey, openStateFolder } from '@ambit/runtime';
import type { Host } from '../host.js';

export function documentLister(host: Host): (document: object) => Promise<object> {
  let key: Promise<Uint8Array> | null = null;
  return async (document) => {
    if (!hasLargeSet(document)) return document;
    key ??= folderKey(host);
    const known = await key;
    return withListedSets(document, (members) => digestMembers(known, members));
  };
}

/** Without the state folder, digests only distinguish the sets of one output. */
async function folderKey({ environment, folder }: Host): Promise<Uint8Array> {
  try {
    return await logKey(await openStateFolder(environment, folder));
  } catch {
    return randomBytes(32);
  }
}
