import { hash } from 'node:crypto';
import { sorted } from './canonical-json.js';
import { type ChainEnd, type EventName, type LogEntry, maxLineBytes } from './line.js';
import { canonicalValueEnd, isAt, keyEnd } from './quick-scan.js';

/** The parts of an entry that a chain and its evidence check. */
export interface QuickEntry extends Pick<LogEntry, 'seq' | 'run' | 'hash'> {
  readonly event: Exclude<EventName, 'run' | 'segment'>;
  /** Milliseconds, as `Date.parse` reads its time. */
  readonly at: number;
  /** Where the next line begins. */
  readonly next: number;
  /** Empty for an event of no call. */
  readonly call: string;
  /** Null if the event lacks them, or is not a permit. */
  readonly decision: string | null;
  readonly code: string | null;
  readonly approved: boolean;
  readonly outcome: string | null;
}

/**
 * Reads the line at a place in UTF-8 text as the next one of a run, without parsing values: if every value is
 * canonical, keys are unique, it continues from `end`, and its hash is correct. Null for every other line:
 * then `parseLine` finds the mistake. A property holds both equal.
 */
export function quickEntry(
  bytes: Buffer,
  start: number,
  { end, run }: { readonly end: ChainEnd; readonly run: string },
): QuickEntry | null {
  const shape = membersIn(bytes, start);
  if (shape === null || !isSpelledAsItIs(run)) return null;
  const { places, last } = shape;
  const newline = (ends[last] as number) + 1;
  if (bytes[newline] !== 10 || newline - start >= maxLineBytes) return null;
  if (!says(bytes, places.v, '1') || !says(bytes, places.seq, String(end.seq))) return null;
  if (spelledAt(bytes, places.run) !== run || spelledAt(bytes, places.prev) !== end.prev) return null;
  const event = eventAt(bytes, places.event);
  const at = timeAt(bytes, places.time);
  if (event === null || at === null) return null;
  const isDecision = event === 'decision';
  const call = event === 'policy' || event === 'end' ? '' : textAt(bytes, places.call);
  const decision = isDecision ? textOrNullAt(bytes, places.decision) : null;
  const code = isDecision && places.code !== -1 ? textOrNullAt(bytes, places.code) : null;
  const outcome = event === 'outcome' ? textAt(bytes, places.outcome) : null;
  if (call === null || decision === undefined || code === undefined) return null;
  const approved = event === 'approval' && says(bytes, places.approved, 'true');
  const digest = hashOf(bytes, shape);
  if (spelledAt(bytes, places.hash) !== digest) return null;
  return {
    seq: end.seq,
    run,
    hash: digest,
    event,
    at,
    next: newline + 1,
    call,
    decision,
    code,
    approved,
    outcome,
  };
}

function eventAt(bytes: Buffer, place: number): QuickEntry['event'] | null {
  for (const { event, json } of quickEvents) if (says(bytes, place, json)) return event;
  return null;
}

const quickEvents = (['decision', 'outcome', 'approval', 'policy', 'end'] as const).map((event) => ({
  event,
  json: `"${event}"`,
}));

function timeAt(bytes: Buffer, place: number): number | null {
  return place === -1 ? null : quickTime(bytes, values[place] as number, ends[place] as number);
}

/** Undefined for other values, and for a text that is not read here. */
function textOrNullAt(bytes: Buffer, place: number): string | null | undefined {
  return says(bytes, place, 'null') ? null : (textAt(bytes, place) ?? undefined);
}

/** A text that is spelled as it is; null for any other, and for other values. */
function textAt(bytes: Buffer, place: number): string | null {
  const spelled = spelledAt(bytes, place);
  return spelled === null || isSpelledAsItIs(spelled) ? spelled : null;
}

