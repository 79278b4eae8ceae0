import type { Json } from '@ambit/core';
import type { Glob, Match, Pattern, Segment } from '@ambit/policy';

/** A fact, and a value that it might have; undefined for none. */
export interface Sample {
  readonly fact: string;
  readonly value: Json;
  readonly pattern: Pattern;
}

/** For each pattern of a match, a value that it most likely covers. Whether it does is for the engine to say. */
export function samplesOf(match: Match | null, letter = 'x'): readonly Sample[] {
  return (match ?? []).flatMap(({ fact, patterns }) =>
    patterns.map((pattern) => ({ fact, pattern, value: sampleOf(pattern, letter) })),
  );
}

export function sampleOf(pattern: Pattern, letter = 'x'): Json {
  switch (pattern.kind) {
    case 'glob':
      return sampleOfGlob(pattern.glob, letter);
    case 'range':
      return pattern.from ?? pattern.to ?? 0;
    case 'number':
    case 'boolean':
      return pattern.value;
  }
}

function sampleOfGlob({ kind, segments }: Glob, letter: string): string {
  const parts = segments.map((segment) => sampleOfSegment(segment, letter));
  if (kind === 'path') return `/${parts.join('/')}`;
  return parts.join(kind === 'host' ? '.' : '');
}

function sampleOfSegment(segment: Segment, letter: string): string {
  if (segment === '**') return letter;
  if ('literal' in segment) return segment.literal;
  return segment.characters
    .map((character) => ('literal' in character ? character.literal : letter))
    .join('');
}
