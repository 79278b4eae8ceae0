import { isUnder } from '@ambit/toolsets';
import { type Effect, onFiles, onlyFiles } from '../../effect.js';
import { joinPath } from '../../files/listing.js';
import { together } from '../../programs/effects.js';
import type { Lister, Reading } from '../../programs/reading.js';
import { isMany, isOpen, text, textOf, textsIn, type Word } from '../../word.js';
import { type Context, type Described, mayHaveChanged } from '../../world.js';
import { Collected } from '../collected.js';
import { differInKind, type Members, membersOf, namedPath } from '../members.js';
import { has, hasOnly, pathEffects, valuesOf } from '../options.js';
import { hasNoLink, ledFrom, numberedNames, type Start, startAt, startsOf, withoutSlash } from '../start.js';

/** cp(1): the files that it reads, and the files that it writes. */
export const cp: Lister = (reading, context) => {
  const isDeep = has(reading, '-r -R -a --recursive --archive');
  const copiesLinks = has(reading, '-a -d -P --archive --no-dereference -s --symbolic-link -l --link');
  const links = has(reading, '-s --symbolic-link -l --link');
  if (has(reading, '--parents')) return 'which folders `--parents` makes is not followed';
  const followsNamed = !copiesLinks && (!isDeep || has(reading, '-H -L --dereference'));
  return copy(reading, context, {
    ...plain,
    isDeep,
    followsNamed,
    links,
    copiesLinks: copiesLinks || isDeep,
  });
};

/** install(1): the same, and what is there is removed first; null where the table says what it does. */
export const install: Lister = (reading, context) => {
  const usual = '-m --mode -v --verbose -p --preserve-timestamps -c';
  // It makes folders, and no links.
  if (has(reading, '-d --directory') && hasOnly(reading, `${usual} -d --directory`))
    return pathEffects('write', reading.operands);
  if (!hasOnly(reading, usual) || reading.operands.length < 2) return null;
  const described = copy(reading, context, { ...plain, followsNamed: true });
  if (typeof described === 'string') return described;
  const written = described.effects.flatMap((effect): readonly string[] => {
    if (effect.kind === 'files') return effect.access === 'write' ? effect.files.paths : [];
    const isWritten = effect.kind === 'path' && effect.access === 'write';
    return isWritten ? textsIn(effect.word).map((name) => startAt(name, context, false).named) : [];
  });
  const { listing, changes } = context.world;
  const isFolder = (path: string) => ['folder', null].includes(listing.kind(path));
  const there = written.filter((path) => !isFolder(path) || mayHaveChanged(path, changes));
  return { ...described, effects: [...described.effects, ...onFiles('delete', onlyFiles(there))] };
};

/** mv(1): the files that it removes, and those that it creates. */
export const mv: Lister = (reading, context) =>
  copy(reading, context, { ...plain, isDeep: true, copiesLinks: true, moves: true });

/** Options of rsync(1) that change neither what it copies nor where, or leave files out. */
const leaving =
  '-a --archive -r --recursive -v --verbose -q -z --compress -h -u -t -p -l --progress --stats --exclude';

/** rsync(1) between folders: the files that it copies; null where the table says what it does. */
export const rsync: Lister = (reading, context) => {
  const texts = reading.operands.map((word) => textOf(word) ?? ':');
  const isDeep = has(reading, '-a --archive -r --recursive');
  if (!hasOnly(reading, leaving) || texts.length < 2 || !isDeep || texts.some((each) => each.includes(':')))
    return null;
  const ends = startsOf(reading.operands, context, true).list.map(({ real }) => real ?? '/');
  const found = ends.map((real) => context.world.listing.below(real));
  // It replaces links, copies them as links or not at all, and makes devices anew.
  const isPlain = (kind: string, at: number) =>
    kind === 'file' || kind === 'folder' || (kind === 'link' && at < found.length - 1);
  if (found.some(({ isOpen, entries }, at) => isOpen || !entries.every(({ kind }) => isPlain(kind, at))))
    return null;
  // It removes a file in the way of a folder, and an empty folder in the way of a file.
  if (differInKind(ends, found)) return null;
  // A slash at the end means the content of the folder.
  const operands = texts.map((each, at) =>
    text(at < texts.length - 1 && each.endsWith('/') ? `${each}.` : each),
  );
  return copy({ ...reading, operands }, context, { ...plain, isDeep, copiesLinks: true, intoFolders: true });
};

/** ln(1). The text of a symbolic link is relative to the folder of the link. */
export const ln: Lister = (reading, context) => {
  if (reading.open !== null) return 'an unknown word may be an option, or empty, so the target is unknown';
  const isRelative = has(reading, '-s --symbolic') && !has(reading, '-r --relative');
  const how: How = { ...plain, copiesLinks: true, links: true, isRelative };
  const named = copy(reading, context, how);
  const single = reading.operands.filter((word) => !isMany(word)).length;
  // One word alone is linked here. Words of a listing may be none.
  const mayBeOne = single < 2 && reading.operands.length > 0 && !has(reading, '-t --target-directory');
  if (!mayBeOne || typeof named === 'string') return named;
  const here = copy({ ...reading, operands: [...reading.operands, text('.')] }, context, how);
  return typeof here === 'string' ? here : { ...named, effects: [...named.effects, ...here.effects] };
};

interface How {
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

const plain: How = { isDeep: false, followsNamed: false, copiesLinks: false, links: false, moves: false };

/** The most names of a target that are followed one by one. */
const mostTargets = 100;

function copy(reading: Reading, context: Context, how: How): Described | string {
  const effects = effectsOfCopy(reading, context, how);
  return typeof effects === 'string' ? effects : described(reading, effects);
}

function effectsOfCopy(reading: Reading, context: Context, how: How): readonly Effect[] | string {
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
function effectsOnNamed(sources: readonly Word[], target: Word, how: How): readonly Effect[] {
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
  readonly how: How;
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
function isMadeAnew(found: Members | null, { copiesLinks }: How, { world }: Context): boolean {
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
