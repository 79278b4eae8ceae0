import { isUnder } from '@ambit/toolsets';
import { type Effect, onFiles } from '../../../effect.js';
import { isMany, text, type Word } from '../../../word.js';
import type { Described, ListerResult } from '../../../world.js';
import { pathEffects } from '../../options.js';
import { splitAtDashes } from '../arguments.js';
import { driversOf } from '../attributes.js';
import { ofNamed, type Past, type Shows, shown } from '../content.js';
import { hooksOf, writeIndex } from '../own-files.js';
import { submodulesOf } from '../problem.js';
import { between, olderCommits, pairsOf, secretsNamed } from '../ranges.js';
import { isCommitId, isGiven, pathspecOf, type Request, textsOf, workTreeOf } from '../request.js';
import { partsOf } from '../revisions.js';
import { difference, type Snapshot } from '../store/history.js';
import { comparedFiles } from '../work/compared.js';
import { uncommitted } from '../work/discard.js';
import { everyPath, type Pathspec } from '../work/pathspec.js';
import { differingFiles, mayRefresh } from '../work/work-tree.js';
import { namesOfDiff } from './changed-names.js';
import { diffProblem, isBrief } from './patches.js';

/** The two sides of `git diff`, as far as they are known. */
interface Compared {
  spec: Pathspec;
  isUnsure: boolean;
  /** Whether the command reads neither the index nor the work tree. */
  areCommits: boolean;
  /** Whether a commit is compared with the index or the work tree, and which files it may have. */
  isCommit: boolean;
  files: readonly Snapshot[] | null;
}

/** `git diff`: work tree, index and commits, two of them compared. */
export function diff(request: Request): ListerResult {
  const why = diffProblem(request) ?? driversOf(request, 'filter', mayCompare(request) ? 'any' : []);
  if (why !== null) return why;
  if (request.repository === null || isGiven(request, '--no-index') || leadsOut(request))
    return filesCompared(request);
  const act = inRepository(request);
  if (typeof act === 'string' || !mayLeadOut(request)) return act;
  return [...act.effects, ...filesCompared(request)];
}

function inRepository(request: Request): Described | string {
  const isStaged = isGiven(request, '--cached --staged');
  const isPlain = request.reading.operands.length === 0 && request.reading.open === null && !isStaged;
  const compared: Compared = {
    spec: everyPath,
    isUnsure: !isPlain,
    areCommits: false,
    isCommit: !isPlain,
    files: null,
  };
  const shows = ofNamed(request, (past) => compare(request, past, compared));
  const effects: Effect[] = isPlain ? [] : [...shown(request, shows)];
  const work = workTreeOf(request);
  const { spec, isUnsure, areCommits, isCommit, files } = compared;
  // As one of two files, `-` is the standard input.
  const isInput = (word: Word) => !isCommitId(word) && textsOf(word)?.includes('-') !== false;
  const leavesInput = request.reading.open === null && !request.reading.operands.some(isInput);
  // A tag of a file's content is compared with any file.
  if (isUnsure && !mayLeadOut(request) && !request.reading.operands.some(isCommitId))
    effects.push(...filesCompared(request, splitAtDashes(request).after ?? undefined));
  if (work === null) return { effects, leavesInput };
  const output = namesOfDiff(request, work);
  if (areCommits) return { effects, output, leavesInput };
  if (isCommit) effects.push(...onFiles('read', differingFiles(work, spec, files)));
  if (isStaged && !isUnsure) return { effects, output, leavesInput };
  const isRefreshed = mayRefresh(work);
  const why = submodulesOf(work) ?? (isRefreshed ? hooksOf(request, 'index') : null);
  if (why !== null) return why;
  // When git writes the index, it reads every file that may have changed.
  const read = isRefreshed ? everyPath : spec;
  effects.push(...comparedFiles(request, work, { read, shown: isUnsure ? read : spec, isDiff: true }));
  if (isRefreshed) effects.push(...writeIndex(request, []));
  return { effects, output, leavesInput };
}

function compare(request: Request, past: Past, compared: Compared): ReturnType<Shows> {
  const { revisions, spec, isUnsure } = past.arguments;
  const [first = 'HEAD'] = revisions;
  const isStaged = isGiven(request, '--cached --staged');
  const areCommits = !isUnsure && (revisions.length > 1 || first.includes('..'));
  const isCommit = isUnsure || revisions.length > 0 || isStaged;
  const ids = isCommit && !areCommits && !isUnsure ? startsOf(request, past, first) : null;
  Object.assign(compared, {
    spec,
    isUnsure,
    areCommits,
    isCommit,
    files: ids?.map((id) => past.history.filesIn(id)) ?? null,
  });
  const isSilent = request.reading.open === null && isBrief(request) && !namesFile(past);
  return isCommit && !isSilent ? ofDiff(request, past, isStaged) : undefined;
}

