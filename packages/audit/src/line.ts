import { hash } from 'node:crypto';
import type { Json, JsonObject } from '@ambit/core';
import { canonicalJson } from './canonical-json.js';

/** One line of a log: what the log adds to every event, and the event's own members. */
export interface LogEntry {
  readonly v: 1;
  /** From 0 in each file. */
  readonly seq: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string;
  readonly run: string;
  readonly event: EventName;
  /** `hash` of the line before; 64 zeros in the first line. */
  readonly prev: string;
  /** SHA-256, in hex, of the RFC 8785 form of the entry without `hash`. */
  readonly hash: string;
  readonly [member: string]: Json;
}

export const eventNames = ['run', 'policy', 'decision', 'approval', 'outcome', 'end', 'segment'] as const;
export type EventName = (typeof eventNames)[number];

/** A line holds at most so many bytes, its newline included: 64 MiB. */
export const maxLineBytes = 64 * 1024 * 1024;

export const firstPrev = '0'.repeat(64);

export function hashOf(entryWithoutHash: JsonObject): string {
  return hash('sha256', canonicalJson(entryWithoutHash));
}

/** Where the next line goes in the chain. */
export interface ChainEnd {
  readonly seq: number;
  readonly prev: string;
}

/** A line as it is written, with its newline, and its hash. */
export interface Line {
  readonly hash: string;
  readonly bytes: Buffer;
}

/** The line for an event that is masked already. */
export function encodeLine(
  event: JsonObject,
  at: ChainEnd & { readonly run: string; readonly time: string },
): Line {
  const envelope = { v: 1, seq: at.seq, time: at.time, run: at.run, event: event.event as Json };
  const own = Object.entries(event).filter(([key]) => !Object.hasOwn(envelope, key) && !added.includes(key));
  const entry = Object.fromEntries([...Object.entries(envelope), ...own, ['prev', at.prev]]) as JsonObject;
  const digest = hashOf(entry);
  const text = JSON.stringify(Object.fromEntries([...Object.entries(entry), ['hash', digest]]));
  return { hash: digest, bytes: Buffer.from(`${ascii.test(text) ? text : text.replace(unseen, escaped)}\n`) };
}

/** What a whole line at this place begins with, as far as that is known before it is read. */
export function lineHead(seq: number): string {
  return `{"v":1,"seq":${seq},"time":"`;
}

/** Whether bytes can be the beginning of the line at this place, or were never filled (a power cut). */
export function isTorn(bytes: Buffer, seq: number): boolean {
  const head = lineHead(seq);
  const begins = bytes.subarray(0, head.length).toString('latin1');
  return head.startsWith(begins) || bytes.every((byte) => byte === 0);
}

const added: readonly string[] = ['now', 'prev', 'hash'];

const ascii = /^[ -~]*$/;

// Escaped in the JSON, so that a log that is put on a terminal as it is moves no cursor and hides no text.
const unseen = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function escaped(found: string): string {
  return found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
