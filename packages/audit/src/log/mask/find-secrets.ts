/** From the first character to the one after the last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export type Sought = string | RegExp;

/** The spans of the patterns in a text, in order and merged. Several searches are faster than one alternation. */
export function findSecrets(text: string, sought: readonly Sought[], more: readonly Span[]): readonly Span[] {
  const spans: Span[] = [...more];
  for (const one of sought) {
    const found = typeof one === 'string' ? spansOfText(text, one) : spansOfPattern(text, one);
    // One by one: there may be more than a function accepts as arguments.
    for (const span of found) spans.push(span);
  }
  spans.sort((one, other) => one.start - other.start);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { start: last.start, end: span.end };
  }
  return merged;
}

const mostEnds = 50;

/** Beginnings of sought texts that were cut off at `…`, from four characters on. */
export function cutSpans(text: string, sought: Iterable<string>): readonly Span[] {
  const spans: Span[] = [];
  let ends = 0;
  for (let end = text.indexOf('…'); end !== -1; end = text.indexOf('…', end + 1)) {
    ends += 1;
    // Not a plausible text; and checking each would take too long.
    if (ends > mostEnds) return [{ start: 0, end: text.length }];
    for (const one of sought) {
      const begin = one.slice(0, 4);
      if (one.length <= 4) continue;
      for (
        let start = text.indexOf(begin, Math.max(0, end - one.length));
        start !== -1 && start <= end - 4;
      ) {
        if (one.startsWith(text.slice(start, end))) {
          spans.push({ start, end });
          break;
        }
        start = text.indexOf(begin, start + 1);
      }
    }
  }
  return spans;
}

function spansOfText(text: string, sought: string): readonly Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf(sought); start !== -1; ) {
    const end = start + sought.length;
    spans.push({ start, end });
    start = text.indexOf(sought, end);
  }
  return spans;
}

function spansOfPattern(text: string, sought: RegExp): readonly Span[] {
  // Nearly always: a search is a fraction of what `matchAll` costs.
  if (text.search(sought) === -1) return [];
  return Array.from(text.matchAll(sought), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
