import { leafOf } from '../log/line/line.js';
import { parseLine } from '../log/line/parse-line.js';
import type { VerifierKey } from '../log/tree/note-key.js';
import { parseAnchor } from '../log/tree/notes-file.js';
import { isConsistent, rootOfInclusion } from '../log/tree/proofs.js';
import { parseHead, signerOf, type TreeHead } from '../log/tree/tree-head.js';
import { entryDamage } from './chain.js';

interface CheckedProof {
  readonly ok: boolean;
  /** Not escaped. */
  readonly message: string;
  /** Null if no signature was checked. */
  readonly key: string | null;
}

/**
 * Checks a proof without the log: of an entry, or against an older head. With `keys`, one of them must have signed.
 * `name` is the proof's name in messages.
 */
export function checkProof(
  proof: string,
  against: string,
  keys: readonly VerifierKey[] = [],
  name = 'this',
): CheckedProof {
  const parsed = parseProof(proof);
  if (parsed === null) return refused(`${name} is not a proof`);
  const signer = signerOf(parsed.head, keys);
  if (signer === 'forged') return refused('the signature does not match its key');
  if (signer === null && keys.length > 0)
    return refused('the head that the proof leads to is not signed by this key');
  const key = signer === null ? null : `${signer.name}+${signer.id}`;
  const found = parsed.kind === 'entry' ? checkEntry(parsed, against) : checkOlder(parsed, against);
  return { ...found, key: found.ok ? key : null };
}

interface ParsedProof {
  readonly kind: 'entry' | 'older';
  /** The number of the entry, or the size of the older tree. */
  readonly number: number;
  readonly path: readonly Buffer[];
  readonly head: TreeHead;
}

function parseProof(text: string): ParsedProof | null {
  const found =
    /^(?:c2sp\.org\/tlog-proof@v1\n(?:extra [A-Za-z0-9+/=]*\n)?index|old) (0|[1-9]\d{0,14})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n/.exec(
      text,
    );
  if (found === null) return null;
  const [begin, number, hashes = ''] = found;
  const head = parseHead(text.slice(begin.length));
  const path = hashes
    .split('\n')
    .slice(0, -1)
    .map((hash) => Buffer.from(hash, 'base64'));
  const kind = text.startsWith('old ') ? 'older' : 'entry';
  return head === null ? null : { kind, number: Number(number), path, head };
}

function checked(ok: boolean, message: string): CheckedProof {
  return { ok, message, key: null };
}

const refused = (message: string) => checked(false, message);

/** In a log of several segments, an entry's number differs from its place in the tree. */
function checkEntry({ number: index, path, head }: ParsedProof, text: string): CheckedProof {
  const { size, root, origin } = head;
  const lines = text.split('\n').flatMap((line) => {
    const bytes = Buffer.from(line);
    const parsed = parseLine(bytes);
    return parsed.ok && parsed.entry.seq <= index
      ? [{ entry: parsed.entry, leaf: leafOf(parsed.entry, bytes) }]
      : [];
  });
  const found = lines.find(({ leaf }) => rootOfInclusion(leaf, { index, size }, path)?.equals(root) === true);
  if (found === undefined) {
    const isThere = lines.some(({ entry }) => entry.seq === index);
    return refused(
      isThere
        ? `entry ${index} is not in the tree over ${size} entries of ${origin}`
        : `there is no entry ${index} to check`,
    );
  }
  if (entryDamage(found.entry) !== null) return refused(`entry ${index} is not the one that was hashed`);
  return checked(true, `entry ${index} is in the tree over ${size} entries of ${origin}`);
}

function checkOlder({ number, path, head }: ParsedProof, text: string): CheckedProof {
  const old = parseAnchor('', Buffer.from(text)).notes.at(-1)?.head ?? null;
  if (old === null) return refused('the older head is not a checkpoint');
  if (old.size !== number)
    return refused(`the proof continues ${number} entries, but the older head covers ${old.size}`);
  const holds = isConsistent(old, head, path);
  const continues = holds ? 'continues' : 'does not continue';
  return checked(holds, `the tree over ${head.size} entries ${continues} that over ${old.size}`);
}
