import { hash } from 'node:crypto';

/** The tree of RFC 6962 over the entries of a log, grown one leaf at a time, in memory for its roots alone. */
export interface MerkleTree {
  readonly size: number;
  /** Takes the `hash` of the next line. */
  append(lineHash: string): void;
  root(): Buffer;
}

export function createTree(): MerkleTree {
  // The roots of the complete trees that the leaves make up, the largest first: one for each bit of the size. In hex, as node gives
  // them fastest.
  const roots: string[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    append: (lineHash) => {
      let root = hexOfLeaf(lineHash);
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2)
        root = hexOfNode(roots.pop() as string, root);
      roots.push(root);
      size += 1;
    },
    root: () =>
      roots.length === 0
        ? emptyRoot
        : Buffer.from(
            roots.reduceRight((right, left) => hexOfNode(left, right)),
            'hex',
          ),
  };
}

/** A leaf is the 32 bytes of a line's `hash`, which stand for its canonical form and all lines before it. */
export function leafHash(lineHash: string): Buffer {
  return Buffer.from(hexOfLeaf(lineHash), 'hex');
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([one, left, right]), 'buffer');
}

const one = Buffer.from([1]);
const leaf = Buffer.alloc(33);
const node = Buffer.alloc(65, 1);

function hexOfLeaf(lineHash: string): string {
  if (lineHash.length !== 64) return hash('sha256', Buffer.from(`00${lineHash}`, 'hex'));
  leaf.write(lineHash, 1, 'hex');
  return hash('sha256', leaf);
}

function hexOfNode(left: string, right: string): string {
  node.write(left, 1, 'hex');
  node.write(right, 33, 'hex');
  return hash('sha256', node);
}

export const emptyRoot: Buffer = hash('sha256', Buffer.alloc(0), 'buffer');
