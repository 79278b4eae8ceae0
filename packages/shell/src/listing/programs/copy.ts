import { isUnder } from '@ambit/toolsets';
import type { Effect } from '../../effect.js';
import { joinPath } from '../../files/listing.js';
import { together } from '../../programs/effects.js';
import type { Reading } from '../../programs/reading.js';
import { isMany, isOpen, text, textOf, textsIn, type Word } from '../../word.js';
import { type Context, type Described, mayHaveChanged } from '../../world.js';
import { Collected } from '../collected.js';
import { type Members, membersOf, namedPath } from '../members.js';
import { has, pathEffects, valuesOf } from '../options.js';
import { hasNoLink, ledFrom, numberedNames, type Start, startAt, startsOf, withoutSlash } from '../start.js';

export interface CopyOptions {
  /** Whether folders are copied with their content. */
  readonly isDeep: boolean;
  readonly followsNamed: boolean;
  readonly copiesLinks: boolean;
  /** Whether it makes links instead of copies, so that a write through a link changes the source. */
  readonly links: boolean;
  readonly moves: boolean;
  /** Whether its sources are relative to the folder in which it makes a link. */
  readonly isRelative?: boolean;
  /** Whether a folder always comes into the target, and never becomes it. */
  readonly intoFolders?: boolean;
}

export const plain: CopyOptions = {
  isDeep: false,
  followsNamed: false,
  copiesLinks: false,
  links: false,
  moves: false,
};

/** The most names of a target that are followed one by one. */
const mostTargets = 100;

export function copy(reading: Reading, context: Context, how: CopyOptions): Described | string {
  const effects = effectsOfCopy(reading, context, how);
  return typeof effects === 'string' ? effects : described(reading, effects);
}

function effectsOfCopy(reading: Reading, context: Context, how: CopyOptions): readonly Effect[] | string {
  const into = valuesOf(reading, '-t --target-directory').at(-1);
  const last = into ?? reading.operands.at(-1);
  // The last of several words is the target, and it may vary: it may also be a source.
  const isTarget: boolean = into === undefined && last !== undefined && !isMany(last);
  const sources = isTarget ? reading.operands.slice(0, -1) : reading.operands;
  const isKnown = last?.kind === 'names' && !isOpen(last);
  const numbered = isKnown || last === undefined ? null : numberedNames(last, context);
  const targets = isKnown ? textsIn(last) : numbered?.texts;
  if (isTarget && last !== undefined && targets && targets.length <= mostTargets) {
    const found = together(
      targets.map((name) => effectsOfCopy({ ...reading, operands: [...sources, text(name)] }, context, how)),
    );
    if (typeof found === 'string' || numbered === null) return found;
    const mayLink = found.some((effect) => 'mayLink' in effect && effect.mayLink === true);
    const { list, open: isUnsure } = startsOf(sources, context, false);
    const isFile = ({ real, kind }: Start) =>
      kind === 'file' && !mayHaveChanged(real ?? '/', context.world.changes);
    // With another number, it is a new name. Nothing lies below a file.
    const deep = numbered.open || (how.isDeep && (isUnsure || reading.open !== null || !list.every(isFile)));
    return [...found, ...pathEffects('write', [last], { deep, mayLink })];
  }
  if (last === undefined || (sources.length === 0 && reading.open === null)) return [];
  const starts = startsOf(sources, context, how.followsNamed);
  const { real: here } = context.folder;
  const movesHere = ({ real }: Start) => real !== null && (here === null || isUnder(here, real));
  if (how.moves && starts.list.some(movesHere))
    return [{ kind: 'opaque', why: 'it may move the folder that it works in', ends: true }];
  const target = textOf(last);
  const place = target === null ? null : startAt(target, context, true);
  // Words of a listing may be none.
  const many = sources.filter((word) => !isMany(word)).length > 1;
  const [read, written] = [new Collected(), new Collected()];
  const effects = [...effectsOnNamed(sources, last, how)];
  if (place === null) effects.push(...pathEffects('write', [last], { mayLink: how.isDeep }));
  // The folder itself is listed separately.
  else if (into !== undefined) effects.push(...pathEffects('write', [into]));
  if (place === null || place.real === null) written.addOpen(null);
  const isUnsure = starts.open || reading.open !== null;
  if (isUnsure) {
    read.addOpen(null);
    // An unknown option may name another target.
    written.addOpen(place === null || reading.open !== null ? null : underOf(place, context));
  }
  let mayLink = isUnsure || how.links;
  for (const start of starts.list) {
    const found = how.isDeep ? membersOf(start, context) : null;
    if (found !== null) read.addAll(found);
    const isLink = how.copiesLinks && start.kind !== 'file' && !hasNoLink(start, context);
    mayLink ||= isLink && mayHoldLink(found);
    const copying = { reading, context, how, many, isIn: into !== undefined, read, written, found, isLink };
    if (place !== null) effects.push(...effectsInTarget(start, place, copying));
  }
  if (how.isDeep) effects.push(...read.effects('read'));
  if (how.moves) effects.push(...read.effects('delete'));
  return [...effects, ...written.effects('write', { mayLink })];
}

function described(reading: Reading, effects: readonly Effect[]): Described {
  // Answers to its questions come from the input.
  return { effects, leavesInput: !has(reading, '-i -I --interactive') };
}

