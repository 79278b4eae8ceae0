import { posix } from 'node:path';
import { remembered } from '@ambit/core';
import { isUnder, plainPath } from '@ambit/toolsets';
import { lead } from '../../facts/places.js';
import { Outside } from '../../state/outside.js';
import type { Scope } from '../../state/scope.js';
import { type Names, type NamesWord, namesWord, text, textsIn, unknown, type Word } from '../../word.js';
import { type Changes, countOf, type Folder, mayHaveChanged, type World } from '../../world.js';
import { hasPattern, isWide, matches, namePattern, type PatternPiece, widened } from './pattern.js';
import { type Field, isWhole, wordOf } from './pieces.js';

/** The most matches that become separate words. */
const mostWords = 200;

/** The most names that are matched one by one. */
const mostChoices = 50;

/** The words of a field: the files that its pattern matches, or the field itself. */
export function fileNames(field: Field, scope: Scope): readonly Word[] {
  const isPattern = hasPattern(
    field.map((piece) => (piece.kind === 'text' ? piece : { text: '', isQuoted: true })),
  );
  if (!isPattern) return [wordOf(field)];
  // A backslash from a value quotes the next character, only in a pattern.
  if (field.some((piece) => piece.kind === 'text' && !piece.isQuoted && piece.text.includes('\\')))
    throw new Outside('a pattern with a backslash out of a value is not described', '\\');
  const choices = choicesOf(field);
  if (choices === null || (scope.isPosix && choices.some(meansOther))) return [unknownMatches(field)];
  const [folder, ...others] = scope.state.folders;
  if (folder === undefined || others.length > 0) return [unknownMatches(field)];
  scope.walk.report.spend(10 * choices.length);
  const { words, count } = matched(choices, folder, scope.walk.world);
  // Each match is looked up.
  scope.walk.report.spend(count / 3);
  return words;
}

interface Matched {
  readonly words: readonly Word[];
  readonly count: number;
}

/** Matches of one line, by its changes so far. A folder is read once for a line, so only these can change them. */
const known = new WeakMap<Changes, Map<string, Matched>>();

/** A pattern that a line repeats is matched once, until a command of the line changes something. */
function matched(choices: readonly (readonly PatternPiece[])[], folder: Folder, world: World): Matched {
  const { changes } = world;
  const key = JSON.stringify([countOf(changes), folder.named, folder.real, choices]);
  return remembered(
    remembered(known, changes, () => new Map()),
    key,
    () => looked(choices, folder, world),
  );
}

function looked(choices: readonly (readonly PatternPiece[])[], folder: Folder, world: World): Matched {
  const found = choices.map((pieces) => matchesOf(pieces, folder, world));
  const names = found.flatMap((each) => each.texts);
  const count = names.length;
  const open = found.find((each) => each.open);
  const isExact = open === undefined && choices.length === 1 && found.every((each) => each.isExact);
  if (!isExact) return { words: [wordOfNames(names, open)], count };
  // The first word is one that is certainly there.
  const single = names
    .slice(0, count <= mostWords ? mostWords : 1)
    .map((name): Word => ({ ...text(name), ...(count > 1 && { isMatched: true }) }));
  return {
    words: single.length === count ? single : [...single, wordOfNames(names.slice(1), undefined)],
    count,
  };
}

/** Shells differ in the meaning of brackets, and in whether `.*` matches `..`. */
function meansOther(pieces: readonly PatternPiece[]): boolean {
  const written = pieces.map(({ text: part }) => part).join('');
  const isBracket = pieces.some(({ text: part, isQuoted }) => !isQuoted && part.includes('['));
  return isBracket || /(?:^|\/)\.{1,2}[*?]/.test(written);
}

function wordOfNames(texts: readonly string[], open: Names | undefined): NamesWord {
  const names = { texts: [...new Set(texts)], open: open !== undefined, under: open?.under ?? null };
  return namesWord(names, 'many');
}

/** The field with each of its names filled in; null if it holds unknown text. */
function choicesOf(field: Field): readonly (readonly PatternPiece[])[] | null {
  let choices: (readonly PatternPiece[])[] = [[]];
  for (const piece of field) {
    if (piece.kind === 'text') {
      choices = choices.map((choice) => [...choice, piece]);
      continue;
    }
    const { gap, isQuoted } = piece;
    if (gap.kind !== 'names' || gap.names.open || gap.count === 'many' || !(isQuoted || isWhole(gap)))
      return null;
    choices = choices.flatMap((choice) =>
      textsIn(gap).map((each) => [...choice, { text: each, isQuoted: true }]),
    );
    if (choices.length > mostChoices) return null;
  }
  return choices;
}

