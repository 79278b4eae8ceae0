import type { DamageOf, LineDamageCode } from '../log/line/parse-line.js';

export type DamageCode =
  | LineDamageCode
  | 'LINE_TOO_LONG'
  | 'SEQ_GAP'
  | 'RUN_CHANGED'
  /** The first line does not begin a chain. */
  | 'FIRST_PREV'
  /** The line before this one was changed, or taken out. */
  | 'PREV_MISMATCH'
  /** This line of version 1 was changed. */
  | 'HASH_MISMATCH'
  /** A call ran without a decision or an answer that permits it. */
  | 'OUTCOME_WITHOUT_DECISION'
  /** The log says that it is signed, but no head of its key covers its beginning. */
  | 'HEADS_MISSING'
  /** It was asked for a signature, and a run has none. */
  | 'UNSIGNED'
  /** The log has ended, but no head covers its end: heads were cut off. */
  | 'END_UNSIGNED'
  /** A segment that another one names, or the first one, is missing. */
  | 'SEGMENT_MISSING'
  /** A file in place of a segment does not begin like one. */
  | 'SEGMENT_OPENING'
  /** Another segment is in this place: they were swapped or reordered. */
  | 'SEGMENT_ORDER'
  /** A segment is in two places. */
  | 'SEGMENT_DOUBLED'
  /** It does not continue the file before it, but another log's or a rewritten one. */
  | 'SEGMENT_MISMATCH'
  /** A later segment exists, but this one does not name it: its end was cut off. */
  | 'SEGMENT_UNCLOSED'
  /** A segment line is within a segment, or something follows its end. */
  | 'SEGMENT_MISPLACED'
  | `${'HEAD' | 'ANCHOR'}_${NoteProblem}`;

export type NoteProblem =
  | 'MALFORMED'
  /** The signature is not that of its key. */
  | 'SIGNATURE'
  /** Another key signed. */
  | 'KEY'
  /** It is of another log. */
  | 'ORIGIN'
  /** It covers less than the one before it. */
  | 'ORDER'
  /** It covers more than there is: the log was cut. */
  | 'LONGER'
  /** It covers other entries: the log was written again. */
  | 'MISMATCH';

export type Damage = DamageOf<DamageCode>;

export interface Signed {
  /** The number of entries that the last head covers; later ones are not signed yet. */
  readonly entries: number;
  readonly heads: number;
  /** `NAME+ID`, of the last head. */
  readonly key: string;
  /** Who named the key: the verifier, the log itself, or no one, so no signature was checked. */
  readonly trust: 'given' | 'log' | 'nobody';
  /** Whether the last head was never finished: its writer was killed. */
  readonly torn: boolean;
}

/** What a log proves by itself. Only a head that covers a cut or rewritten part shows the loss. */
export type Verification = Verified | Refuted;

export interface Verified {
  readonly ok: true;
  readonly entries: number;
  readonly segments: number;
  /** The last one. */
  readonly run: string | null;
  readonly runs: number;
  /** Whether the last entry is the run's `end`. */
  readonly ended: boolean;
  /** The hash of the last whole line; null in an empty file. */
  readonly head: string | null;
  /** Of the tree over all entries, in base64. */
  readonly root: string;
  /** Null if the log is not signed. */
  readonly signed: Signed | null;
  /** How many heads that were kept elsewhere hold. */
  readonly anchors: number;
  /** The first entry with an earlier time than the one before it. */
  readonly clock_back: number | null;
  /** An unfinished line of a killed writer. */
  readonly torn: { readonly line: number; readonly offset: number; readonly bytes: number } | null;
  /** A segment that a killed writer began, and that no line names. */
  readonly unfinished: string | null;
}

export interface Refuted extends Damage {
  readonly ok: false;
  /** From 1. */
  readonly line: number;
  /** Another file of the log: a segment, its heads, or an anchor. */
  readonly where?: string;
}
