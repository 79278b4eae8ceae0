/** Deeper than any line that a log writes: values in it are cut at `depthLimit`. */
export const deepest = 1000;

/** Whether a line is nested so deep that reading it would take more stack than there is. */
export function isTooDeep(line: Uint8Array): boolean {
  // As many brackets have to be closed again, or it is no JSON for another reason.
  if (line.length <= 2 * deepest) return false;
  let depth = 0;
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at];
    if (byte === 34) {
      for (at += 1; at < line.length && line[at] !== 34; at += 1) if (line[at] === 92) at += 1;
    } else if (byte === 91 || byte === 123) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (byte === 93 || byte === 125) depth -= 1;
  }
  return false;
}
