import type { Character, Glob, Segment } from '@ambit/policy';
import { type Automaton, determinise, type Positions } from './automaton.js';

/** Accepts the canonical texts that a glob covers. */
export function globAutomaton(globs: readonly Glob[]): Automaton {
  const isRoot = ({ kind, segments }: Glob) => kind === 'path' && segments.length === 0;
  const parts = globs.map((glob) => (isRoot(glob) ? root : globPositions(glob)));
  const count = parts.length;
  const each = (position: number) => parts[position % count] as Positions;
  const inner = (position: number) => Math.floor(position / count);
  const outer = (glob: number) => (position: number) => position * count + glob;
  return determinise({
    start: parts.flatMap(({ start }, glob) => start.map(outer(glob))),
    step: (position, character) =>
      each(position)
        .step(inner(position), character)
        .map(outer(position % count)),
    specials: (position) => each(position).specials(inner(position)),
    accepts: (position) => each(position).accepts(inner(position)),
    acceptsAll: (position) => each(position).acceptsAll(inner(position)),
    reduce: (positions) => {
      // A later `**` subsumes earlier ones.
      const latest = new Map<number, number>();
      for (const position of positions) {
        const segment = anySegment(inner(position));
        if (segment === null) continue;
        latest.set(position % count, Math.max(segment, latest.get(position % count) ?? -1));
      }
      return positions.filter(
        (position) => segmentOf(inner(position)) >= (latest.get(position % count) ?? -1),
      );
    },
  });
}

/**
 * A position is a segment and a place in it: `boundary` before the separator, `any` within `**`, a number of
 * characters, or `fresh` before the first character.
 */
const width = 1 << 16;
const [boundary, any, fresh, first] = [0, 1, 2, 3];

const at = (segment: number, place: number) => segment * width + place;
const segmentOf = (position: number) => Math.floor(position / width);
const placeOf = (position: number) => position % width;
const anySegment = (position: number) => (placeOf(position) === any ? segmentOf(position) : null);

/** `/` */
const root: Positions = {
  start: [at(0, first)],
  step: (position, character) => (position === at(0, first) && character === '/' ? [at(0, first + 1)] : []),
  specials: () => ['/'],
  accepts: (position) => position === at(0, first + 1),
  acceptsAll: () => false,
};

function globPositions({ kind, segments }: Glob): Positions {
  const separator = kind === 'path' ? '/' : kind === 'host' ? '.' : null;
  const patterns = segments.map(charactersOf);
  const beginnings = (segment: number) =>
    beginningsOf(patterns[segment] ?? []).map((place) => at(segment, place));
  /** Undefined at the end of a segment. */
  const nextOf = (position: number) => patterns[segmentOf(position)]?.[placeOf(position) - first];

  function closure(position: number): readonly number[] {
    const [segment, place] = [segmentOf(position), placeOf(position)];
    if (place === boundary)
      return segments[segment] === '**' ? [position, ...closure(at(segment + 1, boundary))] : [position];
    if (place === any) return [position, ...closure(at(segment, boundary))];
    if (place === fresh) return [position];
    const next = nextOf(position);
    if (next === undefined)
      return separator === null ? [position] : [position, ...closure(at(segment + 1, boundary))];
    return isStar(next) ? [position, ...closure(at(segment, place + 1))] : [position];
  }

  function stepOne(position: number, character: string): readonly number[] {
    const [segment, place] = [segmentOf(position), placeOf(position)];
    if (place === boundary) {
      if (character !== separator || segment >= segments.length) return [];
      return [at(segment, segments[segment] === '**' ? any : fresh)];
    }
    if (character === separator) return [];
    if (place === any) return [position];
    if (place === fresh) return beginnings(segment).flatMap((beginning) => stepOne(beginning, character));
    const next = nextOf(position);
    if (next === undefined) return [];
    if (isStar(next)) return [position];
    return 'wildcard' in next || next.literal === character ? [at(segment, place + 1)] : [];
  }

  const step = (position: number, character: string) => stepOne(position, character).flatMap(closure);
  const start = closure(at(0, kind === 'text' ? first : boundary));
  return {
    start: kind === 'host' ? start.flatMap((position) => step(position, '.')) : start,
    step,
    specials: (position) => {
      const [segment, place] = [segmentOf(position), placeOf(position)];
      const ends = separator === null ? [] : [separator];
      if (place === boundary || place === any) return ends;
      const next = (place === fresh ? beginnings(segment) : [position]).map(nextOf);
      return [...ends, ...next.flatMap((each) => (each && 'literal' in each ? each.literal : []))];
    },
    accepts: (position) =>
      separator === null
        ? placeOf(position) - first === patterns[0]?.length
        : placeOf(position) === boundary && segmentOf(position) === segments.length,
    acceptsAll: (position) => {
      const [segment, place] = [segmentOf(position), placeOf(position)];
      if (separator !== null) return place === any && segments.slice(segment).every((each) => each === '**');
      const pattern = patterns[0] ?? [];
      return place - first === pattern.length - 1 && isStar(pattern.at(-1));
    },
  };
}

/** The places of a segment that its first character may match. */
function beginningsOf(pattern: readonly Character[]): readonly number[] {
  const stars = pattern.findIndex((character) => !isStar(character));
  const last = stars === -1 ? pattern.length - 1 : stars;
  return Array.from({ length: last + 1 }, (_, index) => first + index);
}

function charactersOf(segment: Segment): readonly Character[] {
  if (segment === '**') return [];
  return 'characters' in segment
    ? segment.characters
    : Array.from(segment.literal, (literal) => ({ literal }));
}

function isStar(character: Character | undefined): boolean {
  return character !== undefined && 'wildcard' in character && character.wildcard === '*';
}

/** A text that it covers. */
export function globSample({ kind, segments }: Glob): string {
  const texts = segments
    .filter((segment) => segment !== '**')
    .map((segment) =>
      'literal' in segment
        ? segment.literal
        : segment.characters.map((each) => ('literal' in each ? each.literal : 'x')).join(''),
    );
  return kind === 'path' ? `/${texts.join('/')}` : texts.join('.');
}