/** Whether a JSON text has no escapes and one byte for each character. */
function isSpelledAsItIs(text: string): boolean {
  return /^[ !#-[\]-~]*$/.test(text);
}

/** The text between the quotes; null for other values. */
function spelledAt(bytes: Buffer, place: number): string | null {
  if (place === -1) return null;
  const start = values[place] as number;
  return bytes[start] === 34 ? bytes.toString('latin1', start + 1, (ends[place] as number) - 1) : null;
}

function says(bytes: Buffer, place: number, json: string): boolean {
  if (place === -1) return false;
  const start = values[place] as number;
  return (ends[place] as number) - start === json.length && isAt(bytes, start, json);
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
  /** The place of the last member. */
  readonly last: number;
  /** Of what a chain reads; -1 if absent. */
  readonly places: Readonly<Record<(typeof readMembers)[number], number>>;
}

const readMembers = [
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

function membersIn(bytes: Buffer, start: number): Shape | null {
  if (bytes[start] !== 123) return null;
  let step = first;
  let count = 0;
  for (let at = start + 1; ; at += 1) {
    const next = stepAt(step, bytes, at);
    if (next === null || count === mostMembers) return null;
    step = next;
    starts[count] = at;
    at += step.key.length;
    values[count] = at;
    at = canonicalValueEnd(bytes, at);
    if (at === -1) return null;
    ends[count] = at;
    count += 1;
    const byte = bytes[at];
    if (byte === 125) {
      step.shape ??= shapeOf(bytes, count);
      return step.shape;
    }
    if (byte !== 44) return null;
  }
}

function stepAt(step: Step, bytes: Buffer, at: number): Step | null {
  const { latest } = step;
  if (latest !== null && isAt(bytes, at, latest.key)) return latest;
  const end = keyEnd(bytes, at);
  if (end === -1) return null;
  const key = bytes.toString('latin1', at, end);
  let next = step.next.get(key);
  if (next === undefined) {
    if (steps === mostSteps) return null;
    steps += 1;
    next = { key, next: new Map(), latest: null, shape: null };
    step.next.set(key, next);
  }
  step.latest = next;
  return next;
}

/** Null for a duplicate key. */
function shapeOf(bytes: Buffer, count: number): Shape | null {
  const names = Array.from({ length: count }, (_, index) =>
    bytes.toString('latin1', (starts[index] as number) + 1, (values[index] as number) - 2),
  );
  if (new Set(names).size < count) return null;
  const order = sorted(names.filter((name) => name !== 'hash')).map((name) => names.indexOf(name));
  const places = Object.fromEntries(
    readMembers.map((name) => [name, names.indexOf(name)]),
  ) as Shape['places'];
  return { order, last: count - 1, places };
}

/** Of the members in the order in which they are hashed, put together here. */
let canonical = Buffer.alloc(1 << 16);

function hashOf(bytes: Buffer, { order }: Shape): string {
  const last = order.length - 1;
  let length = 0;
  for (let index = 0; index <= last; index += 1) {
    const place = order[index] as number;
    const [start, end] = [starts[place] as number, ends[place] as number];
    // With the sign after a value, and room for that of the last one.
    if (length + end - start + 2 > canonical.length) {
      const larger = Buffer.alloc(2 * (length + end - start + 2));
      canonical.copy(larger, 0, 0, length);
      canonical = larger;
    }
    canonical[length] = index === 0 ? 123 : 44;
    length = put(bytes, [start, end], length + 1);
  }
  canonical[length] = 125;
  return hash('sha256', canonical.subarray(0, length + 1));
}

/** Most members are short: a call that copies them takes longer than they do. */
function put(bytes: Buffer, [start, end]: readonly [number, number], to: number): number {
  const length = end - start;
  if (length > 64) bytes.copy(canonical, to, start, end);
  else for (let at = 0; at < length; at += 1) canonical[to + at] = bytes[start + at] as number;
  return to + length;
}

/** The beginning of the latest time, with quote and point, and its second. */
const latest = new Uint8Array(21);
let second = Number.NaN;

/**
 * The value of `Date.parse` for the time between two places in JSON; null if it is not as `timeText` writes
 * it. Most times are in the same second as the one before.
 */
export function quickTime(bytes: Buffer, start: number, end: number): number | null {
  if (end - start !== 26) return null;
  const one = (bytes[start + 21] as number) - 48;
  const two = (bytes[start + 22] as number) - 48;
  const three = (bytes[start + 23] as number) - 48;
  const areDigits = one >= 0 && one <= 9 && two >= 0 && two <= 9 && three >= 0 && three <= 9;
  if (!areDigits || bytes[start + 24] !== 90) return null;
  let at = 0;
  while (at < latest.length && bytes[start + at] === latest[at]) at += 1;
  if (at === latest.length) return second + 100 * one + 10 * two + three;
  const text = bytes.toString('latin1', start + 1, end - 1);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return null;
  const beginning = text.slice(0, -4);
  second = Date.parse(`${beginning}000Z`);
  // Midnight has only its first form; and some texts are not times.
  const isWhole = Date.parse(`${beginning}999Z`) === second + 999;
  if (isWhole) latest.set(bytes.subarray(start, start + latest.length));
  else latest[0] = 0;
  return Date.parse(text);
}
