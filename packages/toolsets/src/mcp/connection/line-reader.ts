/**
 * Takes chunks of bytes apart into lines of at most `most` bytes. Of a longer line it takes both ends, with a line feed
 * between them. Returns false for a chunk in which a line is too long.
 */
export function lineReader(
  most: number,
  take: (line: string, isWhole: boolean) => void,
): (chunk: Buffer) => boolean {
  let begun: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    begun.push(part);
    size += part.length;
    const isWhole = size <= most;
    // Single bytes may be written.
    if (isWhole && begun.length <= 100) return true;
    const kept = Buffer.concat(begun);
    begun = isWhole ? [kept] : [kept.subarray(0, 200), Buffer.from('\n'), kept.subarray(-200)];
    return isWhole;
  };
  return (chunk) => {
    let [from, fits] = [0, true];
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      // The usual line is in one chunk, and is not copied.
      const line = begun.length === 0 && at - from <= most ? chunk.toString('utf8', from, at) : null;
      const isWhole = line !== null || add(chunk.subarray(from, at));
      fits &&= isWhole;
      from = at + 1;
      size = 0;
      take(line ?? Buffer.concat(begun.splice(0)).toString(), isWhole);
    }
    return (from === chunk.length || add(chunk.subarray(from))) && fits;
  };
}
