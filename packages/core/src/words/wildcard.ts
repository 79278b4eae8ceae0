/**
 * Whether a pattern covers the whole text: `*` is any text, `?` one character, a code point. Takes at most as
 * many steps as the product of both lengths.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  return coversSequence([...pattern], [...text], {
    isAny: (part) => part === '*',
    fits: (part, character) => part === '?' || part === character,
  });
}

/**
 * Whether the parts cover the items: an `isAny` part covers any number, and every other exactly one.
 * Backtracking to the last such part is enough, so the search cannot explode.
 */
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

/** Text as a part of a regular expression that matches just this text. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
