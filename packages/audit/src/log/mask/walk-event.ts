import { isObject, type Json, type JsonObject } from '@ambit/core';
import { objectWith } from '../line/plain-json.js';
import { isSecretKey, isSecretNumberKey } from './secret-keys.js';

/** A name or code of the program, free text, or the value of a secret key. */
export type Kind = 'name' | 'text' | 'secret';

/** Returns the replacement of a text or a number. Keys are texts. */
export type Visit = (value: string | number, kind: Kind) => string | number;

/** Members with names and codes. */
const names: readonly string[] = [
  'event now call calls parent chain tool history added decision code how outcome status',
  'version user machine mode workers toolsets keep',
  'capability policy default rules rule_decision id at answer answered_by',
  'source worker approval person remember reach policies until origins origin',
].flatMap((line) => line.split(' '));
const records = 'question preview grants judgements undecided observed asked_by'.split(' ');
const capabilityLists: readonly string[] = ['capabilities', 'shown'];

/** Maps every text and number of an event. An unknown member is free text. */
export function walkEvent(record: JsonObject, visit: Visit): JsonObject {
  return mapped(record, (value, key) => {
    if (key === 'before' && isObject(value)) return walkPrevious(value, visit);
    if (records.includes(key))
      return walkObjects(value, (item) => walkEvent(item, visit)) ?? walkFree(value, open, visit);
    if (capabilityLists.includes(key)) return walkCapabilities(value, visit);
    if (key === 'capability' && isObject(value)) return walkCapability(value, visit);
    // A preview has an `after` too, the future content of a file.
    if (names.includes(key) || (key === 'after' && record.event === 'guard_changed'))
      return walkNames(value, visit);
    return walkFree(value, secrecyUnder(key), visit);
  });
}

/** Answers to other calls, shown beside a question: they contain the secrets of those calls. */
function walkPrevious(before: JsonObject, visit: Visit): Json {
  return mapped(before, (value) => {
    if (!isList(value)) return walkNames(value, visit);
    return value.map((item) =>
      isObject(item)
        ? mapped(item, (said, key) =>
            ['what', 'note'].includes(key) ? walkFree(said, closed, visit) : walkNames(said, visit),
          )
        : walkFree(item, closed, visit),
    );
  });
}

/** Capabilities; in a question each with its words, in a grant their names alone. */
function walkCapabilities(value: Json, visit: Visit): Json {
  if (!isList(value)) return walkFree(value, open, visit);
  return value.map((item) => {
    if (!isObject(item)) return walkNames(item, visit);
    return Object.hasOwn(item, 'name') ? walkCapability(item, visit) : walkEvent(item, visit);
  });
}

function walkCapability({ name = null, ...facts }: JsonObject, visit: Visit): Json {
  // This fact says which secret, in the vocabulary's own words: never the secret itself.
  const { secret, ...others } = facts;
  const named = name === 'secret.read' && secret !== undefined;
  return {
    name: walkNames(name, visit),
    ...(named ? { secret: walkFree(secret, open, visit) } : {}),
    ...(walkFree(named ? others : facts, open, visit) as JsonObject),
  };
}

function walkNames(value: Json, visit: Visit): Json {
  if (typeof value === 'string' || typeof value === 'number') return visit(value, 'name');
  if (isList(value)) return value.map((item) => walkNames(item, visit));
  return isObject(value) ? mapped(value, (item) => walkNames(item, visit)) : value;
}

interface Secrecy {
  /** Whether the text or number here is secret. */
  readonly text: boolean;
  readonly number: boolean;
}

const open: Secrecy = { text: false, number: false };
const closed: Secrecy = { text: true, number: true };

function secrecyUnder(key: string, outer: Secrecy = open): Secrecy {
  return { text: outer.text || isSecretKey(key), number: outer.number || isSecretNumberKey(key) };
}

function walkFree(value: Json, secrecy: Secrecy, visit: Visit): Json {
  if (typeof value === 'string') return visit(value, secrecy.text ? 'secret' : 'text');
  if (typeof value === 'number') return visit(value, secrecy.number ? 'secret' : 'text');
  if (isList(value)) {
    return value.map((item, index) =>
      walkFree(item, isSecretFlag(value[index - 1]) ? closed : secrecy, visit),
    );
  }
  if (!isObject(value)) return value;
  const named = ['name', 'key', 'variable', 'header'].some(
    (key) => Object.hasOwn(value, key) && typeof value[key] === 'string' && isSecretKey(value[key]),
  );
  return objectWith(
    Object.entries(value).map(([key, item]) => [
      String(visit(key, 'text')),
      walkFree(item, named && key === 'value' ? closed : secrecyUnder(key, secrecy), visit),
    ]),
  );
}

/** `["--password", …]` */
function isSecretFlag(value: Json | undefined): boolean {
  return typeof value === 'string' && /^--?[A-Za-z][\w-]{0,80}$/.test(value) && isSecretKey(value);
}

function walkObjects(value: Json, walk: (item: JsonObject) => Json): Json | null {
  if (isObject(value)) return walk(value);
  return isList(value) && value.every(isObject) ? value.map((item) => walk(item)) : null;
}

function mapped(value: JsonObject, map: (item: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item, key)]));
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
