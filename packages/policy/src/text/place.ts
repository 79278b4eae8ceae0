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
      const within = Math.max(0, Math.min(offset, text.length));
      const line = lastWhere(starts.length - 1, (at) => (starts[at] as number) <= within);
      return { line: line + 1, column: within - (starts[line] ?? 0) + 1 };
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

/** The last number up to `high` for which it holds. It holds for zero, and for all before that number. */
export function lastWhere(high: number, holds: (number: number) => boolean): number {
  let [known, most] = [0, high];
  while (known < most) {
    const middle = Math.ceil((known + most) / 2);
    if (holds(middle)) known = middle;
    else most = middle - 1;
  }
  return known;
}
