import { createTree, type MerkleTree } from '../log/tree/merkle-tree.js';
import { parseVerifierKey, type VerifierKey } from '../log/tree/note-key.js';
import type { Note, NotesFile } from '../log/tree/notes-file.js';
import { signerOf, type TreeHead } from '../log/tree/tree-head.js';
import type { Link } from './segment-order.js';
import type { DamageCode, NoteDamageCode, Signed, Verification } from './verification.js';

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
  readonly leaves?: Leaf[];
}

export interface Leaf {
  readonly hash: string;
  readonly path: string;
}

type Refutation = Extract<Verification, { ok: false }>;

/** Follows a log from its first entry, and compares it with its evidence. */
export interface Witness {
  readonly tree: MerkleTree;
  /** Null until an entry was taken. */
  readonly firstRun: string | null;
  /** Sets the file of the next entries. */
  beginSegment(path: string): void;
  accept(link: Link): void;
  /** The mistake after the last entry: the first head, the first run, the first anchor. */
  refute(): Refutation | null;
  signed(): Signed | null;
}

/** A run of the log, and the key with which it claims to be signed. */
interface LoggedRun {
  /** The number of entries before it, in all segments. */
  readonly index: number;
  readonly signer: VerifierKey | null;
}

export function createWitness({ heads, anchors, keys, isContinued, leaves }: Evidence): Witness {
  const tree = createTree();
  const roots = new Map<number, Buffer>();
  const wanted = new Set(
    [heads, ...anchors].flatMap((file) => file?.notes.map(({ head }) => head?.size ?? 0) ?? []),
  );
  const runs: LoggedRun[] = [];
  const segments: { readonly path: string; readonly from: number }[] = [];
  const placeOf: PlaceOf = (index) => {
    const segment = segments.findLast(({ from }) => from <= index);
    const seq = index - (segment?.from ?? 0);
    return { where: segment?.path ?? '', line: seq + 1, seq };
  };
  let firstRun: string | null = null;
  // The number of entries that a head must cover if the last run has ended.
  let ended: number | null = null;
  const note = () => wanted.has(tree.size) && roots.set(tree.size, tree.root());
  note();

  const known = () =>
    keys.length > 0
      ? keys
      : [
          ...new Map(
            runs.flatMap(({ signer }) => (signer === null ? [] : [[signer.text, signer] as const])),
          ).values(),
        ];
  const log = () => ({ size: tree.size, run: firstRun, roots, keys: known(), isGiven: keys.length > 0 });
  return {
    tree,
    get firstRun() {
      return firstRun;
    },
    beginSegment: (path) => void segments.push({ path, from: tree.size }),
    accept: ({ head: { run, event }, leaf, entry }) => {
      firstRun ??= run;
      if (event !== 'segment') ended = event === 'end' ? tree.size + 1 : null;
      if (event === 'run') {
        const signer = entry?.signer;
        runs.push({ index: tree.size, signer: typeof signer === 'string' ? parseVerifierKey(signer) : null });
      }
      leaves?.push({ hash: leaf, path: segments.at(-1)?.path ?? '' });
      tree.append(leaf);
      note();
    },
    refute: () =>
      refuteNotes(heads, 'HEAD', log()) ??
      refuteRuns({ runs, keys: isContinued && tree.size === 0 ? [] : keys, placeOf, isContinued }, heads) ??
      (ended === null || isContinued ? null : refuteEnd({ keys: known(), size: ended, placeOf }, heads)) ??
      anchors
        .map((anchor) => refuteNotes(anchor, 'ANCHOR', log()))
        .find((refutation) => refutation !== null) ??
      null,
    signed: () => signedBy(heads, known(), keys.length > 0),
  };
}

/** The place of the entry with this number of entries before it, in all segments. */
type PlaceOf = (index: number) => { readonly where: string; readonly line: number; readonly seq: number };

interface Compared {
  readonly size: number;
  readonly run: string | null;
  /** By size. */
  readonly roots: ReadonlyMap<number, Buffer>;
  readonly keys: readonly VerifierKey[];
  /** Whether the keys come from the verifier. */
  readonly isGiven: boolean;
}

function refuteNotes(file: NotesFile | null, kind: Kind, log: Compared): Refutation | null {
  let before = 0;
  for (const note of file?.notes ?? []) {
    const wrong = wrongIn(note, { kind, log, before });
    if (wrong !== null) {
      const [what, message, expected, found] = wrong;
      const code: NoteDamageCode = `${kind}_${what}`;
      const where = file?.name ?? '';
      const seq = what === 'MISMATCH' ? before : null;
      return { ok: false, line: note.line, where, code, seq, message, expected, found };
    }
    before = note.head?.size ?? before;
  }
  return null;
}

type Wrong = readonly [
  what: 'MALFORMED' | 'SIGNATURE' | 'KEY' | 'ORIGIN' | 'ORDER' | 'LONGER' | 'MISMATCH',
  message: string,
  expected: string | null,
  found: string | null,
];

type Kind = 'HEAD' | 'ANCHOR';

function wrongIn(
  { head }: Note,
  { kind, log, before }: { readonly kind: Kind; readonly log: Compared; readonly before: number },
): Wrong | null {
  if (head === null) return ['MALFORMED', 'this is not a checkpoint', null, null];
  return (
    wrongSigner(head, kind, log) ??
    wrongOrigin(head, log) ??
    (head.size < before && kind === 'HEAD'
      ? [
          'ORDER',
          'the head covers fewer entries than the one before it',
          `${before} or more`,
          String(head.size),
        ]
      : null) ??
    (head.size > log.size
      ? ['LONGER', 'the log is shorter than it was', `${head.size} entries`, String(log.size)]
      : null) ??
    wrongRoot(head, kind === 'HEAD' ? before : 0, log)
  );
}

