import { remembered, shortened } from '@ambit/core';
import { MerkleTree } from '../log/tree/merkle-tree.js';
import { parseVerifierKey, type VerifierKey } from '../log/tree/note-key.js';
import type { NotesFile } from '../log/tree/notes-file.js';
import { originOf, signerOf, type TreeHead } from '../log/tree/tree-head.js';
import type { Link } from './segment-order.js';
import type { DamageCode, NoteProblem, Refuted, Signed } from './verification.js';

/** What a log is checked against, besides its own chain. */
export interface Evidence {
  /** Beside the log; null if there are none. */
  readonly heads: NotesFile | null;
  /** Kept elsewhere. */
  readonly anchors: readonly NotesFile[];
  /** Keys of which one must have signed the log; empty if the verifier has none. */
  readonly keys: readonly VerifierKey[];
  /** A writer continues it: the last one may have been killed before it signed. */
  readonly isContinued: boolean;
  /** Gets the leaves of the tree. */
  readonly leaves?: string[];
}

/** A run of the log, and the key that it says it is signed with. */
interface LoggedRun {
  /** The number of entries before it, in all segments. */
  readonly index: number;
  readonly signer: VerifierKey | null;
}

type Kind = 'HEAD' | 'ANCHOR';

/** Follows a log from its first entry, and compares it with its evidence. */
export class Witness {
  readonly tree = new MerkleTree();
  /** The number of entries before each segment, in order. */
  readonly starts = new Map<string, number>();
  /** Null until an entry was taken. */
  firstRun: string | null = null;
  /** Of the tree, at the sizes that heads cover. */
  readonly #roots = new Map<number, Buffer>();
  readonly #wanted: ReadonlySet<number>;
  readonly #runs: LoggedRun[] = [];
  /** How many entries the last head must cover, if the last run has ended. */
  #ended: number | null = null;
  /** Those of the verifier, or those that the log names. */
  #keys: readonly VerifierKey[];
  readonly #covered = new Map<string, number>();

