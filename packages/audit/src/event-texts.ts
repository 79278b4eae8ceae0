import { createHash, hash } from 'node:crypto';
import type { LogEvent } from '@ambit/core';
import { canonicalOfPlain } from './canonical-json.js';
import { type Members, membersOf } from './line.js';
import { createMasking } from './mask.js';
import type { MaskRules } from './mask-rules.js';
import { isQuickKey, quickText } from './quick-text.js';

/** The members of an event as they are written: masked, and in canonical form. */
export type EventTexts = (event: LogEvent) => Members;

/** Gives what `createMask` gives, at once where an event is plain JSON and nothing in it can be a secret: nearly always. */
export function createEventTexts(key: Uint8Array, rules: MaskRules = {}): EventTexts {
  const masking = createMasking(key, rules);
  const digest = hmacUnder(key);
  return (event) => {
    const plain = masking.mayConcern(event) ? null : plainMembers(event);
    if (plain === null) return membersOf(masking.mask(event));
    if (event.event !== 'decision') return plain;
    const args = plain.texts[plain.names.indexOf('args')] ?? 'null';
    return {
      names: [...plain.names, 'args_digest'],
      texts: [...plain.texts, `"${digest(args)}"`],
    };
  };
}

/** Null where something in the event is no JSON, or may be a secret. The sources of policies are written as they are. */
function plainMembers(event: LogEvent): Members | null {
  const names = Object.keys(event);
  const texts: string[] = [];
  const isEvidence = event.event === 'policy';
  for (const name of names) {
    const value = (event as unknown as Readonly<Record<string, unknown>>)[name];
    const text = isEvidence ? canonicalOfPlain(value) : quickText(value);
    if (text === null || !(isEvidence || isQuickKey(name))) return null;
    texts.push(text);
  }
  return { names, texts };
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
