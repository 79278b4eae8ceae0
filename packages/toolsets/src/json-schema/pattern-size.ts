/** An upper estimate of a pattern's compiled steps: repetitions multiply. Null if it cannot be estimated. */
export function patternSize(source: string): number | null {
  // Between these, brackets and braces have no meaning.
  if (/\\Q/.test(source)) return null;
  const open: Group[] = [{ sum: 0, last: 0 }];
  for (const [token] of source.matchAll(tokens)) {
    const group = open.at(-1) as Group;
    if (token === '(') open.push({ sum: 0, last: 0 });
    else if (token === ')') {
      if (open.length === 1) return null;
      open.pop();
      add(open.at(-1) as Group, group.sum + 2);
    } else if (/^\{\d/.test(token)) repeat(group, countOf(token));
    else if ('*+?'.includes(token)) repeat(group, 2);
    else add(group, 1);
  }
  return open.length === 1 ? (open[0]?.sum ?? null) : null;
}

interface Group {
  sum: number;
  /** The subject of a repetition. */
  last: number;
}

/** An escape with its braces, a class, a repetition, or one character. */
const tokens = /\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?(?:\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S]/gu;

function add(group: Group, size: number): void {
  group.sum += size;
  group.last = size;
}

function repeat(group: Group, times: number): void {
  group.sum += group.last * (times - 1) + 1;
  group.last = group.last * times + 1;
}

function countOf(token: string): number {
  const counts = token.slice(1, -1).split(',').map(Number);
  return Math.max(1, ...counts) + 1;
}
