import { createHash, hash } from 'node:crypto';
import type { LogEvent } from '@ambit/core';
import { canonicalOfPlain } from '../line/canonical-json.js';
import type { Added } from '../line/history.js';
import { type Members, membersOf } from '../line/line.js';
import { hasLargeSet, type KeepMembers, withListedSets } from '../manifests/list-sets.js';
import { createMasking } from './mask.js';
import type { MaskRules } from './mask-rules.js';
import { isQuickKey, quickText } from './quick-text.js';

/** The members of an event as they are written: masked, and in canonical form. */
export type EventTexts = (event: LogEvent, added?: Added | null) => Members;

/**
 * The same result as `createMask`, at once if an event is plain JSON without a possible secret, as nearly
 * always. With `keep`, large file sets are kept there, masked, and listed in the event.
 */
export function createEventTexts(
  key: Uint8Array,
  rules: MaskRules = {},
  keep: KeepMembers | null = null,
): EventTexts {
  const masking = createMasking(key, rules);
  const digest = hmacUnder(key);
  return (event, added = null) => {
    const large = keep !== null && hasLargeSet(event) ? keep : null;
    const plain = masking.mayConcern(event) ? null : plainMembers(event, { large, added });
    if (plain === null) {
      const masked = masking.mask(added === null ? event : withAdded(event, added));
      return membersOf(large === null ? masked : withListedSets(masked, large));
    }
    if (event.event !== 'decision') return plain;
    plain.names.push('args_digest');
    plain.texts.push(`"${digest(plain.texts[plain.names.indexOf('args')] ?? 'null')}"`);
    return plain;
  };
}

interface Writing {
  readonly large: KeepMembers | null;
  readonly added: Added | null;
}

/** Members that are still put together. */
interface Texts extends Members {
  readonly names: string[];
  readonly texts: string[];
}

/** Null if the event has a non-JSON value or a possible secret. Sources of policies are written unchanged. */
function plainMembers(event: LogEvent, { large, added }: Writing): Texts | null {
  if (large === null) return plainTexts(event, added);
  let isPlain = true;
  const listed = withListedSets(event, (members) => {
    isPlain &&= quickText(members) !== null;
    return '';
  });
  // Nothing is kept before it is certain that nothing must be masked.
  return isPlain && plainTexts(listed, added) !== null
    ? plainTexts(withListedSets(event, large), added)
    : null;
}

function plainTexts(event: LogEvent, added: Added | null): Texts | null {
  const written: Texts = { names: [], texts: [] };
  const isEvidence = event.event === 'policy';
  const put = (name: string, value: unknown) => {
    const text = isEvidence ? canonicalOfPlain(value) : quickText(value);
    if (text === null || !(isEvidence || isQuickKey(name))) return false;
    written.names.push(name);
    written.texts.push(text);
    return true;
  };
  for (const [name, value] of Object.entries(event)) {
    const isLeftOut = added?.isTold === true && name === 'history';
    if (!isLeftOut && !put(name, value)) return null;
  }
  return added === null || put('added', added.names) ? written : null;
}

function withAdded(event: LogEvent, { isTold, names }: Added): LogEvent {
  const { history, ...rest } = { history: [], ...event };
  return { ...rest, ...(isTold ? {} : { history }), added: names } as unknown as LogEvent;
}

/** HMAC-SHA-256, RFC 2104, in hex, in half the time that making an object for each takes. */
export function hmacUnder(key: Uint8Array): (text: string) => string {
  const short = Buffer.alloc(64);
  short.set(key.length > 64 ? createHash('sha256').update(key).digest() : key);
  const inner = new Uint8Array(64).map((_, index) => (short[index] as number) ^ 0x36);
  const outer = Buffer.alloc(96);
  outer.set(new Uint8Array(64).map((_, index) => (short[index] as number) ^ 0x5c));
  let message = Buffer.alloc(4096);
  message.set(inner);
  return (text) => {
    const most = 64 + 3 * text.length;
    if (most > message.length) {
      message = Buffer.alloc(2 * most);
      message.set(inner);
    }
    const length = 64 + message.write(text, 64);
    outer.write(hash('sha256', message.subarray(0, length)), 64, 'hex');
    return hash('sha256', outer);
  };
}
