import { createHmac } from 'node:crypto';
import type { Json, JsonObject, LogEvent } from '@ambit/core';
import { canonicalJson } from './canonical-json.js';
import { plainJson } from './plain-json.js';
import { assignedSecrets, secretShapes } from './secret-shapes.js';
import { type Visit, walkEvent } from './walk-event.js';

/** An event as it may be written: plain JSON, without its secrets, with the digest of its arguments. */
export type Mask = (event: LogEvent) => JsonObject;

/**
 * Replaces secrets by `masked:hmac-sha256:…`, a digest under `key`, so that equal secrets can be told without being
 * known. What is found under a secret key is replaced wherever it stands in the events of the same call. The sources of
 * policies are written as they are: they are evidence, and their digests must hold.
 */
export function createMask(key: Uint8Array): Mask {
  if (key.length < 16) throw new TypeError('the key of a log has 16 bytes or more');
  const calls = new Map<string, Set<string>>();
  const digest = (text: string) => createHmac('sha256', key).update(text).digest('hex');
  // Prefixed, so that no mask can be compared with an `args_digest`.
  const replacement = (secret: string) => `masked:hmac-sha256:${digest(`mask\0${secret}`).slice(0, 16)}`;
  return (event) => {
    const plain = plainJson(event) as JsonObject;
    if (event.event === 'policy') return plain;
    const call = 'call' in event ? String(event.call) : null;
    const secrets = new Set([...((call !== null && calls.get(call)) || []), ...secretsOf(plain)]);
    if (call !== null && event.event === 'outcome') calls.delete(call);
    else if (call !== null) calls.set(call, secrets);
    const masked = walkEvent(plain, masking([...secrets], replacement));
    return event.event === 'decision'
      ? { ...masked, args_digest: digest(canonicalJson(plain.args as Json)) }
      : masked;
  };
}

const shapeSources = secretShapes.map(({ source }) => source);

/** More secrets than this in one call cannot be told from its texts in good time; its texts are then masked whole. */
const mostSecrets = 200;

/** What must not be read in any text of the call. */
function secretsOf(event: JsonObject): ReadonlySet<string> {
  const secrets = new Set<string>();
  walkEvent(event, (value, kind) => {
    if (kind === 'secret') secrets.add(String(value));
    else if (kind === 'text' && typeof value === 'string')
      for (const secret of assignedSecrets(value)) secrets.add(secret);
    return value;
  });
  return secrets;
}

function masking(secrets: readonly string[], replacement: (secret: string) => string): Visit {
  const exact = new Set(secrets);
  const spellings = new Map(
    secrets.filter(isTelling).flatMap((secret) => spellingsOf(secret).map((text) => [text, secret])),
  );
  const shapes = new RegExp(shapeSources.join('|'), 'g');
  // Shapes first: a secret that begins like another one must not leave the rest of that one behind.
  const any = new RegExp([...shapeSources, ...literals([...spellings.keys()])].join('|'), 'g');
  const replaceAll = (text: string, pattern: RegExp) =>
    text.replace(pattern, (found) => replacement(spellings.get(found) ?? found));
  return (value, kind) => {
    const text = String(value);
    if (kind === 'secret') return replacement(text);
    if (typeof value === 'number') return isTelling(text) && exact.has(text) ? replacement(text) : value;
    if (kind === 'name') return replaceAll(text, shapes);
    if (exact.has(text) && !plainWords.includes(text)) return replacement(text);
    return secrets.length > mostSecrets ? replacement(text) : replaceAll(text, any);
  };
}

/** What says nothing about a secret, and stands in too many texts. */
const plainWords: readonly string[] = ['', 'true', 'false', 'null', 'none', 'undefined'];

/** Whether a secret is looked for within other texts: one letter is in all of them. */
function isTelling(secret: string): boolean {
  return !plainWords.includes(secret) && (secret.length >= 4 || isShortWord(secret));
}

function isShortWord(secret: string): boolean {
  return /^[A-Za-z0-9]{2,3}$/.test(secret);
}

/** A secret as it may stand in a text: as it is, trimmed, within JSON, within a URL. */
function spellingsOf(secret: string): readonly string[] {
  const trimmed = secret.trim();
  const spellings = [secret, trimmed, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  return [...new Set(spellings)].filter(isTelling);
}

/** The longest first, so that a secret within a longer one does not leave the rest of it behind. */
function literals(texts: readonly string[]): readonly string[] {
  return [...texts]
    .sort((one, other) => other.length - one.length)
    .map((text) => {
      const literal = text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
      return isShortWord(text) ? `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])` : literal;
    });
}
