import { basename, resolve } from 'node:path';
import { errorCode } from '@ambit/core';
import { openForReading } from '../log/files/open-file.js';
import { damageOf } from '../log/line/parse-line.js';
import { firstSegmentOf } from '../log/segments/find-first.js';
import type { VerifierKey } from '../log/tree/note-key.js';
import { type NotesFile, readHeads } from '../log/tree/notes-file.js';
import type { Verification } from './verification.js';
import { type VerifiedSegments, verifySegments } from './verify-segments.js';

export interface VerifyOptions {
  /** One of them must have signed the log. */
  readonly keys?: readonly VerifierKey[];
  /** Tree heads that were kept elsewhere. */
  readonly anchors?: readonly NotesFile[];
}

/** Checks a log, given any of its segments. Rejects if a file cannot be read. */
export async function verifyLog(file: string, options: VerifyOptions = {}): Promise<Verification> {
  return (await verifyWithLeaves(file, options)).verification;
}

/** The same, with what a proof needs besides. */
export async function verifyWithLeaves(
  file: string,
  { keys = [], anchors = [] }: VerifyOptions,
  keep = false,
): Promise<Pick<VerifiedSegments, 'verification' | 'firstRun' | 'starts'> & { leaves: readonly string[] }> {
  const named = resolve(file);
  const first = await firstSegmentOf(named);
  const verified = async () => {
    const leaves: string[] = [];
    // Before the log: later writes make the log longer than its heads, never shorter.
    const heads = await readHeads(first);
    const evidence = { heads, anchors, keys, isContinued: false, ...(keep ? { leaves } : {}) };
    return { ...(await verifySegments(first, evidence, openForReading)), leaves };
  };
  try {
    const found = await verified();
    // A log that ended or was cut just now: its head may have come after the read.
    const isLate = !found.verification.ok && late.includes(found.verification.code);
    const last = isLate ? await verified() : found;
    return { ...last, verification: shownFor(named, last) };
  } catch (error) {
    if (first === named || errorCode(error) !== 'ENOENT') throw error;
    return { verification: missing(named, first), firstRun: null, starts: new Map(), leaves: [] };
  }
}

const late: readonly string[] = ['END_UNSIGNED', 'SEGMENT_UNCLOSED'];

function shownFor(named: string, { verification, paths }: VerifiedSegments): Verification {
  if (!verification.ok) {
    const { where, ...others } = verification;
    return where === named || where === undefined ? others : { ...others, where };
  }
  if (paths.includes(named)) return verification;
  const message = 'no segment of the log leads to this file';
  return { ok: false, line: 1, ...damageOf('SEGMENT_MISPLACED', message, { seq: 0 }) };
}

function missing(named: string, first: string): Verification {
  const names = { seq: 0, expected: basename(first), found: basename(named) };
  const message = 'the first segment of the log is missing';
  return { ok: false, line: 1, ...damageOf('SEGMENT_MISSING', message, names) };
}
