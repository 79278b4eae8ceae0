import { hash } from 'node:crypto';
import { sorted } from './canonical-json.js';
import type { ChainEnd, EventName, LogEntry } from './line.js';
import { type ByteText, canonicalValueEnd, textEnd } from './quick-scan.js';

/**
 * Reads the line between two places of a text as the next one of a chain, without making values of it: where it is ASCII, every value
 * in it is in canonical form, no key stands twice, it goes on from `at`, and its hash is right. Of the entry it gives what a chain is held to.
 * Null for every other line: what is wrong with it, if something is, `parseLine` says. A property holds this to be the same.
 */
export function quickEntry(
  of: ByteText,
  [start, end]: readonly [number, number],
  at: ChainEnd,
): LogEntry | null {
  const { text } = of;
  const shape = membersIn(of, start, end);
  if (shape === null) return null;
  const { places } = shape;
  const raw = (place: number) => (place === -1 ? '' : text.slice(values[place], ends[place]));
  const event = raw(places.event).slice(1, -1);
  const isCall = callEvents.has(event);
  if (!(isCall || event === 'policy' || event === 'end') || raw(places.v) !== '1') return null;
  if (raw(places.seq) !== String(at.seq) || raw(places.prev) !== `"${at.prev}"`) return null;
  const time = textIn(raw(places.time));
  const run = textIn(raw(places.run));
  const call = isCall ? textIn(raw(places.call)) : '';
  if (time === null || run === null || call === null || !isTime(time)) return null;
  const said = raw(places.decision);
  const decision = said === 'null' ? null : textIn(said);
  if (event === 'decision' && decision === null && said !== 'null') return null;
  const digest = hashOf(text, shape);
  if (raw(places.hash) !== `"${digest}"`) return null;
  const entry = {
    v: 1,
    seq: at.seq,
    time,
    run,
    event: event as EventName,
    prev: at.prev,
    hash: digest,
  } as const;
  if (event === 'decision') {
    const code = raw(places.code);
    return {
      ...entry,
      call: copied(call),
      decision: decision === null ? null : copied(decision),
      ...(code.startsWith('"') ? { code: code.slice(1, -1) } : {}),
    };
  }
  if (event === 'approval') return { ...entry, call, approved: raw(places.approved) === 'true' };
  return isCall ? { ...entry, call, outcome: textIn(raw(places.outcome)) } : entry;
}

const callEvents: ReadonlySet<string> = new Set(['decision', 'approval', 'outcome']);

/** Without the rest of the text that it was cut from, which it would keep in memory as long as it is known. */
function copied(text: string): string {
  return ` ${text}`.slice(1);
}

/** The text that stands between quotes; null where it is written in another way than it is. */
function textIn(raw: string): string | null {
  return raw.startsWith('"') && !raw.includes('\\') ? raw.slice(1, -1) : null;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
}

/** Where the members of the line begin, their values, and where they end. */
const mostMembers = 64;
const starts = new Int32Array(mostMembers);
const values = new Int32Array(mostMembers);
const ends = new Int32Array(mostMembers);

/** Which keys a line has, in their order. */
interface Shape {
  /** In which they are hashed, without `hash`. */
  readonly order: readonly number[];
  /** Of what a chain reads; -1 where there is none. */
  readonly places: Readonly<Record<(typeof read)[number], number>>;
}

const read = [
  'v',
  'seq',
  'time',
  'run',
  'event',
  'prev',
  'hash',
  'call',
  'decision',
  'code',
  'approved',
  'outcome',
] as const;

/** Lines have few shapes, and one is like the one before: each key is compared with the one that came last in its place. */
interface Step {
  /** The key with its quotes and colon. */
  readonly key: string;
  readonly next: Map<string, Step>;
  latest: Step | null;
  shape: Shape | null;
}

const first: Step = { key: '', next: new Map(), latest: null, shape: null };
const mostSteps = 5000;
let steps = 0;

function membersIn(of: ByteText, start: number, end: number): Shape | null {
  const { bytes, text } = of;
  if (bytes[start] !== 123 || bytes[end - 1] !== 125) return null;
  let step = first;
  let count = 0;
  for (let at = start + 1; ; at += 1) {
    const next = stepAt(step, of, at);
    if (next === null || count === mostMembers) return null;
    step = next;
    starts[count] = at;
    at += step.key.length;
    values[count] = at;
    at = canonicalValueEnd(of, at);
    if (at === -1 || at >= end) return null;
    ends[count] = at;
    count += 1;
    const byte = bytes[at];
    if (byte === 125) {
      step.shape ??= shapeOf(text, count);
      return at === end - 1 ? step.shape : null;
    }
    if (byte !== 44) return null;
  }
}

function stepAt(step: Step, { bytes, text }: ByteText, at: number): Step | null {
  const { latest } = step;
  if (latest !== null && text.startsWith(latest.key, at)) return latest;
  const end = textEnd(bytes, at);
  if (end === -1 || bytes[end] !== 58) return null;
  const key = text.slice(at, end + 1);
  let next = step.next.get(key);
  if (next === undefined) {
    if (key.includes('\\') || steps === mostSteps) return null;
    steps += 1;
    // A copy: a slice would keep all of the text that it was cut from.
    next = { key: Buffer.from(key).toString(), next: new Map(), latest: null, shape: null };
    step.next.set(next.key, next);
  }
  step.latest = next;
  return next;
}

/** Null where a key stands twice. */
function shapeOf(text: string, count: number): Shape | null {
  const names = Array.from({ length: count }, (_, index) =>
    text.slice((starts[index] as number) + 1, (values[index] as number) - 2),
  );
  if (new Set(names).size < count) return null;
  const order = sorted(names.filter((name) => name !== 'hash')).map((name) => names.indexOf(name));
  const places = Object.fromEntries(read.map((name) => [name, names.indexOf(name)])) as Shape['places'];
  return { order, places };
}

function hashOf(text: string, { order }: Shape): string {
  let canonical = '{';
  for (let index = 0; index < order.length; index += 1) {
    const place = order[index] as number;
    canonical += (index === 0 ? '' : ',') + text.slice(starts[place], ends[place]);
  }
  return hash('sha256', `${canonical}}`);
}
