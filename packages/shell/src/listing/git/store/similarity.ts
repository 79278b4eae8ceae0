/** The least share of the larger of two files, in bytes, that both have in common if git takes them for one that was renamed. */
const least = 0.5;

/** Whether git may find two files similar, by the measure of its `diffcore-delta.c`. */
export function mayBeSimilar(one: Buffer, other: Buffer): boolean {
  const [small, large] = one.length < other.length ? [one, other] : [other, one];
  if (small.length < least * large.length) return false;
  // Whether git takes a file for text also depends on attributes.
  return [false, true].some((isText) => {
    const [first, second] = [piecesOf(small, isText), piecesOf(large, isText)];
    let same = 0;
    for (const [hash, size] of first) same += Math.min(size, second.get(hash) ?? 0);
    return same >= least * large.length;
  });
}

/** The number of bytes in lines, or in each 64 bytes of longer lines, by their hash. */
function piecesOf(bytes: Buffer, isText: boolean): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  let [low, high, count] = [0, 0, 0];
  const end = () => {
    const hash = (low + Math.imul(high, 0x61)) >>> 0;
    sizes.set(hash % 107_927, (sizes.get(hash % 107_927) ?? 0) + count);
    [low, high, count] = [0, 0, 0];
  };
  for (const [at, byte] of bytes.entries()) {
    if (isText && byte === 13 && bytes[at + 1] === 10) continue;
    const before = low;
    low = (((low << 7) ^ (high >>> 25)) + byte) >>> 0;
    high = ((high << 7) ^ (before >>> 25)) >>> 0;
    count += 1;
    if (count === 64 || byte === 10) end();
  }
  if (count > 0) end();
  return sizes;
}
