/** Finds a shorter line that still fails by leaving out parts; calls `fails` at most `most` times. */
export async function shrunk(
  line: string,
  fails: (line: string) => Promise<boolean>,
  most = 80,
): Promise<string> {
  let best = line;
  let left = most;
  for (const separator of [/(\n|;|&&|\|\||\|)/, /(\s+)/, /(?=.)/u]) {
    for (let size = Math.max(1, Math.floor(best.split(separator).length / 2)); size >= 1; ) {
      const parts = best.split(separator);
      const smaller = await firstThat(candidates(parts, size), async (candidate) => {
        if (left <= 0 || candidate.trim() === '' || candidate === best) return false;
        left -= 1;
        return fails(candidate);
      });
      if (smaller === null) size = Math.floor(size / 2);
      else best = smaller;
      if (left <= 0) return best;
    }
  }
  return best;
}

function* candidates(parts: readonly string[], size: number): Generator<string> {
  for (let at = 0; at < parts.length; at += size)
    yield [...parts.slice(0, at), ...parts.slice(at + size)].join('');
}

async function firstThat(
  from: Iterable<string>,
  holds: (each: string) => Promise<boolean>,
): Promise<string | null> {
  for (const each of from) if (await holds(each)) return each;
  return null;
}
