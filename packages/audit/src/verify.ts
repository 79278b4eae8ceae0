import type { FileHandle } from 'node:fs/promises';
import { createChain } from './chain.js';
import type { MerkleTree } from './evidence/merkle-tree.js';
import type { VerifierKey } from './evidence/note-key.js';
import { type NotesFile, readHeads } from './evidence/notes-file.js';
import { createWitness, type Evidence, type Witness } from './evidence/witness.js';
import { type FileLine, fileLines } from './file-lines.js';
import { lineHead, maxLineBytes } from './line.js';
import { openForReading } from './open-file.js';
import type { Damage, Verification } from './verification.js';

export interface VerifyOptions {
  /** By one of which the log has to be signed. */
  readonly keys?: readonly VerifierKey[];
  /** Tree heads that were kept elsewhere. */
  readonly anchors?: readonly NotesFile[];
}

/**
 * Checks a log and its heads from the first line to the last, or to the first damage. Rejects where a file cannot be
 * read.
 */
export async function verifyLog(
  file: string,
  { keys = [], anchors = [] }: VerifyOptions = {},
): Promise<Verification> {
  const handle = await openForReading(file);
  try {
    // Before the log: what is written meanwhile makes the log longer than its heads, never shorter.
    const verified = async () => {
      const heads = await readHeads(file);
      return (await verifyHandle(handle, { heads, anchors, keys, isContinued: false })).verification;
    };
    const verification = await verified();
    // A log that ended just now: its last head may have come after its heads were read.
    return !verification.ok && verification.code === 'END_UNSIGNED' ? await verified() : verification;
  } finally {
    await handle.close();
  }
}

/** A log, and what whoever goes on with it has to know. */
export interface VerifiedHandle {
  readonly verification: Verification;
  readonly tree: MerkleTree;
  readonly firstRun: string | null;
}

export async function verifyHandle(handle: FileHandle, evidence: Evidence): Promise<VerifiedHandle> {
  const witness = createWitness(evidence);
  const verification = await verified(handle, witness, evidence.anchors);
  return { verification, tree: witness.tree, firstRun: witness.firstRun };
}

async function verified(
  handle: FileHandle,
  witness: Witness,
  anchors: readonly NotesFile[],
): Promise<Verification> {
  const chain = createChain();
  let torn: FileLine | null = null;
  for await (const line of fileLines(handle)) {
    if (line.whole && !line.tooLong) {
      const taken = chain.accept(line.bytes);
      if (!taken.ok) return { line: line.number, ...taken };
      witness.accept(taken.entry);
      continue;
    }
    const damage = line.tooLong ? tooLong : tailDamage(line.bytes, chain.end().seq);
    if (damage !== null) return { ok: false, line: line.number, ...damage };
    torn = line;
  }
  const refutation = witness.refute();
  if (refutation !== null) return refutation;
  const last = chain.last();
  return {
    ok: true,
    entries: chain.end().seq,
    run: last?.run ?? null,
    runs: chain.runs(),
    ended: last?.event === 'end',
    head: last?.hash ?? null,
    root: witness.tree.root().toString('base64'),
    signed: witness.signed(),
    anchors: anchors.reduce((sum, { notes }) => sum + notes.length, 0),
    clock_back: chain.clockBack(),
    torn: torn === null ? null : { line: torn.number, offset: torn.offset, bytes: torn.bytes.length },
  };
}

const tooLong: Damage = {
  code: 'LINE_TOO_LONG',
  seq: null,
  message: 'the line is too long',
  expected: `at most ${maxLineBytes} bytes`,
  found: null,
};

/** A line without its newline is torn when it can be the beginning of the next one, or was never filled (a power cut). */
function tailDamage(bytes: Buffer, seq: number): Damage | null {
  const head = lineHead(seq);
  const begins = bytes.subarray(0, head.length).toString('latin1');
  if (head.startsWith(begins) || bytes.every((byte) => byte === 0)) return null;
  return {
    code: 'TRAILING_GARBAGE',
    seq: null,
    message: 'what follows the last line is no line',
    expected: head,
    found: null,
  };
}
