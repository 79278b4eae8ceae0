/** `*` is any text, `?` one code point. Takes at most the product of both lengths in steps. */
export function matchesWildcards(pattern: string, text: string): boolean {
  return coversSequence([...pattern], [...text], {
    isAny: (part) => part === '*',
    fits: (part, character) => part === '?' || part === character,
  });
}

/** An `isAny` part covers any number of items, others exactly one. Backtracks only to the last such part. */
export function coversSequence<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  part: { isAny: (part: Part) => boolean; fits: (part: Part, item: Item) => boolean },
): boolean {
  let [partIndex, itemIndex] = [0, 0];
  let lastAny: { readonly after: number; from: number } | null = null;
  while (itemIndex < items.length) {
    const current = parts[partIndex];
    if (current !== undefined && part.isAny(current)) {
      partIndex += 1;
      lastAny = { after: partIndex, from: itemIndex };
    } else if (current !== undefined && part.fits(current, items[itemIndex] as Item)) {
      partIndex += 1;
      itemIndex += 1;
    } else if (lastAny !== null) {
      lastAny.from += 1;
      [partIndex, itemIndex] = [lastAny.after, lastAny.from];
    } else return false;
  }
  return parts.slice(partIndex).every(part.isAny);
}

export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
