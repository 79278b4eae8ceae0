import { canonicalJson } from '../line/canonical-json.js';
import { readLog } from '../read/read-log.js';
import { hmacOf } from './manifest-file.js';
import { hasMask } from './masked-keys.js';

/** Returns the key if the log was written with it; otherwise, or if the log does not show it, null. */
export async function logKeyOf(file: string, key: Uint8Array): Promise<Uint8Array | null> {
  for await (const { entry } of readLog(file)) {
    const { event, args = null, args_digest: digest } = entry;
    // The digest is of the arguments before they were masked.
    if (event !== 'decision' || typeof digest !== 'string' || hasMask(args)) continue;
    return hmacOf(key, canonicalJson(args)) === digest ? key : null;
  }
  return null;
}
