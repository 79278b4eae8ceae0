import { basename } from 'node:path';
import { printable } from '@ambit/core';
import type { LastSegment } from '../../verify/verify-segments.js';
import { LogError } from '../files/log-error.js';
import { type ChainEnd, encodeLine, firstPrev, type Line, segmentMembers } from '../line/line.js';
import { type Before, type Closing, isFileName } from '../line/segment-line.js';
import { firstPathOf, segmentPath } from '../segments/segment-name.js';

/** When the next segment begins: before one of these limits is exceeded. Never without limits. */
export interface RotationLimits {
  /** Bytes of the file. One append stays together, so a longer one has its own segment. */
  readonly bytes?: number;
  readonly entries?: number;
  /** Since its first entry. */
  readonly seconds?: number;
}

/** Throws on an invalid limit, and for a log whose later segments no reader would take for its own. */
export function checkedLimits(limits: RotationLimits, first: string): RotationLimits {
  for (const [name, limit] of Object.entries(limits) as [string, number | undefined][]) {
    if (limit === undefined) continue;
    if (!(limit > 0)) throw new TypeError(`a segment of ${limit} ${name} holds nothing`);
    const second = segmentPath(first, 2);
    if (isFileName(basename(second)) && firstPathOf(second) === first) continue;
    const message = `${printable(first)} cannot continue in other files: give it a name like run.jsonl`;
    throw new LogError('UNSAFE_FILE', message, { file: first });
  }
  return limits;
}

export interface Segment {
  readonly number: number;
  readonly file: string;
  readonly end: ChainEnd;
  readonly bytes: number;
  /** The clock at its first entry; null if there is none. */
  readonly began: number | null;
  /** Whether it has only its first line. */
  readonly isBare: boolean;
}

export function segmentOf({ number, path, end, began }: LastSegment, bytes: number): Segment {
  const isBare = end.seq <= (number === 1 ? 0 : 1);
  return { number, file: basename(path), end, bytes, began, isBare };
}

interface Added {
  readonly lines: readonly Line[];
  readonly now: number;
}

export function after(segment: Segment, { lines, now }: Added): Segment {
  const last = lines.at(-1);
  return {
    number: segment.number,
    file: segment.file,
    end: { seq: segment.end.seq + lines.length, prev: last?.hash ?? segment.end.prev },
    bytes: segment.bytes + lengthOf(lines),
    began: segment.began ?? now,
    isBare: false,
  };
}

/** In bytes. */
function lengthOf(lines: readonly Line[]): number {
  let sum = 0;
  for (const { length } of lines) sum += length;
  return sum;
}

export function isFull(segment: Segment, { lines, now }: Added, limits: RotationLimits): boolean {
  const { bytes = endless, entries = endless, seconds = endless } = limits;
  if (segment.isBare) return false;
  return (
    /** Whether these lines belong into the next segment. */
    segment.bytes + lengthOf(lines) + closingLength > bytes ||
    segment.end.seq + lines.length + 1 > entries ||
    (segment.began !== null && now - segment.began >= seconds * 1000)
  );
}

const endless = Number.POSITIVE_INFINITY;

const closingLength = 400;

export interface Rotation {
  readonly closing: Line;
  readonly opening: Line;
  readonly path: string;
}

/** `size` counts the entries of all segments, including waiting ones. */
export function rotationAfter(
  segment: Segment,
  log: { readonly first: string; readonly size: number; readonly run: string; readonly now: number },
): { readonly rotation: Rotation; readonly segment: Segment } {
  const number = segment.number + 1;
  const at = { run: log.run, now: log.now };
  const path = segmentPath(log.first, number);
  const { file, end: last } = segment;
  const end: Closing = { number: segment.number, next: basename(path) };
  const closing = encodeLine(segmentMembers(end), { ...last, ...at });
  const before: Before = { file, seq: last.seq, hash: closing.hash, size: log.size + 1 };
  const start = { seq: 0, prev: firstPrev, ...at };
  const opening = encodeLine(segmentMembers({ number, before }), start);
  return {
    rotation: { closing, opening, path },
    segment: {
      number,
      file: end.next,
      end: { seq: 1, prev: opening.hash },
      bytes: opening.length,
      began: log.now,
      isBare: true,
    },
  };
}
