import { relative } from 'node:path/posix';
import { namedLines } from '../../../columns.js';
import { type Effect, type Files, onFiles, onlyFiles } from '../../../effect.js';
import {
  isMany,
  noOutput,
  type Output,
  perhapsNone,
  text,
  textOf,
  textsIn,
  type Word,
} from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { hasOnly, mayBeNone, orHere, pathEffects, valuesOf } from '../../options.js';
import { areNamed, driversOf, textsOfDrivers } from '../attributes.js';
import { atRevision, shown } from '../content.js';
import { keep, lockIndex, namesOutput, writeIndex } from '../own-files.js';
import { secretsPacked } from '../packed.js';
import { indexProblem, noProblem } from '../problem.js';
import { secretsNamed } from '../ranges.js';
import {
  inScope,
  isGiven,
  onPaths,
  pathspecOf,
  prefixOf,
  type Request,
  type Scope,
  whyOf,
  workTreeOf,
} from '../request.js';
import { comparedFiles } from '../work/compared.js';
import { below } from '../work/discard.js';
import { everyPath, type Pathspec, within } from '../work/pathspec.js';
import { type Untracked, untrackedFiles } from '../work/untracked.js';
import { changedFiles, isRacy, mayRefresh, trackedFiles } from '../work/work-tree.js';
import { namesOfStatus } from './changed-names.js';

export const status = inScope(noProblem, (request, scope) => {
  const isUntracked = valuesOf(request.reading, '-u --untracked-files').every(
    (word) => textOf(word) !== 'no',
  );
  const { files, folders } = isUntracked
    ? untrackedFiles(scope.work, scope.spec, { ignored: isGiven(request, '--ignored --ignored=') })
    : none;
  const listed = { ...files, paths: [scope.work.tree, ...folders] };
  const described = comparing(request, scope, isUntracked ? onFiles('list', listed) : []);
  return typeof described === 'string'
    ? described
    : { effects: described, output: namesOfStatus(request, scope, files) };
});

/** Looks for changed files, and then refreshes the index. `more` holds its other effects. */
export function comparing(
  request: Request,
  { work, spec }: Scope,
  more: readonly Effect[] = [],
): readonly Effect[] | string {
  const why = indexProblem(request, work);
  if (why !== null) return why;
  const isWritten = mayRefresh(work) || isRacy(work);
  const files = changedFiles(work, isWritten ? everyPath : spec);
  const effects = [...onFiles('read', files, { isKept: request.reading.open === null }), ...more];
  // Git always makes the lock.
  return [...effects, ...(isWritten ? writeIndex(request, []) : lockIndex(request))];
}

const none: Untracked = { files: onlyFiles([]), folders: [] };

export const add = onPaths(indexProblem, (request, scope) => {
  const { work } = scope;
  const isUpdate = isGiven(request, '-u --update -p --patch --refresh --renormalize');
  const isAll = isGiven(request, '-A --all --no-ignore-removal');
  if (request.reading.operands.length === 0 && !isUpdate && !isAll && request.reading.open === null)
    return [];
  // `-u` and `-A` apply to the operands, or without any to the whole work tree.
  const spec = (isUpdate || isAll) && mayBeNone(request.reading.operands) ? everyPath : scope.spec;
  // When git writes the index, it reads every file that may have changed.
  const again = isGiven(request, '--renormalize') ? trackedFiles(work, spec) : none.files;
  const fresh = isUpdate ? none : untrackedFiles(work, spec, { ignored: isGiven(request, '-f --force') });
  const driver = driversOf(request, 'filter', fresh.files.paths);
  if (driver !== null) return driver;
  // For a repository within this one, git adds only the commit.
  const isModule = (each: string) => each !== work.tree && work.world.listing.kind(`${each}/.git`) !== null;
  const modules = fresh.folders.filter(isModule);
  const added = fresh.files.open ? null : below(work, { paths: [...fresh.files.paths, ...modules] });
  return [
    ...onFiles('list', { ...fresh.files, paths: fresh.folders }),
    ...comparedFiles(request, work, { shown: spec }),
    ...onFiles('read', joinedFiles(again, fresh.files)),
    ...writeIndex(request, added),
    ...keep(request, 'objects'),
  ];
});

function joinedFiles(one: Files, other: Files): Files {
  const open = one.open || other.open;
  const unders = [one, other].filter((files) => files.open).map(({ under }) => under);
  const under = unders.every((each) => each === unders[0]) ? (unders[0] ?? null) : null;
  return { paths: [...new Set([...one.paths, ...other.paths])], open, under };
}

/** Options that print only names. */
const plainListing =
  '-c --cached -o --others -m --modified -d --deleted -z --exclude-standard --deduplicate --full-name -i --ignored';

