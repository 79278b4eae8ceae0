import { posix } from 'node:path';
import { archiveName, tarMembers, zipMembers } from '@ambit/toolsets';
import type { Effect } from '../../effect.js';
import { code } from '../../programs/languages.js';
import { type Item, type Lister, optionsNamed, type Reading } from '../../programs/reading.js';
import { isOpen, namesWord, type Output, onlyNames, text, textOf, textsIn, type Word } from '../../word.js';
import { type Context, mayHaveChanged } from '../../world.js';
import { archiveMembers, mayBeThin } from '../archive-members.js';
import { Walked } from '../collected.js';
import { type Member, membersOf } from '../members.js';
import { has, hasOnly, mayBeNone, pathEffects, valuesOf } from '../options.js';
import { fnmatch, patternMatcher } from '../pattern.js';
import { startAt, startsOf } from '../start.js';

const packing = '-c -r -u -A -d --create --append --update --catenate --concatenate --diff --compare';

/** What tar(1) packs. */
export function tar(reading: Reading, context: Context): readonly Effect[] {
  const lists = valuesOf(reading, '-T --files-from').map((from) =>
    textOf(from) === '-' && !has(reading, '-C') ? namesOnInput(context.input, has(reading, '--null')) : null,
  );
  // A list may hold options as well.
  const unknown: readonly Effect[] = lists.includes(null)
    ? [{ kind: 'opaque', why: 'a file says which files it packs or unpacks' }]
    : [];
  if (reading.open === null && !has(reading, packing)) return unknown;
  const into = new Walked();
  if (reading.open !== null) into.addUnknown();
  const listed = lists.flatMap((word) =>
    word === null ? [] : [{ word, folder: context.folder, before: 0 }],
  );
  for (const { word, folder, before } of [...filesPacked(reading, context), ...listed]) {
    const options = reading.sequence
      .slice(0, before)
      .flatMap((item) => (item.kind === 'option' ? [item.option] : []));
    const isExcluded = exclusion(reading, options);
    const isFlat = optionsNamed({ options }, '--no-recursion').length > 0;
    const depth = isFlat && !has(reading, '--recursion') ? 0 : Number.POSITIVE_INFINITY;
    if (folder === null) {
      into.addUnknown();
      continue;
    }
    const { list, open } = startsOf([word], { ...context, folder }, false);
    if (open) into.addUnknown();
    for (const start of list) {
      const found = membersOf(start, { ...context, folder }, { depth, skip: isExcluded });
      const kept = found.list.filter((member) => member.kind === null || !isExcluded(member));
      into.add({ ...found, list: kept }, { reads: ({ kind }) => kind !== 'folder' });
      if (start.real === null) into.files.addOpen(null);
    }
  }
  const read = [...into.effects({ isPacked: true }), ...unknown];
  if (!has(reading, '--remove-files')) return read;
  return [...read, ...into.files.effects('delete'), ...into.folders.effects('delete')];
}

/** cpio(1): the files that it packs, by their names in its input. It enters no folder. */
export const cpio: Lister = (reading, context) => {
  if (reading.open === null && !has(reading, '-o -p')) return null;
  const word = namesOnInput(context.input, has(reading, '-0'));
  // The table describes what else it touches.
  const isPlain = word !== null && has(reading, '-o') && hasOnly(reading, cpioPacking);
  if (!isPlain || reading.operands.length > 0)
    return [{ kind: 'opaque', why: 'its input says which files it packs' }];
  return pathEffects('read', [word]);
};

/** Options of `cpio -o` that name no file. */
const cpioPacking = '-o -v -V -0 -L -B -c -C -H --quiet --create --format';

/** The names on the standard input, one on a line or each with a NUL; null if unknown, or if one may be an option. */
function namesOnInput(input: Output, isNul: boolean): Word | null {
  if (input.kind !== 'names' || input.names.open || input.separator !== (isNul ? '\0' : '\n')) return null;
  return input.names.texts.some((name) => /^-|[\\\n]/.test(name)) ? null : namesWord(input.names, 'many');
}

