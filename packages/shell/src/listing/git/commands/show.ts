import { posix } from 'node:path';
import { type Effect, onFiles } from '../../../effect.js';
import { joinPath } from '../../../files/listing.js';
import { likesOf } from '../../../number.js';
import { off } from '../../../programs/language/git.js';
import { capability } from '../../../programs/language/make-effect.js';
import { isMany, isOpen, textOf, type UnknownWord, type Word } from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { hasOnly, pathEffects } from '../../options.js';
import { readArguments } from '../arguments.js';
import { driversOf } from '../attributes.js';
import { ofNamed, type Past, type Shows, shown } from '../content.js';
import { secretsIn, secretsMade } from '../made.js';
import { keep } from '../own-files.js';
import { packsSecret } from '../packed.js';
import { between, changesOf, commitsOf } from '../ranges.js';
import { isCommitId, isGiven, isHead, type Request, whyOf, workTreeOf } from '../request.js';
import { UnknownObject } from '../store/objects.js';
import { isSecret } from '../store/secret-names.js';
import { trackedFiles } from '../work/work-tree.js';
import { namesOfLog, namesOfShow, namesOfTrees } from './changed-names.js';
import {
  commitsOfLog,
  isWalking,
  isWide,
  linesOfLog,
  mostShown,
  printsIds,
  secretsFollowed,
} from './log-commits.js';
import { pickOf } from './log-filters.js';
import { diffProblem, isBrief, patchOptions } from './patches.js';
import { idsOf, mayBeAlone } from './printed-revision.js';

/** Options with which `git log` compares no files. */
const silentLog = `-n --max-count -# --oneline --format --pretty --color --no-color --decorate --no-decorate --date --abbrev-commit
  --name-only --name-status --author --committer --grep --since --until --after --before --all --graph --merges
  --no-merges --first-parent --reverse --no-ext-diff --no-textconv --no-notes --no-renames --branches --tags
  --remotes --skip -i --no-patch -s`;

/** `git log`: content only with patch options. */
export function log(request: Request): ListerResult {
  const shows = ofNamed(request, (past) => ofLog(request, past));
  const effects = logOf(request, shows);
  if (typeof effects === 'string') return effects;
  if (printsIds(request, 1)) return { effects, output: idsOf(request) };
  const lines = linesOfLog(request);
  return { effects, output: lines.kind === 'unknown' ? namesOfLog(request) : lines };
}

/** `git stash list`, `git reflog show`: commits that only the log of a reference names. */
export function logOfReference(request: Request): ListerResult {
  const effects = logOf(request, () => null);
  return typeof effects === 'string' ? effects : { effects, output: linesOfLog(request) };
}

/** `git reflog`: each line begins with an id. */
export function reflog(request: Request): ListerResult {
  return whyOf(request, ['signature']) ?? { effects: [], output: linesOfLog(request, true) };
}

function logOf(request: Request, shows: Shows): readonly Effect[] | string {
  const { open } = request.reading;
  const why = diffProblem(request, hasOnly(request.reading, silentLog));
  return why ?? (open === null && !isGiven(request, patchOptions) ? [] : shown(request, shows, true));
}

function ofLog(request: Request, past: Past): Iterable<string> | null {
  if (isGiven(request, '-L --follow')) return secretsFollowed(request, past);
  const commits = commitsOfLog(request, past);
  if (commits !== null) return changesOf(past, commits, pickOf(request, past));
  const isNewest = mostShown(request) === 1 && !isWide(request) && past.arguments.paths.length === 0;
  return isNewest ? ofMade(request, past) : null;
}

/** The files of the commit that the line made, where only the newest one is named. */
function ofMade(request: Request, past: Past): ReadonlySet<string> | null {
  const { revisions, isUnsure } = past.arguments;
  const isNewest = !isUnsure && revisions.every((text) => /^(?:HEAD|@)$/.test(text));
  return isNewest ? secretsMade(request, past, 'HEAD') : null;
}

/** `git show`: commits with their changes, `REVISION:path` a file. */
export function show(request: Request, isNamed = true): ListerResult {
  const why = diffProblem(request);
  if (why !== null) return why;
  const { operands, open } = request.reading;
  // The kind may stand before it: `git cat-file blob HEAD:a.txt`.
  const hasKind = !isNamed && textOf(operands[0]) === 'blob';
  const files = operands.slice(hasKind ? 1 : 0).map((word) => {
    const file = fileOf(request, word);
    return hasKind && file !== null && mayBeAlone(request, file.revision) ? null : file;
  });
  const isWalk = isWalking(request);
  if (open === null && !isWalk && files.length > 0 && files.every((file) => file !== null))
    return files.flatMap((file) => (file === null ? [] : namedFile(request, file)));
  // With `--all`, it may go through tags of files, and shows these even with `-s`.
  const isSilent =
    open === null && isBrief(request) && !isWide(request) && files.every((file) => file === null);
  const areCommits = isSilent && operands.every((word) => isCommitId(word) || isHead(textOf(word) ?? ''));
  const shows: Shows = areCommits
    ? () => []
    : (past) =>
        isWalk && !isSilent
          ? ofWalk(request, past)
          : ((isSilent ? null : ofMade(request, past)) ?? ofShow(past, isSilent));
  const effects = shown(request, isNamed ? ofNamed(request, shows) : shows, isWide(request) ? false : null);
  return { effects, output: namesOfShow(request) };
}