/** Whether it may compare a file by itself: how many lines it has in common with another one tells what is in it. */
function namesFile(past: Past): boolean {
  return past.arguments.revisions.flatMap(partsOf).some((part) => {
    const id = past.resolve(part);
    return id === null ? part.includes(':') : past.history.objects.peel(id).kind === 'blob';
  });
}

/** Null if unknown. */
function ofDiff(request: Request, past: Past, isStaged: boolean): Iterable<string> | null {
  const { revisions, isUnsure, spec } = past.arguments;
  const [first = 'HEAD', second, third] = revisions;
  if (isUnsure || third !== undefined) return null;
  if (revisions.some((text) => text.includes(':'))) {
    const staged = second === undefined ? [...past.staged().keys()].filter((path) => spec.matches(path)) : [];
    const found = secretsNamed(request, past, revisions);
    return found === null ? null : [...found, ...staged];
  }
  const dots = isGiven(request, '--merge-base') ? '...' : '..';
  if (second !== undefined) return between(past, `${first}${dots}${second}`);
  if (first.includes('..')) return between(past, first);
  // The changes of a commit, as of a merge with each parent.
  const own = past.resolve(/^(.+)\^!$/.exec(first)?.[1] ?? '');
  if (own !== null) return past.history.inChange(own);
  const ids = startsOf(request, past, first);
  if (ids === null) return null;
  const [staged, work] = [past.staged(), workTreeOf(request)];
  const before = ids.map((id) => past.history.inRevision(id));
  if (isStaged) return new Set(before.flatMap((each) => [...difference(each, staged)]));
  const secrets = new Set([...before.flatMap((each) => [...each.keys()]), ...staged.keys()]);
  if (work === null) return secrets;
  return ids.flatMap((id) => uncommitted(work, past.history.filesIn(id), secrets));
}

/**
 * The commits of which one is compared with the index or the work tree; null if unknown. A commit of the line has what it
 * staged.
 */
function startsOf(request: Request, past: Past, revision: string): readonly string[] | null {
  if (!isGiven(request, '--merge-base')) {
    const id = past.resolve(revision);
    return id === null ? olderCommits(past, revision) : [id];
  }
  const [[start] = [null], ...others] = pairsOf(past, `${revision}...HEAD`) ?? [];
  return others.length === 0 && start !== null ? [start] : null;
}

/** With a path outside the repository, the command compares plain files. */
function leadsOut(request: Request): boolean {
  const isOut = (each: string) => pathspecOf(request, [text(each)], true) === null;
  // Where there may be no path, it compares all files.
  return request.reading.operands.some((word) => !isMany(word) && textsOf(word)?.every(isOut) === true);
}

/**
 * Whether one of two operands may be a path outside: an unknown word, or another way into the work tree. A file of a revision
 * (`HEAD:a b`) is compared with any file too.
 */
function mayLeadOut(request: Request): boolean {
  const { operands, open } = request.reading;
  if (operands.length < 2 && open === null && !operands.some(isMany)) return false;
  const tree = workTreeOf(request)?.tree ?? '/';
  const { before, after } = splitAtDashes(request);
  // It compares plain files only where there are two words and nothing else.
  const areMore = after !== null && before.length > 0 && after.length > 0;
  if (areMore && open === null && !operands.some(isMany)) return false;
  return operands.some((word) => {
    if (isCommitId(word)) return false;
    const mayBeRevision = after?.includes(word) !== true;
    const isOut = (each: string) =>
      (mayBeRevision && each.includes(':')) ||
      (each.startsWith('/') && !isUnder(each, tree)) ||
      pathspecOf(request, [text(each)], true) === null;
    return textsOf(word)?.some(isOut) !== false;
  });
}

/** `git diff --no-index`, which is implied by a path outside the repository, and outside any repository. */
function filesCompared(request: Request, words = request.reading.operands): readonly Effect[] {
  return mayCompare(request) ? pathEffects('read', words, { deep: true }) : [];
}

function mayCompare({ reading: { operands } }: Request): boolean {
  return operands.length > 1 || operands.some(isMany);
}
