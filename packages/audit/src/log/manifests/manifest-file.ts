import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson } from '../line/canonical-json.js';

/** The folder of manifests, beside the logs of a folder. */
export const manifestFolder = 'manifests';

/** The largest manifest in bytes, uncompressed: 256 MiB. */
export const maxManifestBytes = 256 * 1024 * 1024;

export function manifestPath(folder: string, digest: string): string {
  return join(folder, `${digest}.json.gz`);
}

/** The text of a manifest: the canonical form of its list of members. */
export function manifestText(members: readonly string[]): string {
  return canonicalJson([...members]);
}

/** HMAC-SHA-256 of a manifest's text, in hex. */
export function manifestDigest(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** The digest that the manifest of these members has in a log of this key. */
export function digestMembers(key: Uint8Array, members: readonly string[]): string {
  return manifestDigest(key, manifestText(members));
}

export function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
