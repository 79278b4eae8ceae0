import { remembered } from '@ambit/core';
import { isUnder, plainPath } from '@ambit/toolsets';
import { asMany } from '../../alternatives.js';
import { Outside } from '../../state/outside.js';
import type { Scope } from '../../state/scope.js';
import { type Names, type NamesWord, namesWord, text, textsIn, unknown, type Word } from '../../word.js';
import { type Changes, countOf, type Folder, type World } from '../../world.js';
import { anyDepth, bySegment, type Match, step } from './glob-step.js';
import { hasPattern, type PatternPiece } from './pattern.js';
import { type Field, namesIn, wordOf } from './pieces.js';

/** The most matches that become separate words. */
const mostWords = 200;

/** The most names that are matched one by one. */
const mostChoices = 50;

/** The words of a field: the files that its pattern matches, or the field itself. */
export function fileNames(field: Field, scope: Scope): readonly Word[] {
  const isPattern = hasPattern(
    field.map((piece) => (piece.kind === 'text' ? piece : { text: '', isQuoted: true })),
  );
  const listed = isPattern ? null : listedIn(field);
  if (!isPattern && listed === null) return [wordOf(field)];
  // A backslash from a value quotes the next character, only in a pattern.
  if (field.some((piece) => piece.kind === 'text' && !piece.isQuoted && piece.text.includes('\\')))
    throw new Outside('a pattern with a backslash from a value is not described', '\\');
  const choices = listed?.patterns.map((each) => [{ text: each, isQuoted: false }]) ?? choicesOf(field);
  if (choices === null || (scope.isPosix && choices.some(meansOther))) return [unknownMatches(field)];
  const { folders, globbing = '' } = scope.state;
  const [folder, ...others] = folders;
  if (folder === undefined || others.length > 0 || globbing === 'unsure') return [unknownMatches(field)];
  scope.walk.report.spend(10 * choices.length);
  const { words, count } = matched(choices, { folder, globbing }, scope.walk.world);
  // Each match is looked up.
  scope.walk.report.spend(count / 3);
  return listed === null ? words : [asMany([...words, listed.gap])];
}

/** An unquoted list of names, and those that are patterns with brackets: `pages/[id].vue`. Null if none is, or too many are. */
function listedIn([piece, ...others]: Field): { gap: NamesWord; patterns: readonly string[] } | null {
  if (piece?.kind !== 'gap' || piece.isQuoted || others.length > 0) return null;
  const { gap } = piece;
  if (gap.kind !== 'names' || gap.names.open || textsIn(gap).some((each) => /[\s*?\\]/.test(each)))
    return null;
  const patterns = textsIn(gap).filter((each) => hasPattern([{ text: each, isQuoted: false }]));
  return patterns.length > 0 && patterns.length <= mostWords ? { gap, patterns } : null;
}

/** Where and how patterns are matched. */
interface Matching {
  readonly folder: Folder;
  readonly globbing: string;
}

interface Matched {
  readonly words: readonly Word[];
  readonly count: number;
}

/** Matches by the changes of a line so far. A line reads each folder once, so only its changes alter a match. */
const known = new WeakMap<Changes, Map<string, Matched>>();

/** A pattern that a line repeats is matched once, until a command of the line changes something. */
function matched(choices: readonly (readonly PatternPiece[])[], matching: Matching, world: World): Matched {
  const { changes } = world;
  const key = JSON.stringify([countOf(changes), matching, choices]);
  return remembered(
    remembered(known, changes, () => new Map()),
    key,
    () => matchChoices(choices, matching, world),
  );
}

function matchChoices(
  choices: readonly (readonly PatternPiece[])[],
  matching: Matching,
  world: World,
): Matched {
  const found = choices.map((pieces) => matchesOf(pieces, matching, world));
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
    const names = namesIn(piece.gap, piece.isQuoted);
    if (names === null) return null;
    choices = choices.flatMap((choice) => names.map((each) => [...choice, { text: each, isQuoted: true }]));
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

function matchesOf(pieces: readonly PatternPiece[], { folder, globbing }: Matching, world: World): Found {
  const segments = bySegment(pieces);
  const isAbsolute = segments.length > 1 && segments[0]?.length === 0;
  let current: readonly Match[] = [
    isAbsolute
      ? { text: '/', folder: { named: '/', real: '/' }, isFound: false }
      : { text: '', folder, isFound: false },
  ];
  let [isOpen, isCut] = [false, false];
  let isExact = true;
  const isDeep = (segment: readonly PatternPiece[]) =>
    globbing.includes('globstar') &&
    segment.every(({ isQuoted }) => !isQuoted) &&
    segment.map(({ text: part }) => part).join('') === '**';
  const hasDots = globbing.includes('dotglob');
  for (const [index, segment] of segments.entries()) {
    if (isAbsolute && index === 0) continue;
    const isLast = index === segments.length - 1;
    const entered = new Set<string>();
    const next = current.map((match) =>
      isDeep(segment)
        ? anyDepth(match, { isLast, hasDots, entered }, world)
        : step(match, { segment, hasDots }, world),
    );
    isOpen ||= next.some((each) => each.isOpen);
    isCut ||= next.some((each) => each.isCut === true);
    isExact &&= next.every((each) => each.isExact);
    const matches = next.flatMap((each) => each.matches);
    // Several `**` find a file in several ways.
    current = isDeep(segment) ? [...new Map(matches.map((each) => [each.text, each])).values()] : matches;
  }
  const literal = pieces.map(({ text: part }) => part).join('');
  // By bytes, as the shell sorts them in this locale.
  const texts = current
    .map((match) => match.text)
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  // A pattern without a match stays as it is.
  if (!globbing.includes('nullglob') && (texts.length === 0 || isOpen || !isExact)) texts.push(literal);
  return {
    texts,
    open: isOpen,
    under: isOpen && !isCut ? underOf(literal, folder, world) : null,
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
