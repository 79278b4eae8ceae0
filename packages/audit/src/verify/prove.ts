import { resolve } from 'node:path';
import { LogError } from '../log/files/log-error.js';
import { firstSegmentOf } from '../log/segments/find-first.js';
import { type NotesFile, readHeads } from '../log/tree/notes-file.js';
import { consistencyPath, inclusionPath } from '../log/tree/proofs.js';
import { checkpointText, noteOf, originOf, type TreeHead } from '../log/tree/tree-head.js';
import type { Refuted } from './verification.js';
import { verifyWithLeaves } from './verify.js';

/** A proof as text, for a reader without the log and this program. */
export interface Proof {
  readonly ok: true;
  readonly text: string;
  readonly size: number;
  /** An unsigned head proves as much as the place where it is kept. */
  readonly signed: boolean;
  /** In base64, from the leaf up. */
  readonly path: readonly string[];
}

/** The newest head of a log, to keep elsewhere; unsigned if no head is signed. */
export async function newestHead(file: string): Promise<Omit<Proof, 'path'> | Refuted> {
  const log = await provable(file);
  if (!log.ok) return log;
  const head = log.newest(0);
  return { ok: true, text: noteOf(head), size: head.size, signed: head.signatures.length > 0 };
}

/** Proves that a log holds an entry of this segment: C2SP tlog-proof. Throws a `LogError` for an unknown entry. */
export async function proveEntry(file: string, seq: number): Promise<Proof | Refuted> {
  const log = await provable(file);
  if (!log.ok) return log;
  const { from, to } = log.segment;
  const index = from + seq;
  if (index >= to) {
    const there = to === from ? 'the log is empty' : `its entries are 0 to ${to - from - 1}`;
    throw new LogError('NO_ENTRY', `there is no entry ${seq}: ${there}`, { file });
  }
  const head = log.newest(index + 1);
  const path = inclusionPath(log.hashes.slice(0, head.size), index);
  return proofOf(head, `c2sp.org/tlog-proof@v1\nindex ${index}\n`, path);
}

/** A proof that a log continues an older head, in the form of C2SP tlog-witness. */
export async function proveConsistency(file: string, old: NotesFile): Promise<Proof | Refuted> {
  // A head of another log has no proof: verifying names the mistake.
  const log = await provable(file, old);
  if (!log.ok) return log;
  const size = old.notes.at(-1)?.head?.size ?? 0;
  const head = log.newest(size);
  const path = consistencyPath(log.hashes.slice(0, head.size), size);
  return proofOf(head, `old ${size}\n`, path);
}

interface Provable {
  readonly ok: true;
  readonly hashes: readonly string[];
  readonly segment: { readonly from: number; readonly to: number };
  /** The newest signed head, if it covers enough entries; otherwise an unsigned one over all. */
  newest(atLeast: number): TreeHead;
}

async function provable(file: string, anchor?: NotesFile): Promise<Provable | Refuted> {
  const named = resolve(file);
  const anchors = anchor === undefined ? [] : [anchor];
  const { verification, firstRun, starts, leaves: hashes } = await verifyWithLeaves(file, { anchors }, true);
  if (!verification.ok) return verification;
  const from = starts.get(named) ?? hashes.length;
  const segment = { from, to: [...starts.values()].find((start) => start > from) ?? hashes.length };
  const signed = (await readHeads(await firstSegmentOf(named)))?.notes.findLast(
    ({ head }) => (head?.size ?? 0) <= hashes.length,
  )?.head;
  return {
    ok: true,
    hashes,
    segment,
    newest: (atLeast) => {
      if (signed !== null && signed !== undefined && signed.size >= Math.max(atLeast, 1)) return signed;
      const whole = {
        origin: originOf('unsigned', firstRun ?? ''),
        size: hashes.length,
        root: Buffer.from(verification.root, 'base64'),
      };
      return { ...whole, text: checkpointText(whole), signatures: [] };
    },
  };
}

function proofOf(head: TreeHead, begin: string, hashes: readonly Buffer[]): Proof {
  const path = hashes.map((hash) => hash.toString('base64'));
  const text = `${begin}${path.map((hash) => `${hash}\n`).join('')}\n${noteOf(head)}`;
  return { ok: true, text, size: head.size, signed: head.signatures.length > 0, path };
}
