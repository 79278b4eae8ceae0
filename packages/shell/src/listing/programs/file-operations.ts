import type { Lister } from '../../programs/reading.js';
import { isMany, text, textOf, textsIn } from '../../word.js';
import { mayHaveChanged } from '../../world.js';
import { Collected } from '../collected.js';
import { differInKind, membersOf } from '../members.js';
import { has, hasOnly, pathEffects } from '../options.js';
import { startAt, startsOf } from '../start.js';
import { type CopyOptions, copy, plain } from './copy.js';

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
  return { ...described, effects: [...described.effects, ...pathEffects('delete', there.map(text))] };
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
  const how: CopyOptions = { ...plain, copiesLinks: true, links: true, isRelative };
  const named = copy(reading, context, how);
  const single = reading.operands.filter((word) => !isMany(word)).length;
  // One word alone is linked here. Words of a listing may be none.
  const mayBeOne = single < 2 && reading.operands.length > 0 && !has(reading, '-t --target-directory');
  if (!mayBeOne || typeof named === 'string') return named;
  const here = copy({ ...reading, operands: [...reading.operands, text('.')] }, context, how);
  return typeof here === 'string' ? here : { ...named, effects: [...named.effects, ...here.effects] };
};

/** rm(1). It follows no link. */
export const rm: Lister = (reading, context) => {
  const { operands, open } = reading;
  // Answers to its questions come from the input.
  const leavesInput = !has(reading, '-i -I --interactive');
  const isDeep = has(reading, '-r -R --recursive') || open !== null;
  if (!isDeep) return { effects: pathEffects('delete', operands), leavesInput };
  const files = new Collected();
  const starts = startsOf(operands, context, false);
  if (starts.open || open !== null) files.addOpen(null);
  for (const start of starts.list) files.addAll(membersOf(start, context));
  return { effects: files.effects('delete'), leavesInput };
};
