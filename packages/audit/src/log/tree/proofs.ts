import { emptyRoot, leafHash, nodeHash } from './merkle-tree.js';

/** RFC 6962, 2.1.1. `lineHashes` are those of the whole tree. */
export function inclusionPath(lineHashes: readonly string[], index: number): readonly Buffer[] {
  const path = (from: number, to: number, at: number): readonly Buffer[] => {
    if (to - from === 1) return [];
    const middle = from + split(to - from);
    return at < middle
      ? [...path(from, middle, at), rootOf(lineHashes, middle, to)]
      : [...path(middle, to, at), rootOf(lineHashes, from, middle)];
  };
  return path(0, lineHashes.length, index);
}

/** Null if the path does not have the length that is needed. */
export function rootOfInclusion(
  lineHash: string,
  { index, size }: { readonly index: number; readonly size: number },
  path: readonly Buffer[],
): Buffer | null {
  if (index < 0 || index >= size) return null;
  const rest = [...path];
  const climb = (at: number, leaves: number): Buffer | null => {
    if (leaves === 1) return leafHash(lineHash);
    const middle = split(leaves);
    const isLeft = at < middle;
    const beside = rest.pop();
    const below = isLeft ? climb(at, middle) : climb(at - middle, leaves - middle);
    if (beside === undefined || below === null) return null;
    return isLeft ? nodeHash(below, beside) : nodeHash(beside, below);
  };
  const root = climb(index, size);
  return rest.length === 0 ? root : null;
}

/** RFC 6962, 2.1.2. */
export function consistencyPath(lineHashes: readonly string[], old: number): readonly Buffer[] {
  const path = (from: number, to: number, isWhole: boolean): readonly Buffer[] => {
    if (to === old) return isWhole ? [] : [rootOf(lineHashes, from, to)];
    const middle = from + split(to - from);
    return old <= middle
      ? [...path(from, middle, isWhole), rootOf(lineHashes, middle, to)]
      : [...path(middle, to, false), rootOf(lineHashes, from, middle)];
  };
  return old === 0 ? [] : path(0, lineHashes.length, true);
}

/** Whether the tree with root `to` continues the one with root `from`. */
export function isConsistent(
  from: { readonly size: number; readonly root: Buffer },
  to: { readonly size: number; readonly root: Buffer },
  path: readonly Buffer[],
): boolean {
  if (from.size === 0) return path.length === 0 && from.root.equals(emptyRoot);
  if (from.size > to.size) return false;
  const rest = [...path];
  /** The roots of the part that both share, and of the newer tree, over as many leaves. */
  const climb = (old: number, leaves: number, isWhole: boolean): readonly [Buffer, Buffer] | null => {
    if (old === leaves) {
      const root = isWhole ? from.root : rest.pop();
      return root === undefined ? null : [root, root];
    }
    const middle = split(leaves);
    const beside = rest.pop();
    const below = old <= middle ? climb(old, middle, isWhole) : climb(old - middle, leaves - middle, false);
    if (beside === undefined || below === null) return null;
    return old <= middle
      ? [below[0], nodeHash(below[1], beside)]
      : [nodeHash(beside, below[0]), nodeHash(beside, below[1])];
  };
  const roots = climb(from.size, to.size, true);
  return roots !== null && rest.length === 0 && roots[0].equals(from.root) && roots[1].equals(to.root);
}

/** The largest power of two below a number of leaves. */
function split(leaves: number): number {
  let power = 1;
  while (power * 2 < leaves) power *= 2;
  return power;
}

function rootOf(lineHashes: readonly string[], from: number, to: number): Buffer {
  if (to - from === 1) return leafHash(lineHashes[from] as string);
  const middle = from + split(to - from);
  return nodeHash(rootOf(lineHashes, from, middle), rootOf(lineHashes, middle, to));
}
