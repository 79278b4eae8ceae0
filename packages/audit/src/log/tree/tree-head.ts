import type { SigningKey, VerifierKey } from './note-key.js';

/** The content of a checkpoint (C2SP tlog-checkpoint) of a log. */
export interface Checkpoint {
  /** The name of its key, a slash, and its first run. */
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

interface NoteSignature {
  readonly name: string;
  readonly id: string;
  readonly signature: Buffer;
}

/** A checkpoint as it was read, with the signatures under it. */
export interface TreeHead extends Checkpoint {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export function originOf(keyName: string, run: string): string {
  // Half a character has no bytes of its own.
  return `${keyName}/${encodeURIComponent(run.replace(/\p{Cs}/gu, '\ufffd'))}`;
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

export function signedHead(checkpoint: Checkpoint, signer: SigningKey): string {
  const text = checkpointText(checkpoint);
  return noteOf({ text, signatures: [{ ...signer.verifier, signature: signer.sign(text) }] });
}

export function noteOf({ text, signatures }: Pick<TreeHead, 'text' | 'signatures'>): string {
  if (signatures.length === 0) return text;
  const lines = signatures.map(({ name, id, signature }) => {
    return `— ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/** Null if it is invalid. A log without a key has unsigned heads. */
export function parseHead(note: string): TreeHead | null {
  const empty = note.lastIndexOf('\n\n');
  const text = empty === -1 ? note : note.slice(0, empty + 1);
  const found = /^([^\s\p{Cc}]+)\n(0|[1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\n$/u.exec(text);
  const signatures = empty === -1 ? [] : signaturesIn(note.slice(empty + 2));
  if (found === null || signatures === null) return null;
  const [, origin = '', size, root = ''] = found;
  const bytes = Buffer.from(root, 'base64');
  if (bytes.toString('base64') !== root) return null;
  return { text, origin, size: Number(size), root: bytes, signatures };
}

function signaturesIn(lines: string): readonly NoteSignature[] | null {
  if (!lines.endsWith('\n')) return null;
  const signatures = lines
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [, name = '', data = ''] = /^— ([^\s+\p{Cc}]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? [];
      const bytes = Buffer.from(data, 'base64');
      const isWhole = bytes.length > 4 && bytes.toString('base64') === data;
      return isWhole ? { name, id: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) } : null;
    });
  return signatures.length > 100 || signatures.includes(null) ? null : (signatures as NoteSignature[]);
}

/** The key that signed a head; `forged` if a signature of a known key does not hold. */
export function signerOf(head: TreeHead, keys: readonly VerifierKey[]): VerifierKey | 'forged' | null {
  const known = head.signatures.flatMap(({ name, id, signature }) => {
    const key = keys.find((one) => one.name === name && one.id === id);
    return key === undefined ? [] : [{ key, holds: holds(key, head.text, signature) }];
  });
  if (known.some(({ holds }) => !holds)) return 'forged';
  return known[0]?.key ?? null;
}

/** A head is compared with several lists of keys, and a signature takes as long to check as a hundred lines. */
function holds(key: VerifierKey, text: string, signature: Buffer): boolean {
  const known = checked.get(signature);
  const found = known?.key === key ? known.holds : key.verify(text, signature);
  checked.set(signature, { key, holds: found });
  return found;
}

/** Each signature belongs to one head. */
const checked = new WeakMap<Buffer, { readonly key: VerifierKey; readonly holds: boolean }>();
