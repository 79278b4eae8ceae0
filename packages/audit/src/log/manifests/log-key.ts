import { createHmac } from 'node:crypto';
import type { Json } from '@ambit/core';
import { canonicalJson } from '../line/canonical-json.js';
import { readLog } from '../read/read-log.js';
import { hasMask } from './masked-keys.js';

/**
 * The key, if this log was written with it; null for another key, or if the log does not show it. Throws a
 * `LogError` at an unreadable line.
 */
export async function logKeyOf(file: string, key: Uint8Array): Promise<Uint8Array | null> {
  for await (const { entry } of readLog(file)) {
    const { event, args = null, args_digest: digest } = entry;
    // The digest is of the arguments before they were masked.
    if (event !== 'decision' || typeof digest !== 'string' || hasMask(args)) continue;
    return createHmac('sha256', key)
      .update(canonicalJson(args as Json))
      .digest('hex') === digest
      ? key
      : null;
  }
  return null;
}
