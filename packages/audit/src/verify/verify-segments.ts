import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type FileChunk, fileChunks, linesIn } from '../log/files/file-lines.js';
import { ifThere } from '../log/files/log-error.js';
import { type ChainEnd, firstPrev, isTorn, lineHead } from '../log/line/line.js';
import { damageOf, parseLine } from '../log/line/parse-line.js';
import { strayAfter } from '../log/segments/find-first.js';
import { segmentPath } from '../log/segments/segment-name.js';
import type { MerkleTree } from '../log/tree/merkle-tree.js';
import { Chain, tooLong } from './chain.js';
import type { Damage, Refuted, Verification, Verified } from './verification.js';
import { type Evidence, Witness } from './witness.js';

/** A log, with what a continuing writer needs. */
export interface VerifiedSegments {
  readonly verification: Verification;
  readonly tree: MerkleTree;
  readonly firstRun: string | null;
  readonly paths: readonly string[];
  /** The numbers of the entries that they begin with, counted in all of them. */
  readonly starts: ReadonlyMap<string, number>;
  readonly last: LastSegment;
}

export interface LastSegment {
  readonly number: number;
  readonly path: string;
  readonly end: ChainEnd;
  /** The clock at its first entry; null if there is none. */
  readonly began: number | null;
}

type OpenSegment = (path: string) => Promise<FileHandle>;

/** Checks all segments of a log. Closes each handle, or hands the last one to `keep`. */
export async function verifySegments(
  first: string,
  evidence: Evidence,
  open: OpenSegment,
  keep?: (handle: FileHandle) => void,
): Promise<VerifiedSegments> {
  const witness = new Witness(evidence);
  const reader = new SegmentReader(first, witness, open);
  const damage = await reader.readAll(keep);
  return {
    verification: damage ?? witness.refute() ?? reader.held(evidence.anchors),
    tree: witness.tree,
    firstRun: witness.firstRun,
    paths: reader.paths,
    starts: witness.starts,
    last: reader.last(),
  };
}

class SegmentReader {
  readonly paths: string[] = [];
  readonly #chain: Chain;
  #path: string;
  #torn: Verified['torn'] = null;
  #began: number | null = null;
  #unfinished: string | null = null;

  constructor(
    private readonly first: string,
    private readonly witness: Witness,
    private readonly open: OpenSegment,
  ) {
    this.#path = first;
    this.#chain = new Chain(basename(first));
  }

  async readAll(keep: ((handle: FileHandle) => void) | undefined): Promise<Refuted | null> {
    let handle = await this.open(this.first);
    try {
      for (;;) {
        const damage = await this.#readSegment(handle);
        if (damage !== null) return damage;
        const next = this.#chain.segments.next;
        if (next === null) return await this.#afterLast();
        const path = join(dirname(this.first), next);
        const opened = await ifThere(this.open(path));
        if (opened === null) return this.#missing(next);
        await handle.close();
        handle = opened;
        this.#path = path;
        this.#chain.beginSegment(next);
      }
    } finally {
      if (keep === undefined) await handle.close();
      else keep(handle);
    }
  }

  held(anchors: Evidence['anchors']): Verification {
    const chain = this.#chain;
    return {
      ok: true,
      entries: chain.size,
      segments: this.paths.length - (this.#unfinished === null ? 0 : 1),
      run: chain.last?.head.run ?? null,
      runs: chain.runs.size,
      ended: chain.ended,
      head: chain.last?.leaf ?? null,
      root: this.witness.tree.root().toString('base64'),
      signed: this.witness.signed(),
      anchors: anchors.reduce((sum, { notes }) => sum + notes.length, 0),
      clock_back: chain.clockBack,
      torn: this.#torn,
      unfinished: this.#unfinished,
    };
  }

  last(): LastSegment {
    const number = this.paths.length - (this.#unfinished === null ? 0 : 1);
    return { number, path: this.#path, end: this.#chain.end, began: this.#began };
  }

  async #readSegment(handle: FileHandle): Promise<Refuted | null> {
    const chain = this.#chain;
    this.paths.push(this.#path);
    this.witness.beginSegment(this.#path);
    this.#began = null;
    let last: Buffer | null = null;
    for await (const chunk of fileChunks(handle)) {
      const damage = chunk.whole ? this.#readLines(chunk) : this.#readTail(chunk);
      if (damage !== null) return damage;
      // A copy: the next chunk takes its place.
      if (chunk.whole)
        last = Buffer.from(chunk.bytes.subarray(chunk.bytes.lastIndexOf(10, chunk.bytes.length - 2) + 1, -1));
    }
    // No line follows that holds its hash, so at least it can be read.
    const parsed = last === null ? null : parseLine(last);
    if (parsed?.ok === false) return this.#refuted(parsed, this.#chain.end.seq);
    // It was on the disk, with its first line, before anything named it.
    const isBare = this.paths.length > 1 && chain.end.seq === 0;
    return isBare ? this.#refuted(noOpening, 1) : null;
  }

  #readLines({ bytes }: FileChunk): Refuted | null {
    // All lines at once, or each by itself.
    const isText = isUtf8(bytes) || undefined;
    for (const line of linesIn(bytes)) {
      const taken = this.#chain.accept(line, isText);
      if (!taken.ok) return this.#refuted(taken, this.#chain.end.seq + 1);
      this.#began ??= Date.parse(taken.head.time);
      this.witness.accept(taken);
    }
    return null;
  }

  #readTail({ bytes, offset, tooLong: isTooLong }: FileChunk): Refuted | null {
    const number = this.#chain.end.seq + 1;
    const damage = isTooLong ? tooLong : this.#tailDamage(bytes);
    if (damage !== null) return this.#refuted(damage, number);
    this.#torn = { line: number, offset, bytes: bytes.length };
    return null;
  }

  #tailDamage(bytes: Buffer): Damage | null {
    const end = this.#chain.end;
    if (this.#chain.segments.next === null && isTorn(bytes, end)) return null;
    return damageOf('TRAILING_GARBAGE', 'unexpected data after the last line', { expected: lineHead(end) });
  }

  /** After the last segment, only one that a killed writer had begun is allowed. */
  async #afterLast(): Promise<Refuted | null> {
    const path = segmentPath(this.first, this.paths.length + 1);
    const stray = await strayAfter(this.#path, path);
    if (stray === 'abandoned') {
      this.#unfinished = path;
      this.paths.push(path);
    }
    if (stray !== 'entered') return null;
    const message = 'another segment follows, and this one does not say so';
    const expected = `a line that names ${basename(path)}`;
    return this.#refuted(damageOf('SEGMENT_UNCLOSED', message, { expected }), this.#chain.end.seq + 1);
  }

  #missing(next: string): Refuted {
    const message = 'the next segment of the log is missing';
    return this.#refuted(damageOf('SEGMENT_MISSING', message, { expected: next }), this.#chain.end.seq);
  }

  #refuted({ code, message, ...details }: Damage, line: number): Refuted {
    return { ok: false, line, where: this.#path, ...damageOf(code, message, details) };
  }
}

const noOpening = damageOf('SEGMENT_OPENING', 'the file does not begin as a segment of this log', {
  expected: lineHead({ seq: 0, prev: firstPrev }),
});
