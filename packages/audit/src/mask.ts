import { createHmac } from 'node:crypto';
import type { Json, JsonObject, LogEvent } from '@ambit/core';
import { canonicalJson } from './canonical-json.js';
import { parseVerifierKey } from './evidence/note-key.js';
import { findSecrets, type Sought } from './find-secrets.js';
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
    // A public key is no secret, whatever its name looks like.
    if (event.event === 'run' && parseVerifierKey(event.signer ?? '') !== null)
      return { ...masked, signer: event.signer as string };
    return event.event === 'decision'
      ? { ...masked, args_digest: digest(canonicalJson(plain.args as Json)) }
      : masked;
  };
}

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
  const known = [...secretShapes, ...[...spellings.keys()].map(soughtOf)];
  const replaceAll = (text: string, sought: readonly Sought[]) => {
    const parts: string[] = [];
    let done = 0;
    for (const { start, end } of findSecrets(text, sought)) {
      const found = text.slice(start, end);
      parts.push(text.slice(done, start), replacement(spellings.get(found) ?? found));
      done = end;
    }
    return parts.length === 0 ? text : [...parts, text.slice(done)].join('');
  };
  return (value, kind) => {
    const text = String(value);
    if (kind === 'secret') return replacement(text);
    if (typeof value === 'number') return isTelling(text) && exact.has(text) ? replacement(text) : value;
    if (kind === 'name') return replaceAll(text, secretShapes);
    if (exact.has(text) && !plainWords.includes(text)) return replacement(text);
    return secrets.length > mostSecrets ? replacement(text) : replaceAll(text, known);
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
  const json = JSON.stringify(secret).slice(1, -1);
  // `plainJson` has put a lone surrogate into words; a tool that made JSON of the secret has escaped it.
  const surrogates = json.replace(/\\\\u\{(d[89a-f][0-9a-f]{2})\}/g, '\\u$1');
  const spellings = [secret, secret.trim(), json, surrogates, encodeURIComponent(secret)];
  return [...new Set(spellings)].filter(isTelling);
}

/** A short word is looked for as a word, not within others. */
function soughtOf(text: string): Sought {
  return isShortWord(text) ? new RegExp(`(?<![A-Za-z0-9])${text}(?![A-Za-z0-9])`, 'g') : text;
}
