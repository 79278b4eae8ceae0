import { segmentsOf } from './paths.js';

/**
 * Whether a canonical path lies where a pattern of our own says: segments that may hold `*`, a `**` at either end, and
 * `~` at the beginning for a home. Not for patterns that somebody else wrote.
 */
export function isPlace(path: string, pattern: string, homes: readonly string[]): boolean {
  if (!pattern.startsWith('~/')) return matches(segmentsOf(path), segmentsOf(pattern));
  return homes.some((home) =>
    matches(segmentsOf(path), [...segmentsOf(home).map(literal), ...segmentsOf(pattern).slice(1)]),
  );
}

function matches(path: readonly string[], pattern: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') {
    return rest.length === 0 || path.some((_, index) => matches(path.slice(index), rest));
  }
  const [segment, ...below] = path;
  return segment !== undefined && isSegment(segment, first) && matches(below, rest);
}

/** A folder of a home may have a star in its name: it stands for itself. */
function literal(segment: string): string {
  return segment.replaceAll('\\', '\\\\').replaceAll('*', '\\*');
}

function isSegment(segment: string, pattern: string): boolean {
  const source = pattern.replace(/\\(.)|\*|[.+?^${}()|[\]\\]/gs, (found, escaped: string | undefined) => {
    if (found === '*') return '.*';
    return `\\${escaped ?? found}`;
  });
  return new RegExp(`^${source}$`, 's').test(segment);
}
