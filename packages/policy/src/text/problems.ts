import type { DiagnosticCode } from './codes.js';
import type { Problem } from './diagnostic.js';
import type { Span } from './place.js';

export interface Problems {
  /** Returns undefined, the value of what is reported. */
  add(
    code: DiagnosticCode,
    span: Span,
    words: { readonly message: string; readonly help?: string | null },
  ): undefined;
  readonly isEmpty: boolean;
  /** Ordered by place; equal mistakes appear once. */
  sorted(): readonly Problem[];
}

/** The most mistakes of one file: a file that is not a policy would fill the screen. */
const most = 200;

export function collectProblems(): Problems {
  const found = new Map<string, Problem>();
  let last = 0;
  let left = 0;
  return {
    add: (code, span, { message, help = null }) => {
      const key = `${span.start} ${code} ${message}`;
      if (found.has(key)) return;
      if (found.size < most) found.set(key, { code, span, message, help });
      else left += 1;
      last = Math.max(last, span.start);
    },
    get isEmpty() {
      return found.size === 0;
    },
    sorted: () => {
      const sorted = [...found.values()].sort(
        (one, other) => one.span.start - other.span.start || one.span.end - other.span.end,
      );
      if (left === 0) return sorted;
      const message = `${left} more problems are not shown`;
      return [
        ...sorted,
        { code: 'TOO_MANY_PROBLEMS', span: { start: last, end: last }, message, help: null },
      ];
    },
  };
}
