import { coversSequence } from '@ambit/core';

/** The kind of text of a glob: paths have segments at `/`, hosts at `.`, other text has none. */
export type GlobKind = 'path' | 'host' | 'text';

/** One character of a pattern: itself, or a wildcard. Characters are code points. */
export type Character = { readonly literal: string } | { readonly wildcard: '*' | '?' };

/** `**`, a literal segment, or one with wildcards. */
export type Segment = '**' | { readonly literal: string } | { readonly characters: readonly Character[] };

export interface Glob {
  readonly kind: GlobKind;
  readonly written: string;
  /** With `~/` and `./` replaced. */
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** `folder` is the value of `~/` or `./`: its characters are literal. */
export function compileGlob(
  kind: GlobKind,
  pattern: { written: string; folder?: string; rest: string },
): Glob {
  const { written, folder, rest } = pattern;
  const folders = folder === undefined ? [] : splitText('path', folder).map((literal) => ({ literal }));
  const segments = splitText(kind, rest).map(compileSegment);
  const text = folder === undefined ? rest : [folder === '/' ? '' : folder, rest].join('/');
  return { kind, written, text, segments: [...folders, ...segments] };
}

/** Limits: UTF-16 units of a text, and steps (the text's length times the pattern's). */
export const longestText = 65_536;
export const mostSteps = 2 ** 24;

/** The result is then undecided. */
export function isTooLong(glob: Glob, text: string): boolean {
  return text.length > longestText || text.length * glob.text.length > mostSteps;
}

/** Takes time linear in the text. */
export function covers(glob: Glob, text: string): boolean {
  return coversSequence(glob.segments, splitText(glob.kind, text), {
    isAny: (segment) => segment === '**',
    fits: coversSegment,
  });
}

/** `/` has no segments. */
function splitText(kind: GlobKind, text: string): readonly string[] {
  if (kind === 'text') return [text];
  if (kind === 'host') return text.split('.');
  const inner = text.startsWith('/') ? text.slice(1) : text;
  return inner === '' ? [] : inner.split('/');
}

/** Whether the glob covers a folder and everything below it. */
export function coversAllUnder(glob: Glob, folder: string): boolean {
  return coversAllBelow(glob) && covers(glob, folder);
}

/** Whether the glob covers everything below a folder that it covers. */
export function coversAllBelow({ segments }: Glob): boolean {
  // The part after the last `**` may match any segment; a longer path has one that nothing else matches.
  const last = segments.lastIndexOf('**');
  return last !== -1 && segments.slice(last + 1).every(isAnySegment);
}

/** Whether the glob covers the folder, or anything that may lie below it. */
export function coversAnyUnder({ kind, segments }: Glob, folder: string): boolean {
  let places = new Set(afterAny(segments, 0));
  for (const text of splitText(kind, folder)) {
    const next = [...places].flatMap((place) => {
      const segment = segments[place];
      if (segment === undefined || !coversSegment(segment, text)) return [];
      return afterAny(segments, segment === '**' ? place : place + 1);
    });
    places = new Set(next);
  }
  // Some segment fits each part of a pattern, so the rest can be matched below.
  return places.size > 0;
}

/** A position in a pattern, and those that `**` reaches from it without a segment. */
function afterAny(segments: readonly Segment[], place: number): readonly number[] {
  const places = [place];
  for (let at = place; segments[at] === '**'; at += 1) places.push(at + 1);
  return places;
}

/** Whether it matches every segment that a path may have: those are not empty. */
function isAnySegment(segment: Segment): boolean {
  if (segment === '**') return true;
  if ('literal' in segment) return false;
  const wildcards = segment.characters.map((character) => 'wildcard' in character && character.wildcard);
  return (
    wildcards.every(Boolean) && wildcards.includes('*') && wildcards.filter((one) => one === '?').length < 2
  );
}

function compileSegment(text: string): Segment {
  if (text === '**') return '**';
  if (!/[*?]/.test(text)) return { literal: text };
  return {
    characters: Array.from(text, (character) =>
      character === '*' || character === '?' ? { wildcard: character } : { literal: character },
    ),
  };
}

function coversSegment(segment: Segment, text: string): boolean {
  if (segment === '**') return true;
  if ('literal' in segment) return segment.literal === text;
  return coversSequence(segment.characters, Array.from(text), {
    isAny: (character) => 'wildcard' in character && character.wildcard === '*',
    fits: (character, given) => 'wildcard' in character || character.literal === given,
  });
}
