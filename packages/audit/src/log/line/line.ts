import { hash } from 'node:crypto';
import type { Json, JsonObject } from '@ambit/core';
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

const places: ReadonlyMap<string, number> = new Map([
  ...headMembers.map((name, place) => [name, place] as const),
  ...written.map((name) => [name, -1] as const),
]);

/** An event as JSON text: its head, members that were already JSON (each after a comma), and the others. */
export interface Written {
  readonly head: string;
  readonly given: string;
  readonly others: string;
}

/** `texts` has members that are JSON already, in place of those of the event. */
export function writtenOf(event: object, texts: Readonly<Record<string, string>> = {}): Written {
  const head = ['', '', '', '', '', ''];
  const others: Record<string, unknown> = {};
  for (const name of Object.keys(event)) {
    if (Object.hasOwn(texts, name)) continue;
    const place = places.get(name);
    const value = (event as Readonly<Record<string, unknown>>)[name];
    if (place === undefined) put(others, name, value);
    else if (place !== -1 && value !== undefined) head[place] = `,"${name}":${JSON.stringify(value)}`;
  }
  let given = '';
  for (const name of Object.keys(texts)) given += `,"${name}":${texts[name]}`;
  return { head: head.join(''), given, others: JSON.stringify(others) };
}

/** Also for `__proto__`. */
function put(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(members, name, { value, enumerable: true });
}

export function encodeLine(
  { head, given, others }: Written,
  at: ChainEnd & { readonly run: string; readonly now: number },
): Line {
  const time = new Date(at.now).toISOString();
  const begin = `{"prev":"${at.prev}","v":2,"seq":${at.seq},"time":"${time}","run":`;
  const rest = others === '{}' ? '}' : `,${others.slice(1)}`;
  const text = begin + JSON.stringify(at.run) + head + given + rest;
  const bytes = Buffer.byteLength(text);
  if (bytes === text.length && !text.includes('\u007f'))
    return { hash: hashOfLine(text), text, length: bytes + 1 };
  const visible = text.replace(unseen, escaped);
  return { hash: hashOfLine(visible), text: visible, length: Buffer.byteLength(visible) + 1 };
}

/** Whether bytes can be the beginning of this line, or were never filled (a power cut). */
export function isTorn(bytes: Buffer, { seq, prev }: ChainEnd): boolean {
  const heads = [lineHead({ seq, prev }), `{"v":1,"seq":${seq},"time":"`];
  const begins = (head: string) => head.startsWith(bytes.subarray(0, head.length).toString('latin1'));
  return heads.some(begins) || bytes.every((byte) => byte === 0);
}

export function lineHead({ seq, prev }: ChainEnd): string {
  return `{"prev":"${prev}","v":2,"seq":${seq},"time":"`;
}

// Escaped in the JSON, so that printing a raw log moves no cursor and hides no text.
const unseen = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function escaped(found: string): string {
  return found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
