import type { Json, JsonObject, LogEvent } from '@ambit/core';
import { canonicalJson } from '../line/canonical-json.js';
import { maskMark } from '../line/line.js';
import { objectOf } from '../line/members.js';
import { plainJson } from '../line/plain-json.js';
import { hmacOf } from '../manifests/manifest-file.js';
import { parseVerifierKey } from '../tree/note-key.js';
import { cutSpans, findSecrets, type Sought } from './find-secrets.js';
import { type MaskRules, replacedAt, secretPaths } from './mask-rules.js';
import { mayHoldSecret } from './secret-hint.js';
import { assignedSecrets, secretShapes } from './secret-shapes.js';
import { type Visit, walkEvent } from './walk-event.js';

type Mask = (event: LogEvent) => JsonObject;

/** Replaces secrets by digests under `key`, in all events of a call. Policy sources are evidence and stay. */
export function createMask(key: Uint8Array, rules: MaskRules = {}): Mask {
  return createMasking(key, rules).mask;
}

export function createMasking(key: Uint8Array, rules: MaskRules) {
  if (key.length < 16) throw new TypeError('the key of a log must have at least 16 bytes');
  const pathsOf = secretPaths(rules);
  const calls = new Map<string, KnownCall>();
  const digest = (text: string) => hmacOf(key, text);
  // Prefixed, so that no mask can be compared with an `args_digest`.
  const replacement = (secret: string) => `${maskMark}${digest(`mask\0${secret}`).slice(0, 16)}`;
  const knownOf = (event: LogEvent) => ('call' in event ? calls.get(String(event.call)) : undefined);
  return {
    mask: (event: LogEvent): JsonObject => {
      const plain = plainJson(event) as JsonObject;
      if (event.event === 'policy') return plain;
      const call = 'call' in event ? String(event.call) : null;
      const known = knownOf(event);
      const tool = event.event === 'decision' ? event.tool : (known?.tool ?? null);
      const paths = tool === null ? [] : pathsOf(tool);
      const secrets = new Set([...(known?.secrets ?? []), ...secretsOf(plain), ...valuesAt(paths, plain)]);
      const isKnown = secrets.size > 0 || paths.length > 0;
      if (call !== null && event.event === 'outcome') calls.delete(call);
      else if (call !== null && isKnown) calls.set(call, { tool, secrets });
      const visit = masking([...secrets], replacement);
      const masked = withArguments(walkEvent(plain, visit), paths, (value) =>
        isMask(value) ? value : replacement(value),
      );
      // A public key is not a secret, whatever its name.
      if (event.event === 'run' && parseVerifierKey(event.signer ?? '') !== null)
        return { ...masked, signer: event.signer as string };
      return event.event === 'decision'
        ? { ...masked, args_digest: digest(canonicalJson(plain.args as Json)) }
        : masked;
    },
    /** Whether a rule concerns this event, or its call has known secrets. */
    mayConcern: (event: LogEvent) =>
      knownOf(event) !== undefined || (event.event === 'decision' && pathsOf(event.tool).length > 0),
  };
}

/** The secrets of an unfinished call. */
interface KnownCall {
  readonly tool: string | null;
  readonly secrets: ReadonlySet<string>;
}

type Paths = ReturnType<ReturnType<typeof secretPaths>>;

/** An event with the arguments at these paths replaced, in itself and in its question. */
function withArguments(event: JsonObject, paths: Paths, replace: (text: string) => string): JsonObject {
  if (paths.length === 0) return event;
  const replaced = (args: Json) =>
    paths.reduce((found, path) => replacedAt(found, path, (value) => replace(String(value))), args);
  const inside = (holder: JsonObject): JsonObject =>
    Object.hasOwn(holder, 'args') ? { ...holder, args: replaced(holder.args as Json) } : holder;
  const own = inside(event);
  return Object.hasOwn(own, 'question') && own.question !== null
    ? { ...own, question: inside(objectOf(own.question)) }
    : own;
}

function valuesAt(paths: Paths, event: JsonObject): readonly string[] {
  const values: string[] = [];
  withArguments(event, paths, (text) => {
    if (text !== 'true' && text !== 'false') values.push(text);
    return text;
  });
  return values;
}

function isMask(text: string): boolean {
  return text.startsWith(maskMark) && /^[0-9a-f]{16}$/.test(text.slice(maskMark.length));
}

/** More secrets than this make a search too slow: all texts of the call are masked whole. */
const mostSecrets = 200;

function secretsOf(event: JsonObject): ReadonlySet<string> {
  const secrets = new Set<string>();
  walkEvent(event, (value, kind) => {
    if (kind === 'secret') secrets.add(String(value));
    else if (kind === 'text' && typeof value === 'string' && mayHoldSecret(value))
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
  const known = [
    ...secretShapes,
    ...[...spellings.keys()].map((text) =>
      isShortWord(text) ? new RegExp(`(?<![A-Za-z0-9])${text}(?![A-Za-z0-9])`, 'g') : text,
    ),
  ];
  const replaceAll = (text: string, sought: readonly Sought[]) => {
    if (spellings.size === 0 && !mayHoldSecret(text)) return text;
    const parts: string[] = [];
    let done = 0;
    for (const { start, end } of findSecrets(
      text,
      sought,
      spellings.size === 0 ? [] : cutSpans(text, spellings.keys()),
    )) {
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

/** Values that reveal nothing, and occur in too many texts. */
const plainWords: readonly string[] = ['', 'true', 'false', 'null', 'none', 'undefined'];

/** Whether a secret is searched for within other texts: one letter is in all of them. */
function isTelling(secret: string): boolean {
  return !plainWords.includes(secret) && (secret.length >= 4 || isShortWord(secret));
}

function isShortWord(secret: string): boolean {
  return /^[A-Za-z0-9]{2,3}$/.test(secret);
}

/** The forms of a secret in a text: unchanged, trimmed, in JSON, in a URL. */
function spellingsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  // `plainJson` has escaped a lone surrogate; a tool that made JSON of the secret did so too.
  const surrogates = json.replace(/\\\\u\{(d[89a-f][0-9a-f]{2})\}/g, '\\u$1');
  const spellings = [secret, secret.trim(), json, surrogates, encodeURIComponent(secret)];
  return [...new Set(spellings)].filter(isTelling);
}
