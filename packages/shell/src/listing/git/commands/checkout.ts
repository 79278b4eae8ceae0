import type { Effect, Files } from '../../../effect.js';
import { joined } from '../../../files/listing.js';
import { textOf } from '../../../word.js';
import { type Act, keep, nothing, touch, writeIndex } from '../act.js';
import { type Past, withPast } from '../content.js';
import { interactiveProblem, problemOf, setting } from '../problem.js';
import { isGiven, pathspecOf, type Request, valuesOf, workTreeOf } from '../request.js';
import { everyPath, type Pathspec } from '../work/pathspec.js';
import { anything, effectsOf, exchange, overwrite } from '../work/replace.js';
import { changedFiles, differingFiles, staleFiles, trackedFiles, type WorkTree } from '../work/work-tree.js';

/** `git restore FILE`: from the index, or from a revision. */
export function restore(request: Request): Act {
  const work = workTreeOf(request);
  const spec = request.reading.open === null ? pathspecOf(request, request.reading.operands) : everyPath;
  if (work === null || spec === null || request.reading.operands.length === 0) return nothing;
  const why = problemOf(request, work) ?? interactiveProblem(request);
  if (why !== null) return why;
  const isFilesKept =
    request.reading.open === null &&
    isGiven(request, '-S', '--staged') &&
    !isGiven(request, '-W', '--worktree');
  const sources = valuesOf(request, '-s', '--source');
  const source =
    sources.length === 0 ? (isGiven(request, '-S', '--staged') ? 'HEAD' : null) : textOf(sources[0]);
  const isIndex = sources.length === 0 && source === null;
  const files = isFilesKept
    ? []
    : isIndex
      ? fromIndex(work, spec)
      : fromRevision(request, { work, spec }, source);
  return {
    effects: [
      ...touch('read', changedFiles(work, everyPath)),
      ...files,
      ...writeIndex(request, source === null ? [] : pathsIn(request, source)),
    ],
  };
}

interface Target {
  readonly work: WorkTree;
  readonly spec: Pathspec;
}

/** Files as the index has them; in a conflict, either side. */
function fromIndex(work: WorkTree, spec: Pathspec): readonly Effect[] {
  const mayLink =
    work.index?.entries.some(({ kind, path }) => kind === 'link' && spec.matches(path)) !== false;
  return touch('write', staleFiles(work, spec), mayLink ? { mayLink } : {});
}

export function fromRevision(
  request: Request,
  { work, spec }: Target,
  revision: string | null,
): readonly Effect[] {
  const found = withPast(request, (past) => {
    const id = revision === null ? null : past.resolve(revision);
    return id === null || work.index === null
      ? anything(work)
      : effectsOf(work, overwrite(work, spec, past.history.filesIn(id)));
  });
  return found ?? anything(work);
}

/** `git checkout` and `git switch`: another branch, or files as in `git restore`. */
export function checkout(request: Request): Act {
  const work = workTreeOf(request);
  if (work === null) return nothing;
  const why = problemOf(request, work) ?? interactiveProblem(request);
  if (why !== null) return why;
  const added = request.reading.operands.length === 0 ? [] : pathsOf(request);
  const kept = [
    ...touch('read', changedFiles(work, everyPath)),
    ...writeIndex(request, added),
    ...keep(request, 'references'),
  ];
  const files = withPast(request, (past) => switched(request, work, past)) ?? anything(work);
  return { effects: [...files, ...kept, ...(mayTrack(request) ? setting(request) : [])] };
}

function switched(request: Request, work: WorkTree, past: Past): readonly Effect[] {
  const { revisions, paths, spec, isUnsure } = past.arguments;
  const [revision, ...others] = revisions;
  if (isUnsure || others.length > 0 || isGiven(request, '--orphan', '-m', '--merge')) return anything(work);
  if (paths.length > 0)
    return revision === undefined ? fromIndex(work, spec) : fromRevision(request, { work, spec }, revision);
  const isForced = isGiven(request, '-f', '--force', '--discard-changes');
  const [from, to] = [past.resolve('HEAD'), past.resolve(revision === undefined ? 'HEAD' : revision)];
  if (from === null || to === null || revision === '-') return anything(work);
  const target = past.history.filesIn(to);
  return effectsOf(
    work,
    isForced ? overwrite(work, everyPath, target) : exchange(past.history.filesIn(from), target),
  );
}

function keysOf(past: Past, revision: string | null): string[] | null {
  const id = revision === null ? null : past.resolve(revision);
  return id === null ? null : [...past.history.filesIn(id).keys()];
}

/** The files of a revision, by paths below the work tree; null where they are unknown. */
export function pathsIn(request: Request, revision: string | null): Iterable<string> | null {
  return withPast(request, (past) => keysOf(past, revision));
}

/** Those of the only revision among the operands, or of the last commit. */
function pathsOf(request: Request): Iterable<string> | null {
  return withPast(request, (past) => {
    const { revisions, isUnsure } = past.arguments;
    return isUnsure || revisions.length > 1 ? null : keysOf(past, revisions[0] ?? 'HEAD');
  });
}

/** A new branch from a remote one gets settings. */
function mayTrack(request: Request): boolean {
  const isNew = isGiven(request, '-b', '-B', '-c', '-C', '--create', '--force-create');
  const start = request.reading.operands
    .map((word) => textOf(word) ?? '/')
    .some((text) => text.includes('/'));
  return isGiven(request, '-t', '--track') || (isNew && start);
}

/** `git reset`. */
export function reset(request: Request): Act {
  const work = workTreeOf(request);
  if (work === null) return { effects: keep(request, 'references') };
  const why = problemOf(request, work) ?? interactiveProblem(request);
  if (why !== null) return why;
  const kept = [
    ...touch('read', changedFiles(work, everyPath)),
    ...writeIndex(request, pathsOf(request)),
    ...keep(request, 'references', 'objects'),
  ];
  if (request.reading.open === null && !isGiven(request, '--hard', '--merge', '--keep'))
    return {
      effects: isGiven(request, '--soft') ? kept : [...touch('read', unstaged(request, work)), ...kept],
    };
  const files = withPast(request, (past) => {
    const { revisions, isUnsure } = past.arguments;
    const id = past.resolve(revisions[0] ?? 'HEAD');
    const head = past.resolve('HEAD');
    if (isUnsure || id === null || head === null || work.index === null) return anything(work);
    const target = past.history.filesIn(id);
    return [
      ...effectsOf(work, overwrite(work, everyPath, target)),
      ...effectsOf(work, exchange(past.history.filesIn(head), target)),
    ];
  });
  return { effects: [...(files ?? anything(work)), ...kept] };
}

/** Files that git compares with the new index. */
function unstaged(request: Request, work: WorkTree): Files {
  const found = withPast(request, (past) => {
    const id = past.arguments.isUnsure ? null : past.resolve(past.arguments.revisions[0] ?? 'HEAD');
    const files = id === null ? null : past.history.filesIn(id);
    const differing = differingFiles(work, everyPath, files);
    // Files that are tracked from then on.
    const tracked = new Set(work.index?.entries.map(({ path }) => path));
    const more = [...(files?.keys() ?? [])].filter((path) => !tracked.has(path));
    return { ...differing, paths: [...differing.paths, ...more.map((path) => joined(work.tree, path))] };
  });
  return found ?? trackedFiles(work, everyPath);
}