/** `git ls-files`. Only names of tracked and untracked files are known. */
export const lsFiles = inScope(noProblem, (request, scope) => {
  const { work } = scope;
  // In a folder, only the files below it are listed.
  const prefix = prefixOf(request, work.tree);
  const spec = within(scope.spec, prefix);
  const isOther = request.reading.open !== null || isGiven(request, '-o --others');
  const isCached = !isOther || isGiven(request, '-c --cached -m --modified -d --deleted');
  const isDirty = isGiven(request, '-m --modified');
  const driver = isDirty ? driversOf(request, 'filter') : null;
  if (driver !== null) return driver;
  const rules = isGiven(request, '--exclude-standard');
  const others = isOther
    ? untrackedFiles(work, spec, { ignored: !rules || isGiven(request, '-i --ignored') })
    : none;
  const isEnded = isGiven(request, '--eol --format');
  const ended = isEnded ? joinedFiles(trackedFiles(work, spec), others.files) : none.files;
  const effects: Effect[] = [
    // Git compares every file that may have changed before it applies the paths.
    ...(isDirty ? comparedFiles(request, work) : []),
    // It looks for the ends of lines in each file that it names. A format may ask for them.
    ...onFiles('read', ended, { isKept: request.reading.open === null }),
    // Git reads a folder whatever paths are requested.
    ...onFiles('list', {
      ...others.files,
      paths: isOther ? untrackedFiles(work, everyPath, { ignored: true }).folders : [],
    }),
  ];
  const isStaged = isGiven(request, '-s --stage -u --unmerged') && hasOnly(request.reading, stages);
  if ((!isStaged && !hasOnly(request.reading, plainListing)) || work.index === null) return { effects };
  const isUnmerged = isGiven(request, '-u --unmerged');
  const entries = work.index.entries.filter(({ stage }) => stage > 0 || !isUnmerged);
  const tracked = isCached ? [...entries.map(({ path }) => path), ...work.added] : [];
  const names = new Set([...tracked.filter((path) => spec.matches(path)), ...below(work, others.files)]);
  const { open } = others.files;
  const output = listedNames(request, [...names], { prefix, isNul: isGiven(request, '-z'), open });
  return { effects, output: isStaged ? behindStages(output) : output };
});

/** The mode, the id and the stage of a file stand before its name. */
function behindStages(output: Output): Output {
  if (output.kind !== 'names') return output;
  if (output.names.texts.length === 0) return noOutput;
  return {
    kind: 'table',
    columns: ['number', 'text', 'number'],
    rest: output.names,
    separator: null,
    isTabbed: true,
  };
}

const stages = '-s --stage -u --unmerged';

/** Names as `git ls-files` and `git grep` print them in a folder of the work tree. */
function listedNames(
  request: Request,
  names: readonly string[],
  how: { readonly prefix: string; readonly isNul: boolean; readonly open: boolean },
): Output {
  const isFull = isGiven(request, '--full-name');
  return namesOutput(isFull ? names : names.map((path) => relative(`/${how.prefix}`, `/${path}`)), how);
}

/** `git grep`: the work tree, the index, or commits. */
export function grep(request: Request): ListerResult {
  const why = isGiven(request, '--textconv') ? driversOf(request, 'diff') : null;
  if (why !== null) return why;
  const asked = isGiven(request, '-e -f') ? request : withoutFirst(request);
  const isIndex = isGiven(request, '--cached');
  if (isGiven(request, '--no-index') || request.repository === null) return filesSearched(asked);
  if (isGiven(request, '--recurse-submodules')) return 'it reads submodules with settings of their own';
  let spec: Pathspec = everyPath;
  let isTree = true;
  const past = shown(asked, (each) => {
    const { revisions, isUnsure } = each.arguments;
    spec = isUnsure ? everyPath : each.arguments.spec;
    isTree = isUnsure || revisions.length === 0;
    if (isIndex) return each.staged().keys();
    if (revisions.length === 0 && !isUnsure) return undefined;
    return isUnsure ? null : secretsNamed(asked, each, revisions);
  });
  const work = workTreeOf(request);
  if (work === null || isIndex || !isTree) return past;
  // In a folder, only the files below it are searched.
  const prefix = prefixOf(request, work.tree);
  const own = within(spec, prefix);
  const tracked = trackedFiles(work, own);
  const more = isGiven(request, '--untracked')
    ? untrackedFiles(work, own, { ignored: isGiven(request, '--no-exclude-standard') })
    : none;
  const all = joinedFiles(tracked, more.files);
  const effects = [
    ...past,
    ...onFiles('list', onlyFiles(more.folders)),
    ...onFiles('read', all, { leavesBinary: !isGiven(request, '-a --text') }),
  ];
  const isListing = isGiven(request, '-l --files-with-matches --name-only');
  const isOwn =
    request.settings.mayColor('color.ui color.grep') || request.settings.get('grep.fullname') !== null;
  if (past.length > 0 || isOwn || !(isListing || hasOnly(request.reading, inLines))) return { effects };
  const how = { prefix, isNul: isGiven(request, '-z --null'), open: all.open };
  const output = listedNames(request, below(work, all), how);
  if (isListing || output.kind !== 'names') return { effects, output };
  const { texts } = output.names;
  const isText = isGiven(request, '-I');
  const isNumbered = isGiven(request, '-n --line-number');
  const number = isText ? 'number' : 'perhaps-number';
  const binaries = isText ? [] : texts.map((name) => `Binary file ${name} matches`);
  const names = { ...output.names, texts: [...texts, ...binaries] };
  return { effects, output: namedLines(names, isNumbered ? number : undefined) };
}