/**
 * Each operand with the folder of the options before it, null if unknown. `before`: how many options and operands stand
 * before it, since tar leaves out only what follows `--exclude`.
 */
function filesPacked(reading: Reading, context: Context) {
  let folder: Context['folder'] | null = context.folder;
  return reading.sequence.flatMap((item, before) => {
    if (item.kind === 'operand') return [{ word: item.word, folder, before }];
    if (isOption(item, '-C')) {
      const named = textOf(item.option.values[0]);
      folder = named === null || folder === null ? null : startAt(named, { ...context, folder }, true);
    }
    return [];
  });
}

function isOption(item: Item, name: string): item is Extract<Item, { kind: 'option' }> {
  return item.kind === 'option' && item.option.entry.names.includes(name);
}

/** Whether a file is certainly excluded: a pattern without a slash is compared with each name. */
function exclusion(reading: Reading, options: Reading['options']): (member: Member) => boolean {
  if (has(reading, '--anchored --no-wildcards --wildcards-match-slash --no-wildcards-match-slash'))
    return () => false;
  const patterns = valuesOf({ options }, '--exclude').flatMap((word) => {
    const pattern = textOf(word);
    return pattern === null || pattern.includes('/') ? [] : [patternMatcher(pattern, fnmatch)];
  });
  return ({ path, depth }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return depth > 0 && patterns.some((matches) => matches(name) === true);
  };
}

const plainTar = `-x --extract --get -z --gzip --gunzip --ungzip -f --file -v --verbose -C --directory -k --keep-old-files -m --touch
  -o --no-same-owner`;

/** tar(1): what it packs, or unpacks. */
export const tarArchive: Lister = (reading, context) => [
  ...tar(reading, context),
  ...unpacked(reading, context),
];

/** The members of the archive if they are known. */
function unpacked(reading: Reading, context: Context): readonly Effect[] {
  if (!has(reading, '-x --extract --get') || has(reading, '--to-command')) return [];
  const isPrinted = has(reading, '-O --to-stdout');
  const [file, ...others] = valuesOf(reading, '-f --file').map(textOf);
  const isPlain =
    (isPrinted || hasOnly(reading, plainTar)) &&
    others.length === 0 &&
    valuesOf(reading, '-C --directory').length < 2;
  const isLocal = file != null && /^[^:]+$/.test(file) && file !== '-';
  const isRenamed = has(reading, '--transform --xform');
  const names = (isPlain || isRenamed) && isLocal ? archiveMembers(file, context, tarMembers) : null;
  if (isPrinted) return readMembers(reading, file, names, reading.operands);
  // Under another name, a secret looks like any file.
  const renamed = isRenamed ? readMembers(reading, file, names, reading.operands) : [];
  const { folder, sequence } = reading;
  const last = sequence.findLastIndex((item) => isOption(item, '-C'));
  if (sequence.some((item, at) => at < last && (item.kind === 'operand' || isOption(item, '-T'))))
    return [{ kind: 'opaque', why: 'it unpacks what is named before `-C` in another folder' }];
  const effects =
    names === null || isRenamed
      ? pathEffects('write', [text('.')], { deep: true, mayLink: true })
      : pathEffects('write', [namesWord(onlyNames([...names, '.']), 'many')]);
  return [...renamed, ...(folder === null ? effects : effects.map((effect) => ({ ...effect, folder })))];
}