  constructor(private readonly evidence: Evidence) {
    const { heads, anchors, keys } = evidence;
    this.#keys = keys;
    this.#wanted = new Set(
      [heads, ...anchors].flatMap((file) => file?.notes.map(({ head }) => head?.size ?? 0) ?? []),
    );
    this.#noteRoot();
  }

  /** Says in which file the next entries stand. */
  beginSegment(path: string): void {
    this.starts.set(path, this.tree.size);
  }

  accept({ head: { run, event }, leaf, entry }: Link): void {
    const { size } = this.tree;
    this.firstRun ??= run;
    if (event !== 'segment') this.#ended = event === 'end' ? size + 1 : null;
    if (event === 'run') {
      const signer = entry?.signer;
      this.#runs.push({ index: size, signer: typeof signer === 'string' ? parseVerifierKey(signer) : null });
    }
    this.evidence.leaves?.push(leaf);
    this.tree.append(leaf);
    this.#noteRoot();
  }

  #noteRoot(): void {
    const { size } = this.tree;
    if (this.#wanted.has(size)) this.#roots.set(size, this.tree.root());
  }

  /** The mistake after the last entry: the first head, the first run, the first anchor. */
  refute(): Refuted | null {
    const { heads, anchors, keys, isContinued } = this.evidence;
    if (keys.length === 0) {
      const named = this.#runs.flatMap(({ signer }) => (signer === null ? [] : [signer]));
      this.#keys = [...new Map(named.map((signer) => [signer.text, signer])).values()];
    }
    return (
      this.#refuteNotes(heads, 'HEAD') ??
      this.#refuteRuns(isContinued && this.tree.size === 0 ? [] : keys) ??
      this.#refuteEnd() ??
      anchors
        .map((anchor) => this.#refuteNotes(anchor, 'ANCHOR'))
        .find((refutation) => refutation !== null) ??
      null
    );
  }

  signed(): Signed | null {
    const { heads, keys } = this.evidence;
    const last = heads?.notes.at(-1)?.head;
    if (heads === null || last === null || last === undefined) return null;
    const signer = signerOf(last, this.#keys);
    const named = signer === null || signer === 'forged' ? last.signatures[0] : signer;
    return {
      entries: last.size,
      heads: heads.notes.length,
      key: named === undefined ? '' : `${named.name}+${named.id}`,
      trust: keys.length > 0 ? 'given' : this.#keys.length > 0 ? 'log' : 'nobody',
      torn: heads.torn !== null,
    };
  }

  #refuteNotes(file: NotesFile | null, kind: Kind): Refuted | null {
    let before = 0;
    for (const { line, head } of file?.notes ?? []) {
      const wrong = head === null ? malformed : this.#wrongIn(head, kind, before);
      if (wrong !== null) {
        const [what, message, expected = null, found = null] = wrong;
        const seq = what === 'MISMATCH' ? before : null;
        const where = file?.name ?? '';
        return { ok: false, line, where, code: `${kind}_${what}`, seq, message, expected, found };
      }
      before = head?.size ?? before;
    }
    return null;
  }

  #wrongIn(head: TreeHead, kind: Kind, before: number): Wrong | null {
    const { size } = this.tree;
    const isLess = head.size < before && kind === 'HEAD';
    return (
      this.#wrongSigner(head, kind) ??
      this.#wrongOrigin(head) ??
      (isLess ? ['ORDER', lessThanBefore, `${before} or more`, String(head.size)] : null) ??
      (head.size > size
        ? ['LONGER', 'the log is shorter than it was', `${head.size} entries`, String(size)]
        : null) ??
      this.#wrongRoot(head, kind === 'HEAD' ? before : 0)
    );
  }

  #wrongSigner(head: TreeHead, kind: Kind): Wrong | null {
    const signer = signerOf(head, this.#keys);
    if (signer === 'forged') return ['SIGNATURE', 'the signature does not match its key'];
    // An anchor is trusted because of the place where it was kept.
    const isTrusted = kind === 'ANCHOR' && (this.evidence.keys.length === 0 || head.signatures.length === 0);
    if (signer !== null || this.#keys.length === 0 || isTrusted) return null;
    const found = head.signatures.map(({ name, id }) => `${name}+${id}`).join(', ');
    const expected = this.#keys.map(({ name, id }) => `${name}+${id}`).join(' or ');
    return ['KEY', 'another key signed', short(expected), found === '' ? 'no signature' : short(found)];
  }

  /** An empty tree fits any log, and a log whose first writer was killed continues under another run. */
  #wrongOrigin({ origin, size, signatures }: TreeHead): Wrong | null {
    const run = this.firstRun;
    if (run === null || size === 0) return null;
    const names = signatures.length === 0 ? ['unsigned'] : signatures.map(({ name }) => name);
    const expected = names.map((name) => originOf(name, run));
    if (expected.includes(origin)) return null;
    return ['ORIGIN', 'this belongs to another log', short(expected.join(' or ')), short(origin)];
  }

  #wrongRoot({ size, root }: TreeHead, before: number): Wrong | null {
    const found = this.#roots.get(size);
    if (found === undefined || found.equals(root)) return null;
    const among =
      size - before === 1
        ? `entry ${before} differs`
        : `the first different one is among ${before} to ${size - 1}`;
    const message = `the first ${size} entries are not those that this head covers: ${among}`;
    return ['MISMATCH', message, root.toString('base64'), found.toString('base64')];
  }

  /** A signed run has a head at its beginning; an unsigned one has none, whatever came before. */
  #refuteRuns(keys: readonly VerifierKey[]): Refuted | null {
    const refuted = (code: DamageCode, index: number, message: string): Refuted => {
      const sides = { expected: 'a signed tree head', found: 'none' };
      return { ok: false, ...this.#placeOf(index), code, message, ...sides };
    };
    // A writer signs the end of a valid chain, also if another one began a run in it, but never without a head of its key.
    const isSignable = (signer: VerifierKey) => this.evidence.isContinued && this.#coveredBy(signer) >= 0;
    for (const { index, signer } of this.#runs) {
      if (signer === null || this.#coveredBy(signer) >= index || isSignable(signer)) continue;
      const message = `the run was signed with ${signer.name}+${signer.id}, but no head has its signature`;
      return refuted('HEADS_MISSING', index, message);
    }
    if (keys.length === 0) return null;
    const most = Math.max(...keys.map((key) => this.#coveredBy(key)));
    if (most === -1) {
      const isBare = this.tree.size === 0;
      return refuted('UNSIGNED', 0, isBare ? noWholeLine : noSignature);
    }
    const unsigned = this.#runs.find(
      ({ index, signer }) => index > most && !(signer !== null && isSignable(signer)),
    );
    return unsigned === undefined ? null : refuted('UNSIGNED', unsigned.index, 'the run is not signed');
  }

  /** The end of a run is signed before it is reported. */
  #refuteEnd(): Refuted | null {
    const size = this.#ended;
    if (size === null || this.evidence.isContinued || this.#keys.length === 0) return null;
    const most = this.#keys.reduce((most, key) => Math.max(most, this.#coveredBy(key)), -1);
    if (most >= size) return null;
    const message = 'the log has ended, but no head covers its end';
    const sides = { expected: `a head over ${size} entries`, found: `one over ${most}` };
    return { ok: false, ...this.#placeOf(most), code: 'END_UNSIGNED', message, ...sides };
  }

  /** The place of the entry with this number of entries before it, in all segments. */
  #placeOf(index: number): { readonly where: string; readonly line: number; readonly seq: number } {
    const [where, from] = [...this.starts].findLast(([, from]) => from <= index) ?? ['', 0];
    return { where, line: index - from + 1, seq: index - from };
  }

  /** The number of entries that the heads of a key cover; -1 for none. */
  #coveredBy(key: VerifierKey): number {
    return remembered(this.#covered, key.text, () => {
      const heads = (this.evidence.heads?.notes ?? []).flatMap(({ head }) => head ?? []);
      const own = heads.filter((head) => signerOf(head, [key]) === key);
      return own.reduce((most, { size }) => Math.max(most, size), -1);
    });
  }
}

type Wrong = readonly [what: NoteProblem, message: string, expected?: string, found?: string];

const noSignature = 'the log is not signed; it may be older than the key';
const noWholeLine = 'the log is cut before its first whole line, so nothing in it is signed';
const malformed: Wrong = ['MALFORMED', 'this is not a checkpoint'];
const lessThanBefore = 'the head covers fewer entries than the one before it';

function short(text: string): string {
  return shortened(text, 300, `… (${text.length} characters)`);
}
