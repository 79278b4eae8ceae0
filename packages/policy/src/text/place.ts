/** A range of a text: offsets in UTF-16 code units, the end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place in a file: line and column from 1, columns in UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The lines of a text, for turning offsets into places. */
export interface Lines {
  placeOf(offset: number): Place;
  offsetOf(place: Place): number;
  /** Without its line end; empty for a missing line. */
  lineText(line: number): string;
}

export function indexLines(text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    placeOf: (offset) => {
      const line = lastAtMost(starts, Math.max(0, Math.min(offset, text.length)));
      return { line: line + 1, column: Math.max(0, Math.min(offset, text.length)) - (starts[line] ?? 0) + 1 };
    },
    offsetOf: ({ line, column }) => (starts[line - 1] ?? text.length) + column - 1,
    lineText: (line) => {
      const start = starts[line - 1];
      if (start === undefined) return '';
      const end = starts[line] === undefined ? text.length : starts[line] - 1;
      return text.slice(start, end).replace(/\r$/, '');
    },
  };
}

export function placeText({ line, column }: Place): string {
  return `${line}:${column}`;
}

/** Negative if the first place is before the second. */
export function comparePlaces(one: Place, other: Place): number {
  return one.line - other.line || one.column - other.column;
}

/** The index of the last number that is not above `limit`, in an ascending list that begins with one. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] as number) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