function ofWalk(request: Request, past: Past): Iterable<string> | null {
  if (isWide(request)) return null;
  return [ofShow(past, false), ofLog(request, past)].flatMap((each) => [...(each ?? past.everything())]);
}

function ofShow(past: Past, isSilent: boolean): Iterable<string> | null {
  const { revisions, isUnsure } = past.arguments;
  const isRange = !isUnsure && revisions.some((text) => /\.\.|^\^/.test(text));
  const walked = isRange ? commitsOf(past, revisions) : null;
  if (walked !== null) return isSilent ? [] : changesOf(past, walked);
  const ids = (revisions.length === 0 ? ['HEAD'] : revisions).map((text) =>
    /\.\.|\^[!@-]|^\^/.test(text) ? null : past.resolve(text),
  );
  if (isUnsure || ids.includes(null)) return null;
  const known = ids.filter((id) => id !== null);
  const ofKind = (kind: string) => known.filter((id) => past.history.objects.peel(id).kind === kind);
  // A content id may belong to any file, also to one that was never committed.
  if (!past.history.arePlain(past.references, new Set(ofKind('blob')))) throw new UnknownObject('a file');
  // Of a folder, it prints names.
  return changesOf(past, isSilent ? [] : ofKind('commit'));
}

/** Options with which `git diff-tree` compares no content. */
const silentTrees =
  '--name-only --name-status --raw -r -t -z --root --no-commit-id --diff-filter --no-renames';

/** `git diff-tree`: a commit with its changes, or two trees compared. */
export function diffTree(request: Request): ListerResult {
  const why = diffProblem(request) ?? driversOf(request, 'filter');
  if (why !== null) return why;
  const isBare = request.reading.open === null && !isGiven(request, patchOptions);
  const effects = isBare ? [] : shown(request, ofTrees);
  const work = workTreeOf(request);
  const isSilent = hasOnly(request.reading, silentTrees);
  // Where a file is as in the index, git reads the file in place of the object.
  const files = isSilent || work === null ? [] : onFiles('read', trackedFiles(work));
  return { effects: [...effects, ...files], output: namesOfTrees(request) };
}

function ofTrees(past: Past): Iterable<string> | null {
  const { revisions, isUnsure } = past.arguments;
  const [first = 'HEAD', second, third] = revisions;
  if (isUnsure || third !== undefined) return null;
  if (second !== undefined) return between(past, `${first}..${second}`);
  const id = first.includes('..') ? null : past.resolve(first);
  return id === null ? null : past.history.inChange(id);
}

/** `git cat-file`: an object, its kind or its size. */
export function catFile(request: Request): ListerResult {
  const { open, operands } = request.reading;
  // Of these kinds, an object has names and messages alone.
  const isMeta = operands.length === 2 && /^(?:commit|tree|tag)$/.test(textOf(operands[0]) ?? '');
  const isBare =
    isGiven(request, '-t -s -e --batch-check --batch-check=') || (isMeta && !isGiven(request, '-p'));
  return isBare && open === null ? [] : show(request, false);
}

export function stashShow(request: Request): ListerResult {
  const why = diffProblem(request);
  const isPatch = isGiven(request, patchOptions) || !off.test(request.settings.get('stash.showpatch') ?? '');
  return (
    why ?? (request.reading.open === null && !isPatch ? [] : shown(request, (past) => ofStash(request, past)))
  );
}

function ofStash(request: Request, past: Past): Iterable<string> | null {
  const { revisions, isUnsure } = past.arguments;
  const isNewest = !isUnsure && ['', 'stash', 'stash@{0}'].includes(revisions.join(' '));
  if (isNewest && past.lacks('refs/stash')) return [];
  const id = isNewest ? past.resolve('refs/stash') : null;
  if (id !== null) return secretsIn(past, id);
  return isNewest ? secretsMade(request, past, 'refs/stash') : null;
}

/** `git range-diff`: the patches of two ranges. Without these, it still tells which ones are similar. */
export function rangeDiff(request: Request): ListerResult {
  return diffProblem(request) ?? shown(request, ofRanges);
}

