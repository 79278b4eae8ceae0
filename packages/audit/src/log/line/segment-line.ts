import { basename } from 'node:path';
import { isObject, type Json, type JsonObject } from '@ambit/core';
import type { LogEntry } from './line.js';
import { isCount, isDigest } from './members.js';

/** The data about the previous segment in the first line of a segment. */
export interface Before {
  /** Its file name, without a folder. */
  readonly file: string;
  /** Of its last line, which names this segment. */
  readonly seq: number;
  readonly hash: string;
  /** How many entries all segments before this one have. */
  readonly size: number;
}

/** The first line of a segment but the first. */
export interface Opening {
  readonly number: number;
  readonly before: Before;
}

/** The last line of a segment, written when another segment follows. */
export interface Closing {
  readonly number: number;
  /** The file name of the next segment, without a folder. */
  readonly next: string;
}

/** Null for any other entry, and for none. */
export function openingOf(entry: LogEntry | null): Opening | null {
  return entry?.event === 'segment' && entry.before !== undefined
    ? { number: entry.number as number, before: entry.before as unknown as Before }
    : null;
}

export function closingOf(entry: LogEntry | null): Closing | null {
  return entry?.event === 'segment' && entry.next !== undefined
    ? { number: entry.number as number, next: entry.next as string }
    : null;
}

/** The wrong member of a `segment` event, and what it must be. */
export function wrongSegment(value: JsonObject): readonly [member: string, words: string] | null {
  const { number, before, next } = value;
  if (!isCount(number) || number === 0) return ['number', 'a whole number from 1'];
  if (next !== undefined)
    return before === undefined && isFileName(next) ? null : ['next', 'the name of a file'];
  const isBefore =
    isObject(before) &&
    isFileName(before.file) &&
    isCount(before.seq) &&
    isCount(before.size) &&
    isDigest(before.hash);
  return isBefore ? null : ['before', 'a segment: its file, seq, hash and size'];
}

/** It is opened, so it must not lead to another folder. */
export function isFileName(value: Json | undefined): boolean {
  return typeof value === 'string' && !/^\.{0,2}$|[/\\\0]/.test(value) && basename(value) === value;
}
