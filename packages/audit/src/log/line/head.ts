import { callEvents, type EventName, eventNames, type LogEntry } from './line.js';
import { isDigest } from './members.js';
import { walkLine } from './walk-line.js';

/** The members at the beginning of a line, which chains, evidence and filters read. */
export interface Head extends Pick<LogEntry, 'v' | 'seq' | 'time' | 'run' | 'event' | 'prev'> {
  /** Null if the event has none. */
  readonly call: string | null;
  readonly decision: string | null;
  readonly code: string | null;
  readonly approved: boolean;
  readonly outcome: string | null;
}

/** The head of a fully read entry, also of version 1. */
export function headOf(entry: LogEntry): Head {
  const { v, seq, time, run, event, prev } = entry;
  const text = (name: string) => (typeof entry[name] === 'string' ? entry[name] : null);
  const own = {
    call: text('call'),
    decision: text('decision'),
    code: text('code'),
    outcome: text('outcome'),
  };
  return { v, seq, time, run, event, prev, ...own, approved: entry.approved === true };
}

const text = String.raw`"(?:[^"\\]|\\.)*"`;
// The first group is the text itself if its bytes mean themselves, the second one its JSON otherwise.
const told = String.raw`(?:"([ !#-[\]-~]*)"|(${text}))`;
const word = '"([a-z_]+)"';
const begin = '{"prev":"';
const prevEnd = begin.length + 64;
const head = new RegExp(
  String.raw`","v":2,"seq":(0|[1-9]\d{0,14}),` +
    String.raw`"time":"([+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","run":${told},"event":${word}` +
    `(?:,"call":${told})?(?:,"decision":(null|"[a-z_]+"))?(?:,"approved":(true|false))?` +
    `(?:,"outcome":${word})?(?:,"code":${word})?(?=[,}])(?!,"(?:call|decision|approved|outcome|code)":)`,
  'sy',
);

/** The group that an event needs besides its call; null for an event of no call. */
const ownGroups = new Map<string, number | null>(eventNames.map((name) => [name, null]));
for (const [index, name] of callEvents.entries()) ownGroups.set(name, 8 + index);

/** Longer than nearly all heads. */
const usual = 384;
const longestKey = 16;

/** A head, where the rest of its line begins, and how many members it has. */
export interface ReadHead {
  readonly head: Head;
  readonly end: number;
  readonly members: number;
}

/** Reads the head of a line of version 2; null for any other line. `expected` is the digest that `prev` likely is. */
export function readHead(line: Buffer, expected: string | null = null): ReadHead | null {
  let text = line.toString('latin1', 0, usual);
  if (!text.startsWith(begin)) return null;
  let found = matchHead(text);
  if (line.length > usual && (found === null || head.lastIndex > usual - longestKey)) {
    text = line.toString('latin1');
    found = matchHead(text);
  }
  if (found === null) return null;
  // To read these digits takes as long as to read the rest of the head.
  const prev = text.slice(begin.length, prevEnd);
  if (prev !== expected && !isDigest(prev)) return null;
  // By index: iteration is slower until V8 compiles it, and most of a verification runs before that.
  const { 1: seq, 2: time, 3: run, 4: runJson, 5: event, 6: callText, 7: callJson } = found;
  const { 8: decision, 9: approved, 10: outcome, 11: code } = found;
  const call = callText ?? callJson;
  if (!hasOwnMembers(found)) return null;
  try {
    return {
      end: head.lastIndex,
      members: 6 + [call, decision, approved, outcome, code].filter((part) => part !== undefined).length,
      head: {
        v: 2,
        seq: Number(seq),
        time: time as string,
        run: run ?? parseJsonText(runJson as string),
        event: event as EventName,
        prev,
        call: callJson === undefined ? (callText ?? null) : parseJsonText(callJson),
        decision: decision === undefined || decision === 'null' ? null : decision.slice(1, -1),
        code: code ?? null,
        approved: approved === 'true',
        outcome: outcome ?? null,
      },
    };
  } catch {
    // An invalid escape in JSON.
    return null;
  }
}

/** Whether the rest of a line closes what it opens, at its end, and repeats no key of the head. */
export function isWholeAfter(line: Buffer, { end: from }: ReadHead): boolean {
  const { end, hasHeadKey } = walkLine(line, from, 1);
  return end === line.length && !hasHeadKey;
}

/** Whether the event is known, and has the members that it needs. */
function hasOwnMembers(found: RegExpExecArray): boolean {
  const own = ownGroups.get(found[5] as string);
  if (own === undefined || own === null) return own === null;
  return (found[6] ?? found[7]) !== undefined && found[own] !== undefined;
}

function matchHead(text: string): RegExpExecArray | null {
  head.lastIndex = prevEnd;
  return head.exec(text);
}

function parseJsonText(json: string): string {
  return JSON.parse(Buffer.from(json, 'latin1').toString()) as string;
}