/** Reads the members that are printed, by their paths below the archive. A pattern may stand for any. */
function readMembers(
  reading: Reading,
  archive: string | null | undefined,
  members: readonly string[] | null,
  wanted: readonly Word[],
): readonly Effect[] {
  if (members === null) return [{ kind: 'opaque', why: 'which members of the archive it prints is unknown' }];
  const names = wanted.map((word) => posix.normalize(textOf(word) ?? '*').replace(/\/$/, ''));
  const isLoose = has(reading, '--ignore-case --no-anchored -C');
  const isAny = isLoose || names.length === 0 || names.some((name) => /[*?[\\]/.test(name));
  const read = members.filter((each) => isAny || names.some((name) => `${each}/`.startsWith(`${name}/`)));
  if (read.some((each) => archiveName.test(each)))
    return [{ kind: 'opaque', why: 'what the archive in the archive holds is unknown' }];
  return pathEffects(
    'read',
    read.length === 0 ? [] : [namesWord(onlyNames(read.map((each) => `${archive}/${each}`)), 'many')],
  );
}

const tarEnd = /\.(?:tar(?:\.\w+)?|t(?:gz|az|bz2?|b2|z2|xz|lz|zst|z))$/i;

/** A program that prints what is in compressed files, where one is an archive of `tar`; otherwise null. */
export const uncompressed: Lister = (reading, context) => {
  if (has(reading, '-r --recursive')) return 'which archives it prints is unknown';
  const names = reading.operands.flatMap(textsIn).flatMap((name) => [name, `${name}.gz`]);
  const archives = names
    .map((archive) => ({ archive, members: archiveMembers(archive, context, tarMembers) }))
    .filter(({ archive, members }) => members !== null || tarEnd.test(archive));
  if (archives.length === 0) return null;
  const words = [...reading.operands, ...archives.map(({ archive }) => text(archive))];
  const read = pathEffects('read', words, { hasDash: true });
  return [...read, ...archives.flatMap(({ archive, members }) => readMembers(reading, archive, members, []))];
};

/** zgrep(1): the same, behind its pattern. */
export const zgrep: Lister = (reading, context) => {
  const isGiven = has(reading, '-e --regexp -f --file');
  return uncompressed({ ...reading, operands: reading.operands.slice(isGiven ? 0 : 1) }, context);
};

/** What `uncompressed` states, for a program that compresses without one of these options. */
export const uncompressedIf: Lister = (reading, context) =>
  has(reading, '-d --decompress --uncompress') ? uncompressed(reading, context) : null;

/** unzip(1): the same. It asks before it replaces a file, and a new name may be the answer. */
export const unzip: Lister = (reading, context) => {
  const [archive] = reading.operands;
  if (archive === undefined) return null;
  const any = code('zip-archive', archive, { folder: null, by: 'program' });
  if (typeof any === 'string') return any;
  const file = textOf(archive);
  const members = file === null ? null : archiveMembers(file, context, zipMembers);
  const read = members === null ? any : pathEffects('read', [archive]);
  if (reading.open === null && has(reading, '-p -c'))
    return [...read, ...readMembers(reading, file, members, reading.operands.slice(1))];
  if (reading.open === null && has(reading, '-l -v -t -z')) return read;
  const given = valuesOf(reading, '-d');
  const [target = text('.'), ...others] = given;
  const folder = textOf(target);
  const isPlain =
    hasOnly(reading, '-o -n -q -d -u') && others.length === 0 && folder !== null && folder !== '';
  const names = isPlain ? members : null;
  const paths = names?.map((name) => `${folder}/${name}`) ?? [];
  const isAsked = !has(reading, '-o -n') && paths.some((path) => mayBeThere(path, context));
  if (folder === '') return 'an empty name may stand for the folder where it starts';
  const written =
    names === null || isAsked
      ? pathEffects('write', [target, ...others], { deep: true, mayLink: true })
      : pathEffects('write', [namesWord(onlyNames([...paths, folder ?? '.']), 'many')]);
  const by = given.length === 0 ? 'program' : 'argument';
  return [...read, ...written.map((effect) => ({ ...effect, by }) as const)];
};

function mayBeThere(path: string, context: Context): boolean {
  const { named, real, kind } = startAt(path, context, true);
  return real === null || kind === 'file' || kind === 'other' || mayHaveChanged(named, context.world.changes);
}

/** ar(1), nm(1) and others: they read the members of an archive wherever it says that they are. */
export const objects: Lister = ({ operands, open }, context) => {
  const files = mayBeNone(operands) ? [...operands, text('a.out')] : operands;
  const mayLead = open !== null || files.some(isOpen);
  return mayLead || files.flatMap(textsIn).some((name) => mayBeThin(name, context))
    ? 'an archive may say that its members are other files'
    : null;
};