function ofRanges(past: Past): Iterable<string> | null {
  const { revisions, isUnsure } = past.arguments;
  const [first = '', second, third] = revisions;
  const isPair = second === undefined ? first.includes('...') : first.includes('..') && second.includes('..');
  const isKnown = !isUnsure && revisions.length < 4 && (third !== undefined || isPair);
  // `A...B` alone is both sides of it.
  const ranges = third === undefined ? revisions : [`${first}..${second}`, `${first}..${third}`];
  const commits = ranges.map((each) => (isKnown ? commitsOf(past, [each]) : null));
  if (!commits.every((each) => each !== null)) return null;
  return commits.flatMap((each) => [...changesOf(past, each)]);
}

/** `git merge-tree`: with a base, it shows how both sides differ from it, and otherwise it names the files of a merge. */
export function mergeTree(request: Request): ListerResult {
  const { open, operands } = request.reading;
  const why = whyOf(request, ['merge']);
  if (why !== null) return why;
  // It fails: `"$(git merge-base A B)"` found nothing.
  if (open === null && operands.some((word) => textOf(word) === '')) return [];
  const isNaming = open === null && operands.length === 2 && !operands.some(isMany);
  return isNaming ? [...shown(request, () => []), ...keep(request, 'objects')] : shown(request, ofSides);
}

function ofSides(past: Past): Iterable<string> | null {
  const { revisions, isUnsure } = past.arguments;
  const [base, ...sides] = revisions;
  const found = sides.map((side) => between(past, `${base}..${side}`));
  const isKnown = !isUnsure && found.length === 2 && found.every((each) => each !== null);
  return isKnown ? found.flatMap((each) => [...(each ?? [])]) : null;
}

interface NamedFile {
  readonly revision: string;
  /** Below the work tree. */
  readonly path: string;
}

/** With a counted revision, `HEAD~$n:path`, or the id of a commit, which may be empty, it is one file. */
function fileOf(request: Request, word: Word): NamedFile | null {
  const likes = word.kind !== 'unknown' || word.count === 'many' ? undefined : examplesOf(word);
  if (likes === undefined) return fileIn(request, textOf(word));
  const [first = null, ...others] = likes.map((each) => fileIn(request, each));
  return others.every((each) => each?.path === first?.path) ? first && { ...first, revision: '' } : null;
}

function examplesOf(word: UnknownWord): readonly string[] | undefined {
  const { afterId } = word;
  return afterId === undefined ? likesOf(word) : [`0${afterId}`, afterId];
}

/** `REVISION:path`, `:path` and `:0:path` for the index; null for anything else. */
function fileIn({ repository, folder }: Request, text: string | null): NamedFile | null {
  const [, revision = '', named = ''] =
    /^(:[0-3](?=:)|[^:@{}]*(?:@\{[-\w]+\}[~^\d]*)?|@):([^/!^(][\s\S]*)$/.exec(text ?? '') ?? [];
  // `A:..B` is a range if git knows `B`.
  if (named === '' || repository === null || /\.\.(?!\/)/.test(named)) return null;
  const tree = repository.tree ?? '';
  const prefix = folder.startsWith(`${tree}/`) ? folder.slice(tree.length + 1) : '';
  const path = /^\.\.?(?:\/|$)/.test(named) ? posix.join(prefix, named) : posix.normalize(named);
  return path.startsWith('../') ? null : { revision, path: path.replace(/\/$/, '') };
}

function namedFile(request: Request, { revision, path }: NamedFile): readonly Effect[] {
  const { repository, world } = request;
  const full = joinPath(repository?.tree ?? repository?.own ?? '/', path);
  const fact = revision === '' || revision.startsWith(':') ? {} : { revision };
  const effects = [capability('vcs.read', { path: full, ...fact })];
  const isPacked = isSecret(full, world.roots.homes) || packsSecret(request, { revision, path }, full);
  if (isPacked === true) effects.push(capability('secret.read', { path: full }));
  else if (isPacked === null) effects.push({ kind: 'opaque', why: 'what the archive holds is unknown' });
  if (mayBeAlone(request, revision))
    effects.push({ kind: 'opaque', why: `\`${revision}\` may be a folder, whose files may be secrets` });
  return effects;
}

export function blame(request: Request): ListerResult {
  const why = diffProblem(request) ?? driversOf(request, 'filter');
  if (why !== null) return why;
  const work = workTreeOf(request);
  const { operands, open } = request.reading;
  // Of all commits, it prints lines of the named file alone.
  const isKnown = open === null && !operands.some(isOpen);
  const isAny = ({ arguments: { isUnsure } }: Past) => isUnsure && !isKnown;
  const effects = shown(request, (past) => (isAny(past) ? null : []));
  const read = readArguments(request, () => false);
  if (work === null || read === null) return { effects };
  const paths = read.paths.length > 0 && !read.isUnsure ? read.paths : operands;
  return [...effects, ...pathEffects('read', paths)];
}
