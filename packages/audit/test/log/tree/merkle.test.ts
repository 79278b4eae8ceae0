import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leafHash, MerkleTree, nodeHash } from '../../../src/log/tree/merkle-tree.js';
import {
  consistencyPath,
  inclusionPath,
  isConsistent,
  rootOfInclusion,
} from '../../../src/log/tree/proofs.js';

const lineHashes = Array.from({ length: 70 }, (_, index) => hash('sha256', `line ${index}`, 'hex'));

/** The definition of RFC 6962, 2.1, word for word. */
function rootByDefinition(leaves: readonly string[]): Buffer {
  if (leaves.length === 0) return hash('sha256', '', 'buffer');
  if (leaves.length === 1) return leafHash(leaves[0] as string);
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return nodeHash(rootByDefinition(leaves.slice(0, half)), rootByDefinition(leaves.slice(half)));
}

function rootOf(leaves: readonly string[]): Buffer {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.append(leaf);
  return tree.root();
}

describe('the tree', () => {
  it('equals that of RFC 6962 at every size', () => {
    for (let size = 0; size <= lineHashes.length; size += 1) {
      const leaves = lineHashes.slice(0, size);
      expect([size, rootOf(leaves).toString('hex')]).toEqual([
        size,
        rootByDefinition(leaves).toString('hex'),
      ]);
    }
  });

  it('has the published roots of Certificate Transparency for its eight test leaves', () => {
    const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
    const last = '606162636465666768696a6b6c6d6e6f';
    expect(rootOf(leaves.slice(0, 1)).toString('hex')).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
    expect(rootOf([...leaves, last]).toString('hex')).toBe(
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    );
  });
});

describe('an inclusion proof', () => {
  const sizes = fc.integer({ min: 1, max: 70 });

  it('is valid for every leaf', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (size, any) => {
        const leaves = lineHashes.slice(0, size);
        const index = any % size;
        const path = inclusionPath(leaves, index);
        const root = rootOfInclusion(leaves[index] as string, { index, size }, path);
        return root?.equals(rootOf(leaves)) === true;
      }),
      { numRuns: 1000, seed: 6 },
    );
  });

  it('is invalid for another leaf, place or size, and for a changed list of hashes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 70 }), fc.nat(), fc.nat(), (size, any, other) => {
        const leaves = lineHashes.slice(0, size);
        const index = any % size;
        const path = inclusionPath(leaves, index);
        const root = rootOf(leaves);
        const holds = (leaf: number, at: { index: number; size: number }, by: readonly Buffer[]) =>
          rootOfInclusion(lineHashes[leaf] as string, at, by)?.equals(root) === true;
        const changed = path.with(other % path.length, lineHashes.map(leafHash)[69] as Buffer);
        return (
          !holds((index + 1 + (other % (size - 1))) % size, { index, size }, path) &&
          !holds(index, { index: (index + 1 + (other % (size - 1))) % size, size }, path) &&
          !holds(index, { index, size }, [...path, root]) &&
          !holds(index, { index, size }, path.slice(1)) &&
          !holds(index, { index, size }, path.slice(0, -1)) &&
          !holds(index, { index, size }, changed) &&
          !holds(index, { index: size, size }, path) &&
          !holds(index, { index: -1, size }, path)
        );
      }),
      { numRuns: 1000, seed: 6 },
    );
  });
});

describe('a consistency proof', () => {
  it('is valid between every two sizes of one log, and between no others', () => {
    for (let size = 0; size <= 33; size += 1) {
      const leaves = lineHashes.slice(0, size);
      const to = { size, root: rootOf(leaves) };
      for (let old = 0; old <= size; old += 1) {
        const from = { size: old, root: rootOf(leaves.slice(0, old)) };
        const path = consistencyPath(leaves, old);
        const other = { ...from, root: leafHash('00') };
        const said = [
          isConsistent(from, to, path),
          isConsistent(other, to, path),
          isConsistent(from, { ...to, root: leafHash('00') }, path) && old > 0,
          isConsistent(from, to, [...path, leafHash('00')]),
          path.length > 0 && isConsistent(from, to, path.slice(1)),
          isConsistent({ ...from, size: size + 1 }, to, path),
        ];
        expect([old, size, ...said]).toEqual([old, size, true, false, false, false, false, false]);
      }
    }
  });

  it('is invalid for a log that was changed before the older head', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 29 }),
        fc.nat(),
        (old, more, any) => {
          const leaves = lineHashes.slice(0, old + more);
          const changed = leaves.with(any % old, leafHash('ff').toString('hex'));
          const from = { size: old, root: rootOf(leaves.slice(0, old)) };
          const to = { size: changed.length, root: rootOf(changed) };
          return !isConsistent(from, to, consistencyPath(changed, old));
        },
      ),
      { numRuns: 1000, seed: 6 },
    );
  });
});