/** What it does to the files that the words name, wherever the copies are. */
function effectsOnNamed(sources: readonly Word[], target: Word, how: CopyOptions): readonly Effect[] {
  const fromHere = how.isRelative === true ? sources.filter((word) => textOf(word) === null) : sources;
  const read = how.isDeep ? [] : pathEffects('read', fromHere);
  if (!how.links) return read;
  const named = pathEffects('meta', [target], { deep: true }).map((effect) => ({ ...effect, what: 'link' }));
  return [...read, ...pathEffects('write', fromHere, { deep: how.isDeep }), ...named];
}

function mayHoldLink(found: Members | null): boolean {
  return found === null || found.open || found.list.some(({ kind }) => kind === 'link' || kind === null);
}

interface Copying {
  readonly reading: Reading;
  readonly context: Context;
  readonly how: CopyOptions;
  /** Whether there are certainly several sources. */
  readonly many: boolean;
  /** Whether an option names the target as a folder. */
  readonly isIn: boolean;
  readonly read: Collected;
  readonly written: Collected;
  /** The files of the source, if it is copied with its content. */
  readonly found: Members | null;
  /** Whether the source may be copied as a link. */
  readonly isLink: boolean;
}

/** What the copy of a source does at the target. The files of a folder are collected instead. */
function effectsInTarget(start: Start, place: Start, of: Copying): readonly Effect[] {
  const { context, how, read, written, found, isLink } = of;
  // A folder copied into itself also copies the earlier copies.
  if (found !== null && (start.real === null || place.real === null || isUnder(place.real, start.real))) {
    read.addOpen(start.real);
    written.addOpen(underOf(place, context));
  }
  const isIn = of.isIn || isFolder(place, start, of);
  const inside = pathIn(place.text, start);
  const ends = isIn === null ? [place.text, inside] : [isIn ? inside : place.text];
  return ends.flatMap((end) => {
    const leads = how.isRelative === true ? { leads: ledFrom(end, start.text, context) } : {};
    const led = Object.values(leads).map(text);
    const effects = [...pathEffects('read', led), ...pathEffects('write', led)];
    if (isMadeAnew(found, how, context)) effects.push(...pathEffects('delete', [text(end)]));
    if (found !== null && (found.list.length > 1 || found.open || start.kind === 'folder')) {
      addResult(end, found, of);
      return effects;
    }
    const mayLink = how.links || isLink || (how.copiesLinks && end === '/dev/null');
    return [...effects, ...pathEffects('write', [text(end)], { mayLink, ...leads })];
  });
}

/** Whether a source may be a device, a pipe or a socket: the file in its place is removed first. */
function isMadeAnew(found: Members | null, { copiesLinks }: CopyOptions, { world }: Context): boolean {
  if (!copiesLinks || found === null) return false;
  const { created, open } = world.changes;
  const mayBeAny = found.open || (created.size + open.size > 0 && found.start.kind === null);
  return mayBeAny || found.list.some(({ kind, depth }) => kind === 'other' && depth === 0);
}

/** The path of a source in the target folder. One that ends in `.` or `..` becomes the folder itself. */
function pathIn(folder: string, { text: source }: Start): string {
  const plain = withoutSlash(source);
  const base = plain.slice(plain.lastIndexOf('/') + 1);
  return ['', '.', '..'].includes(base) ? folder : joinPath(folder, base);
}

/** Whether the target is a folder for the sources; null if unknown. */
function isFolder(
  { real, named, kind, text: target }: Start,
  source: Start,
  { reading, many, context, how }: Copying,
): boolean | null {
  if (has(reading, '-T --no-target-directory')) return false;
  // A folder becomes `new/` itself. A file cannot.
  if (
    many ||
    (how.intoFolders === true && source.kind !== 'file' && source.kind !== 'link') ||
    (target.endsWith('/') && source.kind === 'file')
  )
    return true;
  const { created, open, removed } = context.world.changes;
  const paths = real === null ? [named] : [named, real];
  const mayBeGone = [...open, ...removed].some((each) => paths.some((path) => isUnder(path, each)));
  // `ln -n` takes a link to a folder for a file.
  if (kind === 'folder' && !mayBeGone) return how.links && real !== named && has(reading, '-n') ? null : true;
  // A file that is not removed never becomes a folder.
  const mayBeNew = kind !== 'file' && paths.some((path) => created.has(path));
  const isUnsure = real === null || mayBeGone || mayBeNew;
  // A list of unknown length may hold several.
  return isUnsure || reading.operands.some(isMany) ? null : false;
}

/** The files that a copy of a folder creates. A copy follows existing links. */
function addResult(end: string, { start, list, open }: Members, { context, how, written }: Copying): void {
  const place = startAt(end, context, true);
  if (place.real === null || start.real === null) {
    written.addOpen(null);
    return;
  }
  const from = start.real === '/' ? '' : start.real;
  const there = context.world.listing.below(place.real);
  const hasLinks = !how.moves && (there.isOpen || there.entries.some(({ kind }) => kind === 'link'));
  for (const member of list) {
    const path = place.real + member.path.slice(from.length);
    const real = hasLinks ? startAt(path, context, true).real : path;
    if (real === null) written.addOpen(null);
    written.paths.add(path).add(real ?? path);
    written.paths.add(namedPath({ ...member, path }, place));
  }
  if (open) written.addOpen(hasLinks ? null : place.real);
}

/** The folder of unknown written files, if no existing link leads out of it. */
function underOf(place: Start, context: Context): string | null {
  if (place.real === null) return null;
  const { entries, isOpen } = context.world.listing.below(place.real);
  return isOpen || entries.some(({ kind }) => kind === 'link') ? null : place.real;
}
