import { hash } from 'node:crypto';

/** The tree of RFC 6962, grown leaf by leaf; it keeps only what its root needs. */
export interface MerkleTree {
  readonly size: number;
  append(lineHash: string): void;
  root(): Buffer;
}

export function createTree(): MerkleTree {
  // The roots of the complete subtrees, largest first, as latin1 text: the fastest form in Node.
  const roots: string[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    append: (lineHash) => {
      let root = textOfLeaf(lineHash);
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2)
        root = textOfNode(roots.pop() as string, root);
      roots.push(root);
      size += 1;
    },
    root: () =>
      roots.length === 0
        ? emptyRoot
        : Buffer.from(
            roots.reduceRight((right, left) => textOfNode(left, right)),
            'latin1',
          ),
  };
}

/** A leaf is the 32 bytes of a line's `hash`, which covers its canonical form and all lines before it. */
export function leafHash(lineHash: string): Buffer {
  return Buffer.from(textOfLeaf(lineHash), 'latin1');
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([one, left, right]), 'buffer');
}

const one = Buffer.from([1]);
const leaf = Buffer.alloc(33);
const node = Buffer.alloc(65, 1);

function textOfLeaf(lineHash: string): string {
  if (lineHash.length !== 64) return textOf(Buffer.from(`00${lineHash}`, 'hex'));
  leaf.write(lineHash, 1, 'hex');
  return textOf(leaf);
}

function textOfNode(left: string, right: string): string {
  node.write(left, 1, 'latin1');
  node.write(right, 33, 'latin1');
  return textOf(node);
}

function textOf(bytes: Buffer): string {
  // Another name of `latin1`, and the only one that this has a type for.
  return hash('sha256', bytes, 'binary');
}

export const emptyRoot: Buffer = hash('sha256', Buffer.alloc(0), 'buffer');
