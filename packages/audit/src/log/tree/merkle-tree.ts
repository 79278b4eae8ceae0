import { hash } from 'node:crypto';

/** The tree of RFC 6962, grown leaf by leaf; it keeps only what its root needs. */
export class MerkleTree {
  size = 0;
  /** The roots of the complete subtrees, largest first, as latin1 text: the fastest form in Node. */
  readonly #roots: string[] = [];

  append(lineHash: string): void {
    let root = textOfLeaf(lineHash);
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2)
      root = textOfNode(this.#roots.pop() as string, root);
    this.#roots.push(root);
    this.size += 1;
  }

  root(): Buffer {
    if (this.size === 0) return emptyRoot;
    const root = this.#roots.reduceRight((right, left) => textOfNode(left, right));
    return Buffer.from(root, 'latin1');
  }
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
