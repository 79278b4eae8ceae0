import type { LineDamageCode } from '../log/line/parse-line.js';

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
  /** A call ran without a decision, or an answer, that let it. */
  | 'OUTCOME_WITHOUT_DECISION'
  /** The log says that it is signed, but no head of its key covers its beginning. */
  | 'HEADS_MISSING'
  /** It was asked for a signature, and a run has none. */
  | 'UNSIGNED'
  /** The log has ended, but no head covers its end: heads were cut off. */
  | 'END_UNSIGNED'
  | SegmentDamageCode
  | NoteDamageCode;

/** Mistakes of the segments of a log. */
export type SegmentDamageCode =
  /** One that another names, or the first, is not there. */
  | 'SEGMENT_MISSING'
  /** A file in the place of a segment does not begin as one. */
  | 'SEGMENT_OPENING'
  /** Another segment is in this place: they were swapped or reordered. */
  | 'SEGMENT_ORDER'
  /** A segment is in two places. */
  | 'SEGMENT_DOUBLED'
  /** It continues another file than the one before it: another log's, or a rewritten one. */
  | 'SEGMENT_MISMATCH'
  /** There is one after it, and it does not say so: its end was cut off. */
  | 'SEGMENT_UNCLOSED'
  /** A segment line is within a segment, or something follows its end. */
  | 'SEGMENT_MISPLACED';

/** Mistakes of a tree head, beside the log or kept elsewhere. */
export type NoteDamageCode = `${'HEAD' | 'ANCHOR'}_${
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
  | 'MISMATCH'}`;

/** The mistake in a line of a log. */
export interface Damage {
  readonly code: DamageCode;
  readonly seq: number | null;
  readonly message: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** Whose signatures a log has. */
export interface Signed {
  /** The number of entries that the last head covers; later ones are not signed yet. */
  readonly entries: number;
  readonly heads: number;
  /** Of the last head: `NAME+ID`. */
  readonly key: string;
  /** Who named the key: the verifier, the log itself, or no one, so no signature was checked. */
  readonly trust: 'given' | 'log' | 'nobody';
  /** Whether the last head was never finished: its writer was killed. */
  readonly torn: boolean;
}

/**
 * What a log proves by itself. A file that was cut after a whole line, or rewritten, verifies unless a head
 * covers the loss: compare with a head kept elsewhere, or `entries`, `ended` and `head`.
 */
export type Verification =
  | {
      readonly ok: true;
      readonly entries: number;
      /** The number of their files. */
      readonly segments: number;
      /** The last one; a file that was named for several runs holds them one after the other. */
      readonly run: string | null;
      readonly runs: number;
      /** Whether the last entry is the run's `end`. */
      readonly ended: boolean;
      /** The hash of the last whole line; null in an empty file. */
      readonly head: string | null;
      /** Of the tree over all entries, in base64, as a checkpoint has it. */
      readonly root: string;
      /** Null without a head: the log is not signed. */
      readonly signed: Signed | null;
      /** How many heads that were kept elsewhere hold. */
      readonly anchors: number;
      /** The first entry whose time is before that of the entry before it, counted over all segments: the clock was set back. */
      readonly clock_back: number | null;
      /** The beginning of an unfinished line: its writer was killed. It was never acknowledged. */
      readonly torn: { readonly line: number; readonly offset: number; readonly bytes: number } | null;
      /** The file of a segment that a killed writer had begun: no line names it, and it is empty. */
      readonly unfinished: string | null;
    }
  | ({
      readonly ok: false;
      /** From 1. */
      readonly line: number;
      /**
       * The file of the line, if it is not the first of the log: another segment, its heads, or an anchor.
       */
      readonly where?: string;
    } & Damage);
