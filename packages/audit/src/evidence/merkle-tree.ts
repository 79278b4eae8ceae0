import { hash } from 'node:crypto';

/** The tree of RFC 6962 over the entries of a log, grown one leaf at a time, in memory for its roots alone. */
export interface MerkleTree {
  readonly size: number;
  /** Takes the `hash` of the next line. */
  append(lineHash: string): void;
  root(): Buffer;
}

export function createTree(): MerkleTree {
  // The roots of the complete trees that the leaves make up, the largest first: one for each bit of the size.
  const roots: Buffer[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    append: (lineHash) => {
      let root = leafHash(lineHash);
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2)
        root = nodeHash(roots.pop() as Buffer, root);
      roots.push(root);
      size += 1;
    },
    root: () => (roots.length === 0 ? emptyRoot : roots.reduceRight((right, left) => nodeHash(left, right))),
  };
}

/** A leaf is the 32 bytes of a line's `hash`, which stand for its canonical form and all lines before it. */
export function leafHash(lineHash: string): Buffer {
  return sha256(Buffer.from(`00${lineHash}`, 'hex'));
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return sha256(Buffer.concat([one, left, right]));
}

const one = Buffer.from([1]);

function sha256(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}

export const emptyRoot: Buffer = sha256(Buffer.alloc(0));
