import { equalJson } from '@ambit/core';
import type { FactPatterns, Match, Pattern } from '@ambit/policy';
import { areGlobsApart, isGlobWithin } from './glob-relations.js';

/**
 * Whether one match is at most as true as another of every capability, undecided being between false and true; none is
 * true of all. Where this says no, that may still be so.
 */
export function isMatchWithin(inner: Match | null, outer: Match | null): boolean {
  if (outer === null) return true;
  if (inner === null) return false;
  if (!isComparable(inner, outer)) return equalJson(inner as never, outer as never);
  return outer.every(({ fact, patterns }) => {
    const own = patternsFor(fact, inner);
    return own?.every((pattern) => patterns.some((wider) => isPatternWithin(pattern, wider))) ?? false;
  });
}

/** A fact that no capability can have so that both matches hold, and of which both ask the same kind of question. */
export function separatingFact(one: Match, other: Match): string | null {
  if (!isComparable(one, other)) return null;
  const found = one.find(({ fact, patterns }) => {
    const facing = patternsFor(fact, other);
    return (
      facing !== null &&
      isOneKind([...patterns, ...facing]) &&
      patterns.every((pattern) => facing.every((against) => arePatternsApart(pattern, against)))
    );
  });
  return found?.fact ?? null;
}

/** Comparing takes up to the product of their sizes. */
export function sizeOf(match: Match | null): number {
  if (match === null) return 0;
  const known = sizes.get(match);
  if (known !== undefined) return known;
  const patterns = match.flatMap((each) => each.patterns);
  const size = patterns.reduce((sum, each) => sum + (each.kind === 'glob' ? each.glob.text.length : 1), 0);
  sizes.set(match, size);
  return size;
}

const sizes = new WeakMap<Match, number>();

/** What is longer than anybody writes is compared as a whole. */
function isComparable(one: Match, other: Match): boolean {
  return sizeOf(one) * sizeOf(other) <= 1_000_000;
}

function patternsFor(fact: string, match: Match): FactPatterns['patterns'] | null {
  return match.find((each) => each.fact === fact)?.patterns ?? null;
}

function isPatternWithin(inner: Pattern, outer: Pattern): boolean {
  if (inner.kind === 'glob') return outer.kind === 'glob' && isGlobWithin(inner.glob, outer.glob);
  if (inner.kind === 'boolean') return outer.kind === 'boolean' && inner.value === outer.value;
  const [interval, wider] = [intervalOf(inner), intervalOf(outer)];
  return interval !== null && wider !== null && wider.from <= interval.from && interval.to <= wider.to;
}

function arePatternsApart(one: Pattern, other: Pattern): boolean {
  if (one.kind === 'glob') return other.kind === 'glob' && areGlobsApart(one.glob, other.glob);
  if (one.kind === 'boolean') return other.kind === 'boolean' && one.value !== other.value;
  const [interval, against] = [intervalOf(one), intervalOf(other)];
  return interval !== null && against !== null && (interval.to < against.from || against.to < interval.from);
}

/** Whether the patterns are decided, and undecided, of the same values. */
function isOneKind(patterns: readonly Pattern[]): boolean {
  return new Set(patterns.map(({ kind }) => (kind === 'range' ? 'number' : kind))).size === 1;
}

function intervalOf(pattern: Pattern): { readonly from: number; readonly to: number } | null {
  if (pattern.kind === 'number') return { from: pattern.value, to: pattern.value };
  if (pattern.kind !== 'range') return null;
  return { from: pattern.from ?? Number.NEGATIVE_INFINITY, to: pattern.to ?? Number.POSITIVE_INFINITY };
}
