import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson } from '../line/canonical-json.js';

export const manifestFolder = 'manifests';

/** Bytes, uncompressed. */
export const maxManifestBytes = 256 * 1024 * 1024;

export function manifestPath(folder: string, digest: string): string {
  return join(folder, `${digest}.json.gz`);
}

export function manifestText(members: readonly string[]): string {
  return canonicalJson([...members]);
}

/** HMAC-SHA-256, in hex. */
export function hmacOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

export function digestMembers(key: Uint8Array, members: readonly string[]): string {
  return hmacOf(key, manifestText(members));
}
