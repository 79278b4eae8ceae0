/**
 * Whether a name matches a pattern: `*` is any text, `?` one character. Takes at most the product of both
 * lengths.
 */
export function fitsName(name: string, pattern: string): boolean {
  const [letters, wanted] = [[...name], [...pattern]];
  let [at, in_pattern] = [0, 0];
  let star: { readonly in_pattern: number; at: number } | null = null;
  while (at < letters.length) {
    const next = wanted[in_pattern];
    if (next === '*') {
      star = { in_pattern, at };
      in_pattern += 1;
    } else if (next === '?' || next === letters[at]) {
      at += 1;
      in_pattern += 1;
    } else if (star !== null) {
      // The star takes one more.
      star.at += 1;
      at = star.at;
      in_pattern = star.in_pattern + 1;
    } else return false;
  }
  return wanted.slice(in_pattern).every((rest) => rest === '*');
}