/** All matches begin with the text before the first pattern, if nothing before it is split. */
function unknownMatches(field: Field): Word {
  const isSplit = field.some((piece) => piece.kind === 'gap' && !piece.isQuoted);
  let start = '';
  for (const piece of field) {
    if (piece.kind === 'gap') {
      start += piece.gap.kind === 'names' ? piece.gap.before : piece.gap.start;
      break;
    }
    const end = piece.isQuoted ? -1 : piece.text.search(/[*?[]/);
    start += end === -1 ? piece.text : piece.text.slice(0, end);
    if (end !== -1) break;
  }
  return unknown('*', { start: isSplit ? '' : start, count: 'many' });
}

interface Found extends Names {
  /** Whether these are exactly the words, not a superset. */
  readonly isExact: boolean;
}

interface Match {
  readonly text: string;
  readonly folder: Folder;
  /** Whether the word had a pattern, so the file must exist. */
  readonly isFound: boolean;
}

function matchesOf(pieces: readonly PatternPiece[], folder: Folder, world: World): Found {
  const segments = bySegment(pieces);
  const isAbsolute = segments.length > 1 && segments[0]?.length === 0;
  let current: readonly Match[] = [
    isAbsolute
      ? { text: '/', folder: { named: '/', real: '/' }, isFound: false }
      : { text: '', folder, isFound: false },
  ];
  let isOpen = false;
  let isExact = true;
  for (const segment of isAbsolute ? segments.slice(1) : segments) {
    const next = current.map((match) => step(match, segment, world));
    isOpen ||= next.some((each) => each.isOpen);
    isExact &&= next.every((each) => each.isExact);
    current = next.flatMap((each) => each.matches);
  }
  const literal = pieces.map(({ text: part }) => part).join('');
  // By bytes, as the shell sorts them in this locale.
  const texts = current.map((match) => match.text).sort(byBytes);
  // A pattern without a match stays as it is.
  if (texts.length === 0 || isOpen || !isExact) texts.push(literal);
  return {
    texts,
    open: isOpen,
    under: isOpen ? underOf(literal, folder, world) : null,
    // Doubled slashes stay in the words, and are not kept here.
    isExact: isExact && !isOpen && !literal.includes('//'),
  };
}

/** The folder that contains every match, if no link can lead out of it. */
function underOf(pattern: string, folder: Folder, { changes }: World): string | null {
  const fixed = pattern.slice(0, pattern.search(/[*?[]/));
  const start = fixed.slice(0, fixed.lastIndexOf('/') + 1);
  const named = plainPath(`${start.startsWith('/') ? '' : `${folder.named}/`}${start}`);
  const mayLead = changes.links.size > 0 || [...changes.open].some((each) => each === '/');
  return mayLead || !isUnder(named, folder.named)
    ? null
    : start === ''
      ? '.'
      : start.replace(/(?<=.)\/$/, '');
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

interface Step {
  readonly matches: readonly Match[];
  readonly isOpen: boolean;
  readonly isExact: boolean;
}

function step(match: Match, segment: readonly PatternPiece[], world: World): Step {
  const exact = { isOpen: false, isExact: true };
  const name = segment.map((piece) => piece.text).join('');
  if (name === '') {
    const start = match.text.endsWith('/') ? match.text : `${match.text}/`;
    const { real } = match.folder;
    // Only a folder has a trailing slash; an unknown file may be one.
    const isOther = match.isFound && real !== null && world.listing.kind(real) !== 'folder';
    const isExact = !match.isFound || real !== null;
    return { isOpen: false, isExact, matches: isOther ? [] : [{ ...match, text: start }] };
  }
  if (!hasPattern(segment)) {
    const next = below(match, name, world);
    if (!match.isFound) return { ...exact, matches: [next] };
    const there = namesIn(match.folder, world);
    if (name !== '.' && name !== '..') return { ...there, matches: there.names.includes(name) ? [next] : [] };
    const { real } = match.folder;
    // Only a folder has them. A file that the line changed may now be one.
    const kind = real === null || mayHaveChanged(real, world.changes) ? null : world.listing.kind(real);
    const matches = kind === null || kind === 'folder' ? [next] : [];
    return { ...there, isExact: there.isExact && kind !== null, matches };
  }
  const { names, ...rest } = namesIn(match.folder, world);
  const pattern = namePattern(segment);
  const wide = pattern.counts ? widened(pattern) : pattern;
  const found = names.filter((each) => matches(each, isWide(each) ? wide : pattern));
  return {
    matches: found.map((each): Match => ({ ...below(match, each, world), isFound: true })),
    isOpen: rest.isOpen,
    isExact: rest.isExact && !pattern.isRough && !(pattern.counts && found.some(isWide)),
  };
}

function below(match: Match, name: string, world: World): Match {
  const next =
    match.text === '' || match.text.endsWith('/') ? `${match.text}${name}` : `${match.text}/${name}`;
  return { ...match, text: next, folder: lead(name, match.folder, world) };
}

/** The names in a folder: existing ones, and those that earlier commands may have added. */
function namesIn(
  { named, real }: Folder,
  { changes, listing }: World,
): Omit<Step, 'matches'> & { names: readonly string[] } {
  if (real === null) return { names: [], isOpen: true, isExact: false };
  const isChanged = [...changes.open].some((each) => isUnder(each, real) || isUnder(real, each));
  const listed = listing.kind(real) === 'folder' ? listing.names(real) : null;
  const isOpen = isChanged || listed?.isOpen === true;
  const there = listed?.entries.map(({ path }) => posix.basename(path)) ?? [];
  const created = [...changes.created]
    .filter((path) => [named, real].includes(posix.dirname(path)))
    .map((path) => posix.basename(path));
  return {
    names: [...new Set([...there, ...created])].sort(),
    isOpen,
    isExact: created.length === 0 && changes.removed.size === 0,
  };
}

function bySegment(pieces: readonly PatternPiece[]): readonly (readonly PatternPiece[])[] {
  const segments: PatternPiece[][] = [[]];
  for (const { text: whole, isQuoted } of pieces) {
    whole.split('/').forEach((part, index) => {
      if (index > 0) segments.push([]);
      if (part !== '') segments[segments.length - 1]?.push({ text: part, isQuoted });
    });
  }
  return segments;
}
