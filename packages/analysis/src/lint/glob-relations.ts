import { coversSequence } from '@ambit/core';
import type { Glob, Segment } from '@ambit/policy';
import { coversSegment } from '@ambit/policy/internal';

/**
 * Longer globs are compared by their text alone: one that is longer than another gives up on texts that the other still
 * looks at, so that "covers all that the other covers" would not be true of them.
 */
const longestCompared = 256;

/** Whether a glob covers every text that another covers. Where this says no, that may still be so. */
export function isGlobWithin(inner: Glob, outer: Glob): boolean {
  if (inner.kind !== outer.kind) return false;
  if (inner.text === outer.text && JSON.stringify(inner.segments) === JSON.stringify(outer.segments))
    return true;
  if (!isComparable(inner, outer)) return false;
  return coversSequence(outer.segments, inner.segments, {
    isAny: (segment) => segment === '**',
    fits: isSegmentWithin,
  });
}

/** Whether no text is covered by both. Where this says no, that may still be so. */
export function areGlobsApart(one: Glob, other: Glob): boolean {
  if (one.kind !== other.kind || !isComparable(one, other)) return false;
  return (
    areHeadsApart(one.segments, other.segments) ||
    areHeadsApart([...one.segments].reverse(), [...other.segments].reverse()) ||
    areLengthsApart(one.segments, other.segments)
  );
}

function isComparable(one: Glob, other: Glob): boolean {
  return one.text.length <= longestCompared && other.text.length <= longestCompared;
}

function isSegmentWithin(outer: Segment, inner: Segment): boolean {
  if (outer === '**' || inner === '**') return outer === '**';
  if ('literal' in inner) return coversSegment(outer, inner.literal);
  if ('literal' in outer) return false;
  return coversSequence(outer.characters, inner.characters, {
    isAny: (character) => 'wildcard' in character && character.wildcard === '*',
    fits: (character, given) => {
      if ('wildcard' in given && given.wildcard === '*') return false;
      if ('wildcard' in character) return true;
      return 'literal' in given && character.literal === given.literal;
    },
  });
}

function areHeadsApart(one: readonly Segment[], other: readonly Segment[]): boolean {
  for (const [index, segment] of one.entries()) {
    const facing = other[index];
    if (facing === undefined || segment === '**' || facing === '**') return false;
    if (areSegmentsApart(segment, facing)) return true;
  }
  return false;
}

function areSegmentsApart(one: Segment, other: Segment): boolean {
  if (one === '**' || other === '**') return false;
  if ('literal' in one) return !coversSegment(other, one.literal);
  return 'literal' in other && !coversSegment(one, other.literal);
}

function areLengthsApart(one: readonly Segment[], other: readonly Segment[]): boolean {
  const [least, leastOther] = [leastLength(one), leastLength(other)];
  return (!one.includes('**') && leastOther > one.length) || (!other.includes('**') && least > other.length);
}

function leastLength(segments: readonly Segment[]): number {
  return segments.filter((segment) => segment !== '**').length;
}
