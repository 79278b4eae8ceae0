import { isUtf8 } from 'node:buffer';
import { isObject, type Json, type JsonObject, jsonOr, shortened } from '@ambit/core';
import { type ReadHead, readHead } from './head.js';
import { callEvents, type EventName, eventNames, type LogEntry } from './line.js';
import { isCount, isDigest } from './members.js';
import { wrongSegment } from './segment-line.js';
import { walkLine } from './walk-line.js';

export type LineDamageCode =
  | 'BAD_ENCODING'
  | 'BAD_JSON'
  | 'TRAILING_GARBAGE'
  | 'DUPLICATE_KEY'
  | 'WRONG_VERSION'
  | 'BAD_HEAD'
  | 'BAD_FIELD'
  | 'UNKNOWN_EVENT';

export interface DamageOf<Code extends string> {
  readonly code: Code;
  readonly seq: number | null;
  readonly message: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** Members that do not apply are null. */
export function damageOf<Code extends string>(
  code: Code,
  message: string,
  { seq = null, expected = null, found = null }: Partial<Omit<DamageOf<Code>, 'code' | 'message'>> = {},
): DamageOf<Code> {
  return { code, seq, message, expected, found };
}

type ParsedLine =
  | { readonly ok: true; readonly entry: LogEntry }
  | ({ readonly ok: false } & DamageOf<LineDamageCode>);

/** Reads one line without its place in the chain. */
export function parseLine(bytes: Buffer, read: ReadHead | null = readHead(bytes)): ParsedLine {
  if (!isUtf8(bytes)) return damaged('BAD_ENCODING', 'the line is not UTF-8');
  const walked = read === null ? walkLine(bytes) : walkLine(bytes, read.end, 1);
  // Reading it would take more stack than there is.
  if (walked.deepest > deepest)
    return damaged('BAD_JSON', 'the line is nested too deeply', { expected: `at most ${deepest} levels` });
  const text = bytes.toString();
  const value = jsonOr(text, undefined);
  if (value === undefined) {
    const first = bytes.toString('utf8', 0, walked.end ?? 0);
    return jsonOr(first, undefined) !== undefined
      ? damaged('TRAILING_GARBAGE', `unexpected data after the JSON at character ${first.length + 1}`)
      : damaged('BAD_JSON', text.trim() === '' ? 'the line is empty' : 'the line is not JSON');
  }
  if (!isObject(value)) return damaged('BAD_JSON', 'the line is not a JSON object');
  // JSON.parse keeps the last of two equal keys, and another reader may keep the first.
  if ((read?.members ?? 0) + walked.members !== countMembers(value))
    return damaged('DUPLICATE_KEY', 'the line has a duplicate key');
  const line = checkMembers(value);
  if (!line.ok || line.entry.v === 1) return line;
  const isWhole = read !== null && walked.end === bytes.length && !walked.hasHeadKey;
  if (isWhole) return line;
  const message = bytes.at(-1) === 13 ? carriageReturn : badHead;
  return damaged('BAD_HEAD', message, { seq: line.entry.seq });
}

const carriageReturn =
  'the line ends with a carriage return: a program, such as git, changed the ends of the lines';
const badHead = 'the line does not begin with the members of its head, in their order';

function checkMembers(value: JsonObject): ParsedLine {
  const own = (key: string): Json | undefined => (Object.hasOwn(value, key) ? value[key] : undefined);
  const seq = typeof value.seq === 'number' ? value.seq : null;
  const fail = (
    code: LineDamageCode,
    message: string,
    [expected, found]: readonly [string, Json | undefined],
  ) => damaged(code, message, { seq, expected, found: found === undefined ? 'nothing' : shortJson(found) });
  if (own('v') !== 1 && own('v') !== 2)
    return fail('WRONG_VERSION', 'the line has another version', ['1 or 2', own('v')]);
  const members = own('v') === 1 ? { ...envelope, hash: digest } : envelope;
  const wrong = Object.entries(members).find(([key, { is }]) => !is(own(key)));
  if (wrong !== undefined) {
    const [key, { words }] = wrong;
    return fail('BAD_FIELD', `\`${key}\` is not ${words}`, [words, own(key)]);
  }
  if (!eventNames.includes(value.event as EventName)) {
    return fail('UNKNOWN_EVENT', 'the event is of an unknown kind', [eventNames.join(', '), value.event]);
  }
  if (callEvents.includes(value.event as EventName) && typeof own('call') !== 'string') {
    return fail('BAD_FIELD', '`call` is not text', ['text', own('call')]);
  }
  const wrongMember = value.event === 'segment' ? wrongSegment(value) : null;
  if (wrongMember !== null) {
    const [key, words] = wrongMember;
    return fail('BAD_FIELD', `\`${key}\` is not ${words}`, [words, own(key)]);
  }
  return { ok: true, entry: value as LogEntry };
}

const text = { is: (value: Json | undefined) => typeof value === 'string', words: 'text' };
const digest = { is: isDigest, words: '64 hexadecimal digits' };
const envelope = {
  seq: { is: isCount, words: 'a whole number' },
  time: {
    is: (value: Json | undefined) =>
      typeof value === 'string' && /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
    words: 'a time in UTC with milliseconds',
  },
  run: text,
  event: text,
  prev: digest,
};

function damaged(...of: Parameters<typeof damageOf<LineDamageCode>>): ParsedLine {
  return { ok: false, ...damageOf(...of) };
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countMembers(item);
  else for (const key of Object.keys(value)) count += 1 + countMembers((value as JsonObject)[key]);
  return count;
}

function shortJson(value: Json): string {
  const json = JSON.stringify(value);
  return shortened(json, 100, `… (${json.length} characters)`);
}

/** Deeper than any line that a log writes: values in it are cut at `depthLimit`. */
const deepest = 1000;
