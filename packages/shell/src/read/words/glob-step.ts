import { posix } from 'node:path';
import { folderNamed } from '../../facts/places.js';
import { type Folder, mayHaveChanged, namesIn, type World } from '../../world.js';
import { hasPattern, isWide, matches, namePattern, type PatternPiece, widen } from './pattern.js';

export interface Match {
  readonly text: string;
  readonly folder: Folder;
  /** Whether the word had a pattern, so the file must exist. */
  readonly isFound: boolean;
}

export interface Step {
  readonly matches: readonly Match[];
  readonly isOpen: boolean;
  /** Whether a folder cannot be listed. */
  readonly isCut?: boolean;
  readonly isExact: boolean;
}

/** The most files that `**` matches. */
const mostDeep = 100_000;

/**
 * `**`: a folder and all below it, and the files where it is the last segment. A link is a folder, but not entered.
 * `entered` has the folders of other matches, whose contents are among the matches already.
 */
export function anyDepth(
  match: Match,
  { isLast, hasDots, entered }: { isLast: boolean; hasDots: boolean; entered: Set<string> },
  world: World,
): Step {
  const found: Match[] = isLast ? [{ ...match, text: `${match.text}/` }] : [{ ...match, isFound: true }];
  if (isLast && match.text === '') found.pop();
  const waiting = [match];
  let [isOpen, isCut] = [false, false];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (entered.has(at.text)) continue;
    entered.add(at.text);
    const { real } = at.folder;
    const there = namesIn(at.folder, world);
    isCut ||= there.isCut;
    isOpen ||= there.isOpen || found.length > mostDeep;
    for (const name of found.length > mostDeep ? [] : there.names) {
      const kind = real === null ? null : world.listing.kind(posix.join(real, name));
      if ((!hasDots && name.startsWith('.')) || (!isLast && kind === 'file')) continue;
      const next = { ...below(at, name, world), isFound: true };
      found.push(next);
      if (kind === 'folder' || kind === null) waiting.push(next);
    }
  }
  return { isOpen, isCut, isExact: false, matches: found };
}

export function step(
  match: Match,
  { segment, hasDots }: { readonly segment: readonly PatternPiece[]; readonly hasDots: boolean },
  world: World,
): Step {
  const exact = { isOpen: false, isExact: true };
  const name = segment.map((piece) => piece.text).join('');
  if (name === '') {
    if (match.text === '') return { ...exact, matches: [] };
    const start = match.text.endsWith('/') ? match.text : `${match.text}/`;
    // Only a folder has a trailing slash; an unknown file may be one.
    const kind = kindOf(match.folder, world);
    const isOther = match.isFound && kind !== null && kind !== 'folder';
    const isExact = !match.isFound || kind !== null;
    return { isOpen: false, isExact, matches: isOther ? [] : [{ ...match, text: start }] };
  }
  if (!hasPattern(segment)) {
    const next = below(match, name, world);
    if (!match.isFound) return { ...exact, matches: [next] };
    const there = namesIn(match.folder, world);
    if (name !== '.' && name !== '..') return { ...there, matches: there.names.includes(name) ? [next] : [] };
    // Only a folder has them.
    const kind = kindOf(match.folder, world);
    const matches = kind === null || kind === 'folder' ? [next] : [];
    return { ...there, isExact: there.isExact && kind !== null, matches };
  }
  const { names, ...rest } = namesIn(match.folder, world);
  const pattern = namePattern(segment);
  const wide = pattern.counts ? widen(pattern) : pattern;
  const found = names.filter((each) =>
    matches(each, isWide(each) ? wide : pattern, hasDots ? 'text' : 'name'),
  );
  return {
    matches: found.map((each): Match => ({ ...below(match, each, world), isFound: true })),
    isOpen: rest.isOpen,
    isCut: rest.isCut,
    isExact: rest.isExact && !pattern.isRough && !(pattern.counts && found.some(isWide)),
  };
}

/** Null for a file that is unknown, or that the line changed: it may now be a folder. */
function kindOf({ real }: Folder, { changes, listing }: World) {
  return real === null || mayHaveChanged(real, changes) ? null : listing.kind(real);
}

function below(match: Match, name: string, world: World): Match {
  const next =
    match.text === '' || match.text.endsWith('/') ? `${match.text}${name}` : `${match.text}/${name}`;
  return { ...match, text: next, folder: folderNamed(name, match.folder, world) };
}

export function bySegment(pieces: readonly PatternPiece[]): readonly (readonly PatternPiece[])[] {
  const segments: PatternPiece[][] = [[]];
  for (const { text: whole, isQuoted } of pieces) {
    whole.split('/').forEach((part, index) => {
      if (index > 0) segments.push([]);
      if (part !== '') segments[segments.length - 1]?.push({ text: part, isQuoted });
    });
  }
  return segments;
}
