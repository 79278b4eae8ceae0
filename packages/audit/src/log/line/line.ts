import { hash } from 'node:crypto';
import { type Json, type JsonObject, visibleJson } from '@ambit/core';
import { canonicalJson } from './canonical-json.js';

/** One line of a log: the members of every event, and the event's own. */
export interface LogEntry {
  /** Version 1 has its `hash` as well: SHA-256 of its RFC 8785 form without `hash`. */
  readonly v: 1 | 2;
  /** From 0 in each file. */
  readonly seq: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string;
  readonly run: string;
  readonly event: EventName;
  /** The SHA-256, in hex, of the line before, without its line feed; 64 zeros in the first line. */
  readonly prev: string;
  readonly [member: string]: Json;
}

export const eventNames = [
  'run',
  'policy',
  'decision',
  'approval',
  'outcome',
  'guard_changed',
  'end',
  'segment',
] as const;
export type EventName = (typeof eventNames)[number];

export const callEvents: readonly EventName[] = ['decision', 'approval', 'outcome'];

/** The longest line in bytes, including its newline: 64 MiB. */
export const maxLineBytes = 64 * 1024 * 1024;

export const maskMark = 'masked:hmac-sha256:';

export const firstPrev = '0'.repeat(64);

/** The hash of a line as it was written, without its line feed. */
export function hashOfLine(line: string | Uint8Array): string {
  return hash('sha256', line);
}

export function hashOf(entryWithoutHash: JsonObject): string {
  return hash('sha256', canonicalJson(entryWithoutHash));
}

export function leafOf({ v, hash: own }: LogEntry, line: string | Uint8Array): string {
  return v === 1 ? (own as string) : hashOfLine(line);
}

/** The place of the next line in the chain. */
export interface ChainEnd {
  readonly seq: number;
  readonly prev: string;
}

/** A line as it is written, without its line feed, and its hash. */
export interface Line {
  readonly hash: string;
  readonly text: string;
  /** Bytes, with the line feed. */
  readonly length: number;
}

/** The first members of a line after those that every line has, in this order. */
export const headMembers: readonly string[] = ['event', 'call', 'decision', 'approved', 'outcome', 'code'];

/** Members that the log itself writes. */
const written: readonly string[] = ['prev', 'v', 'seq', 'time', 'run', 'now', 'hash'];

const notOthers: ReadonlySet<string> = new Set([...headMembers, ...written]);

/** The members of an event that its line has: those of the head in their order, and the others. */
export interface Parts {
  readonly head: Readonly<Record<string, unknown>>;
  readonly others: Readonly<Record<string, unknown>>;
}

/** `texts` replace members of these names. */
export function partsOf(given: object, texts: Texts = noTexts): Parts {
  const { event, call, decision, approved, outcome, code } = given as Readonly<Record<string, unknown>>;
  const others: Record<string, unknown> = {};
  for (const name of Object.keys(given))
    if (!notOthers.has(name) && !texts.has(name)) setOwnMember(others, name, (given as typeof others)[name]);
  return { head: { event, call, decision, approved, outcome, code }, others };
}

/** Members that are JSON already; an empty text leaves a member out. */
export type Texts = ReadonlyMap<string, string>;

const noTexts: Texts = new Map();

/**
 * The members of an event as JSON, each after a comma, and the end of the object: its head, `texts`, and the others.
 * Null if no reader takes its head.
 */
export function membersOf(event: object, texts: Texts = noTexts): string | null {
  return textOfParts(partsOf(event, texts), texts);
}

export function textOfParts({ head, others }: Parts, texts: Texts): string | null {
  if (!isHead(head)) return null;
  let members = `,${JSON.stringify(head).slice(1, -1)}`;
  for (const [name, text] of texts) if (text !== '') members += `,"${name}":${text}`;
  const rest = JSON.stringify(others);
  return rest === '{}' ? `${members}}` : `${members},${rest.slice(1)}`;
}

/** Whether `readHead` takes it. Only the log itself writes a `segment`. */
function isHead({ event, call, decision, approved, outcome, code }: Parts['head']): boolean {
  return (
    event !== 'segment' &&
    eventNames.includes(event as EventName) &&
    (call === undefined ? !callEvents.includes(event as EventName) : typeof call === 'string') &&
    (decision === undefined ? event !== 'decision' : decision === null || isWord(decision)) &&
    (approved === undefined ? event !== 'approval' : typeof approved === 'boolean') &&
    (outcome === undefined ? event !== 'outcome' : isWord(outcome)) &&
    (code === undefined || isWord(code))
  );
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z_]+$/.test(value);
}

export function segmentMembers(members: object): string {
  return `,"event":"segment",${JSON.stringify(members).slice(1)}`;
}

/** Also for `__proto__`. */
function setOwnMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(members, name, { value, enumerable: true });
}

/** `members` as `membersOf` returns them. */
export function encodeLine(
  members: string,
  at: ChainEnd & { readonly run: string; readonly now: number },
): Line {
  const begin = `{"prev":"${at.prev}","v":2,"seq":${at.seq},"time":"${timeOf(at.now)}","run":`;
  const text = begin + JSON.stringify(at.run) + members;
  const bytes = Buffer.byteLength(text);
  if (bytes === text.length && !text.includes('\u007f'))
    return { hash: hashOfLine(text), text, length: bytes + 1 };
  const visible = visibleJson(text);
  return { hash: hashOfLine(visible), text: visible, length: Buffer.byteLength(visible) + 1 };
}

/** Equals `toISOString`, which is slow, so it is called once for each second. */
export function timeOf(now: number): string {
  const at = Math.trunc(now);
  const second = Math.floor(at / 1000);
  if (second !== last.second) last = { second, text: new Date(at).toISOString().slice(0, -4) };
  return `${last.text}${String(at - second * 1000).padStart(3, '0')}Z`;
}

let last = { second: Number.NaN, text: '' };

/** Whether bytes can be the beginning of this line, or were never filled (a power cut). */
export function isTorn(bytes: Buffer, { seq, prev }: ChainEnd): boolean {
  const heads = [lineHead({ seq, prev }), `{"v":1,"seq":${seq},"time":"`];
  const begins = (head: string) => head.startsWith(bytes.subarray(0, head.length).toString('latin1'));
  return heads.some(begins) || bytes.every((byte) => byte === 0);
}

export function lineHead({ seq, prev }: ChainEnd): string {
  return `{"prev":"${prev}","v":2,"seq":${seq},"time":"`;
}
