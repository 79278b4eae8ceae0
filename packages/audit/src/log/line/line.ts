import { hash } from 'node:crypto';
import type { Json, JsonObject } from '@ambit/core';
import { canonicalJson, canonicalKey, canonicalText, sorted } from './canonical-json.js';

/** One line of a log: the members of every event, and the event's own. */
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

/** The longest line in bytes, including its newline: 64 MiB. */
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

/** The members of an event in their order, each value in its canonical form. */
export interface Members {
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

export function membersOf(event: JsonObject): Members {
  return { names: Object.keys(event), texts: Object.values(event).map((value) => canonicalJson(value)) };
}

/** A line as it is written, with its newline, and its hash. */
export interface Line {
  readonly hash: string;
  readonly text: string;
  /** Bytes. */
  readonly length: number;
}

/** The line for an event that is masked already. Every value in it is in canonical form; the members that a log adds come first and last. */
export function encodeLine(
  event: Members,
  at: ChainEnd & { readonly run: string; readonly time: string },
): Line {
  const { order, places } = shapeOf(event);
  const run = canonicalText(at.run);
  const texts = ['1', String(at.seq), `"${at.time}"`, run, 'null', `"${at.prev}"`];
  let own = '';
  for (let index = 0; index < event.names.length; index += 1) {
    const text = event.texts[index] as string;
    const place = places[index] as number;
    if (place >= 0) texts[place] = text;
    if (place >= common) own += `${canonicalKey(event.names[index] as string)}${text},`;
  }
  let canonical = '';
  for (let index = 0; index < order.length; index += 1) {
    const { key, place } = order[index] as Shape['order'][number];
    canonical += key + texts[place];
  }
  const digest = hash('sha256', `{${canonical}}`);
  const head = `{"v":1,"seq":${at.seq},"time":"${at.time}","run":${run},"event":${texts[4] as string},`;
  const text = `${head}${own}"prev":"${at.prev}","hash":"${digest}"}\n`;
  // Looking at it makes one text of the many that it was put together from. Kept until they are written, those would cost half as much again.
  if (Buffer.byteLength(text) === text.length && !text.includes('\u007f'))
    return { hash: digest, text, length: text.length };
  const visible = text.replace(unseen, escaped);
  return { hash: digest, text: visible, length: Buffer.byteLength(visible) };
}

/** The place of an event's members among the texts of a line, and the order of hashing. */
interface Shape {
  /** For each member of the event; -1 for one that a log does not write, or writes itself. */
  readonly places: readonly number[];
  /** The key with its colon, after a comma unless it is the first. */
  readonly order: readonly { readonly key: string; readonly place: number }[];
}

/** The members of every line, in the order of its texts; the event's own follow. */
const names: readonly string[] = ['v', 'seq', 'time', 'run', 'event', 'prev'];
const common = names.length;

function newShape(event: Members): Shape {
  const all = [...names];
  const places = event.names.map((name) => {
    if (name === 'event') return all.indexOf(name);
    return added.has(name) ? -1 : all.push(name) - 1;
  });
  const order = sorted([...all]).map((name, index) => ({
    key: `${index === 0 ? '' : ','}${canonicalKey(name)}`,
    place: all.indexOf(name),
  }));
  return { places, order };
}

/** Events have few shapes, so each is worked out once. */
interface ShapeStep {
  readonly next: Map<string, ShapeStep>;
  shape: Shape | null;
}

const firstStep: ShapeStep = { next: new Map(), shape: null };
let steps = 0;

function shapeOf(event: Members): Shape {
  let step = firstStep;
  for (const name of event.names) {
    const next = step.next.get(name);
    if (next !== undefined) step = next;
    else if (steps > 5000) return newShape(event);
    else {
      steps += 1;
      const made: ShapeStep = { next: new Map(), shape: null };
      step.next.set(name, made);
      step = made;
    }
  }
  step.shape ??= newShape(event);
  return step.shape;
}

/** The known beginning of a whole line at this place. */
export function lineHead(seq: number): string {
  return `{"v":1,"seq":${seq},"time":"`;
}

/** Whether bytes can be the beginning of the line at this place, or were never filled (a power cut). */
export function isTorn(bytes: Buffer, seq: number): boolean {
  const head = lineHead(seq);
  const begins = bytes.subarray(0, head.length).toString('latin1');
  return head.startsWith(begins) || bytes.every((byte) => byte === 0);
}

const added: ReadonlySet<string> = new Set(['v', 'seq', 'time', 'run', 'now', 'prev', 'hash']);

// Escaped in the JSON, so that a log that is put on a terminal as it is moves no cursor and hides no text.
const unseen = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function escaped(found: string): string {
  return found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

let second = Number.NaN;
let beginning = '';

/** The time in UTC with milliseconds, RFC 3339; most are of the same second as the one before. */
export function timeText(now: number): string {
  const whole = Math.floor(now / 1000);
  const rest = now - whole * 1000;
  if (whole !== second || !Number.isInteger(rest)) {
    const text = new Date(now).toISOString();
    if (Number.isInteger(rest)) {
      second = whole;
      beginning = text.slice(0, -4);
    }
    return text;
  }
  return `${beginning}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}
