/** The known name that `text` is most likely a slip for: one or two letters away, or different only in case and separators. */
export function nearest(text: string, known: Iterable<string>): string | null {
  if (text.length > 80) return null;
  const folded = fold(text);
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = fold(name) === folded ? 0.5 : editDistance(text, name);
    if (distance <= allowance(name) && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name, distance };
  }
  return best?.name ?? null;
}

/** How many letters may be wrong: one of a short name, two of a longer one. Of two letters or fewer, none: only how they are written. */
function allowance(name: string): number {
  if (name.length <= 2) return 0.5;
  return name.length <= 5 ? 1 : 2;
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[\s_\-.]/g, '');
}

/** Letters to put in, leave out, change or swap with their neighbour. */
export function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let [before, last]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, index) => index),
  ];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] as number) + 1,
          (current[column - 1] as number) + 1,
          (last[column - 1] as number) + (same ? 0 : 1),
          swapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, current];
  }
  return last[other.length] as number;
}

/** Whether `editDistance` is 1, without working it out: this is asked for every name of a policy. */
export function isOneSlip(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let [start, left, right] = [0, one.length, other.length];
  while (start < left && start < right && one[start] === other[start]) start += 1;
  while (left > start && right > start && one[left - 1] === other[right - 1]) {
    left -= 1;
    right -= 1;
  }
  const [these, those] = [one.slice(start, left), other.slice(start, right)];
  if (these.length < 2 && those.length < 2) return true;
  return these.length === 2 && those.length === 2 && these[0] === those[1] && these[1] === those[0];
}

/** `a, b or c` */
export function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** A message for a name outside a closed list. */
export function helpFor(text: string, known: readonly string[]): string {
  const near = nearest(text, known);
  return near === null ? oneOf(known) : `did you mean \`${near}\`? ${oneOf(known)}`;
}