function wrongSigner(head: TreeHead, kind: Kind, { keys, isGiven }: Compared): Wrong | null {
  const signer = signerOf(head, keys);
  if (signer === 'forged') return ['SIGNATURE', 'the signature does not match its key', null, null];
  // An anchor is trusted because of the place where it was kept.
  if (
    signer !== null ||
    keys.length === 0 ||
    (kind === 'ANCHOR' && (!isGiven || head.signatures.length === 0))
  )
    return null;
  const found = head.signatures.map(({ name, id }) => `${name}+${id}`).join(', ');
  const expected = keys.map(({ name, id }) => `${name}+${id}`).join(' or ');
  return ['KEY', 'another key signed', shown(expected), found === '' ? 'no signature' : shown(found)];
}

function shown(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}

/** An empty tree fits any log, and a log whose first writer was killed continues under another run. */
function wrongOrigin({ origin, size, signatures }: TreeHead, { run }: Compared): Wrong | null {
  if (run === null || size === 0) return null;
  const names = signatures.length === 0 ? ['unsigned'] : signatures.map(({ name }) => name);
  const expected = names.map((name) => `${name}/${encodeURIComponent(run)}`);
  return expected.includes(origin)
    ? null
    : ['ORIGIN', 'this belongs to another log', shown(expected.join(' or ')), shown(origin)];
}

function wrongRoot({ size, root }: TreeHead, before: number, { roots }: Compared): Wrong | null {
  const found = roots.get(size);
  if (found === undefined || found.equals(root)) return null;
  const among =
    size - before === 1 ? `entry ${before} differs` : `the first other one is among ${before} to ${size - 1}`;
  return [
    'MISMATCH',
    `the first ${size} entries are not those that this head covers: ${among}`,
    root.toString('base64'),
    found.toString('base64'),
  ];
}

/** The keys that count, and the places of entries. */
interface Signatures {
  readonly keys: readonly VerifierKey[];
  readonly placeOf: PlaceOf;
}

/** A signed run has a head at its beginning; an unsigned one has none, whatever came before. */
function refuteRuns(
  {
    runs,
    keys,
    placeOf,
    isContinued,
  }: Signatures & { readonly runs: readonly LoggedRun[]; readonly isContinued: boolean },
  heads: NotesFile | null,
): Refutation | null {
  const covered = coverage(heads);
  const refuted = (code: DamageCode, index: number, message: string): Refutation => {
    return { ok: false, ...placeOf(index), code, message, expected: 'a signed tree head', found: 'none' };
  };
  // A writer signs the end of a valid chain, whoever began a run in it, but never without a head of its key.
  const isSignable = (signer: VerifierKey) => isContinued && covered(signer) >= 0;
  for (const { index, signer } of runs) {
    if (signer !== null && covered(signer) < index && !isSignable(signer))
      return refuted(
        'HEADS_MISSING',
        index,
        `the run was signed with ${signer.name}+${signer.id}, but no head has its signature`,
      );
  }
  if (keys.length === 0) return null;
  const most = Math.max(...keys.map(covered));
  if (most === -1) return refuted('UNSIGNED', 0, 'the log is not signed');
  const unsigned = runs.find(({ index, signer }) => index > most && !(signer !== null && isSignable(signer)));
  return unsigned === undefined ? null : refuted('UNSIGNED', unsigned.index, 'the run is not signed');
}

/** The end of a run is signed before it is reported. */
function refuteEnd(
  { keys, size, placeOf }: Signatures & { readonly size: number },
  heads: NotesFile | null,
): Refutation | null {
  const most = keys.map(coverage(heads)).reduce((one, other) => Math.max(one, other), -1);
  if (keys.length === 0 || most >= size) return null;
  return {
    ok: false,
    ...placeOf(most),
    code: 'END_UNSIGNED',
    message: 'the log has ended, but no head covers its end',
    expected: `a head over ${size} entries`,
    found: `one over ${most}`,
  };
}

/** The number of entries that the heads of a key cover; -1 for none. Each signature is checked once. */
function coverage(heads: NotesFile | null): (key: VerifierKey) => number {
  const known = new Map<string, number>();
  return (key) => {
    const count = () =>
      (heads?.notes ?? []).reduce(
        (most, { head }) =>
          head !== null && signerOf(head, [key]) === key ? Math.max(most, head.size) : most,
        -1,
      );
    const covered = known.get(key.text) ?? count();
    known.set(key.text, covered);
    return covered;
  };
}

function signedBy(heads: NotesFile | null, keys: readonly VerifierKey[], isGiven: boolean): Signed | null {
  const last = heads?.notes.at(-1)?.head;
  if (heads === null || last === null || last === undefined) return null;
  const signer = signerOf(last, keys);
  const named = signer === null || signer === 'forged' ? last.signatures[0] : signer;
  return {
    entries: last.size,
    heads: heads.notes.length,
    key: named === undefined ? '' : `${named.name}+${named.id}`,
    trust: isGiven ? 'given' : keys.length > 0 ? 'log' : 'nobody',
    torn: heads.torn !== null,
  };
}