/** Options with which each line begins with the name of its file. */
const inLines = `-n --line-number -i --ignore-case -w --word-regexp -v --invert-match -E --extended-regexp -F --fixed-strings
  -G --basic-regexp -P --perl-regexp -e -f -I --no-color --full-name --untracked -c --count --and --or --not -m --max-count
  -o --only-matching -H --exclude-standard`;

function withoutFirst(request: Request): Request {
  const { reading } = request;
  const [pattern] = reading.operands;
  if (pattern === undefined) return request;
  if (isMany(pattern)) {
    const sequence = reading.sequence.map((item) =>
      item.kind === 'operand' ? { ...item, word: perhapsNone(item.word) } : item,
    );
    return { ...request, reading: { ...reading, sequence, operands: reading.operands.map(perhapsNone) } };
  }
  const at = reading.sequence.findIndex((item) => item.kind === 'operand');
  const sequence = reading.sequence.filter((_, index) => index !== at);
  return { ...request, reading: { ...reading, sequence, operands: reading.operands.slice(1) } };
}

function filesSearched(request: Request): ListerResult {
  const {
    repository,
    reading: { operands },
  } = request;
  if (repository === null && !isGiven(request, '--no-index')) return [];
  // A path is a pattern here too, which may begin at the top of the repository.
  const isPattern = /^:|[*?[\\]/m.test(operands.flatMap(textsIn).join('\n'));
  const top = isPattern ? [text(repository?.tree ?? '.')] : [];
  return pathEffects('read', [...orHere(operands), ...top], { deep: true });
}

export function archive(request: Request): ListerResult {
  if (isGiven(request, '-l --list')) return [];
  if (isGiven(request, '--remote')) return 'it asks another repository';
  // The name of the output chooses a format, too.
  const format = whyOf(request, ['archive']);
  if (format !== null) return format;
  const filter = whyOf(request, ['filter']);
  if (filter !== null && mayBeArchivedWith(request, textsOfDrivers(request, 'filter'))) return filter;
  return mayCheckSignatures(request) ? 'its formats run a program for signatures' : archived(request);
}

/** With the attribute `export-subst`, a file holds formats about the commit, which may be signed. */
function mayCheckSignatures(request: Request): boolean {
  const named = textOf(request.reading.operands[0]);
  // A tree has no commit.
  if (named?.includes(':') === true) return false;
  const maySign = atRevision(request, named, ({ history: { objects } }, id) => {
    const commit = objects.peel(id);
    return commit.kind === 'commit' && objects.find(commit.id)?.bytes.includes('\ngpgsig') === true;
  });
  return maySign !== false && mayBeArchivedWith(request, [exported]);
}

/** Whether attributes of the work tree, or those in what is archived, may have one of these texts. */
function mayBeArchivedWith(request: Request, texts: readonly string[]): boolean {
  const areInside = atRevision(request, textOf(request.reading.operands[0]), ({ history }, id) => {
    const mayHave = (text: string, file: string) =>
      history.objects.find(file)?.bytes.includes(text) !== false;
    return [...history.filesIn(id)].some(
      ([path, file]) => /(?:^|\/)\.gitattributes$/.test(path) && texts.some((text) => mayHave(text, file.id)),
    );
  });
  return areInside !== false || areNamed(request, texts);
}

const exported = 'export-subst';

function archived(request: Request): readonly Effect[] {
  const [revision, ...paths] = request.reading.operands;
  const named = textOf(revision);
  const spec = request.reading.open === null ? pathspecOf(request, paths) : everyPath;
  if (spec === null) return [];
  const operand = (word: Word) => ({ kind: 'operand', word }) as const;
  const dashes = { kind: 'ignored', text: '--' } as const;
  const sequence = [operand(revision ?? text('HEAD')), dashes, ...paths.map(operand)];
  const asked = { ...request, reading: { ...request.reading, sequence } };
  return shown(asked, (past) => secretsPacked(request, past, named));
}
