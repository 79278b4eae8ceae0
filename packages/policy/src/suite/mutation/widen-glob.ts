import type { Glob, Segment } from '../../condition/glob.js';

/**
 * The glob with one segment more left open: the last one of a path that says something, the first one of a host; other text altogether.
 * Null where every segment is open already.
 */
export function widenGlob(glob: Glob): Glob | null {
  const closed = glob.segments
    .map((segment, index) => (isOpen(segment) ? -1 : index))
    .filter((at) => at !== -1);
  const at = glob.kind === 'host' ? closed[0] : closed.at(-1);
  if (at === undefined) return null;
  const segments = glob.segments.map((segment, index) => (index === at ? anything : segment));
  const separator = glob.kind === 'host' ? '.' : '/';
  const root = glob.kind === 'path' && glob.text.startsWith('/') ? '/' : '';
  const text = `${root}${segments.map(segmentText).join(separator)}`;
  return { kind: glob.kind, written: text, text, segments };
}

const anything: Segment = { characters: [{ wildcard: '*' }] };

function isOpen(segment: Segment): boolean {
  if (segment === '**') return true;
  return (
    !('literal' in segment) &&
    segment.characters.every((character) => 'wildcard' in character && character.wildcard === '*')
  );
}

function segmentText(segment: Segment): string {
  if (segment === '**') return segment;
  if ('literal' in segment) return segment.literal;
  return segment.characters
    .map((character) => ('literal' in character ? character.literal : character.wildcard))
    .join('');
}
