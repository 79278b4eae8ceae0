import { hash } from 'node:crypto';

/** The tree of RFC 6962, grown leaf by leaf; it keeps only what its root needs. */
export class MerkleTree {
  size = 0;
  /** By height, the last node with a left child: 1, left, right. The next child is written into it. */
  readonly #nodes: Buffer[] = [];

  append(lineHash: string): void {
    let input = leafOfHash(lineHash);
    let rest = this.size;
    this.size += 1;
    for (let height = 0; ; height += 1) {
      this.#nodes[height] ??= Buffer.alloc(65, 1);
      const node = this.#nodes[height] as Buffer;
      const isLeft = rest % 2 === 0;
      // As `binary`, another name of `latin1`: the fastest form in Node.
      node.write(hash('sha256', input, 'binary'), isLeft ? 1 : 33, 'latin1');
      if (isLeft) return;
      input = node;
      rest = (rest - 1) / 2;
    }
  }

  root(): Buffer {
    let root: Buffer | null = null;
    let rest = this.size;
    for (const node of this.#nodes) {
      const left = node.subarray(1, 33);
      if (rest % 2 === 1) root = root === null ? Buffer.from(left) : nodeHash(left, root);
      rest = Math.floor(rest / 2);
    }
    return root ?? emptyRoot;
  }
}

/** A leaf is the 32 bytes of a line's `hash`, which covers all lines before it. */
export function leafHash(lineHash: string): Buffer {
  return hash('sha256', leafOfHash(lineHash), 'buffer');
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([one, left, right]), 'buffer');
}

const one = Buffer.from([1]);
const leaf = Buffer.alloc(33);

function leafOfHash(lineHash: string): Buffer {
  if (lineHash.length !== 64) return Buffer.from(`00${lineHash}`, 'hex');
  leaf.write(lineHash, 1, 'hex');
  return leaf;
}

export const emptyRoot: Buffer = hash('sha256', Buffer.alloc(0), 'buffer');
