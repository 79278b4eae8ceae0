import { type Effect, type Files, onFiles } from '../../../effect.js';
import { joinPath } from '../../../files/listing.js';
import { isMany, textOf } from '../../../word.js';
import type { ListerResult } from '../../../world.js';
import { hasOnly, valuesOf } from '../../options.js';
import { splitAtDashes } from '../arguments.js';
import { atRevision, type Past, withPast } from '../content.js';
import { endMerge, keep, keepReferences, rememberName, writeIndex, writeSettings } from '../own-files.js';
import { problemOf } from '../problem.js';
import { isGiven, onPaths, type Request, type Scope, workTreeOf } from '../request.js';
import { pathsDiffering } from '../store/index-file.js';
import { leftBefore } from '../store/revision.js';
import { comparedFiles } from '../work/compared.js';
import { below, discard, discardCommits, discardReferences, mayLose, uncommitted } from '../work/discard.js';
import { changeOfIndex, rememberSwitch, type Switch } from '../work/index-memory.js';
import { everyPath, type Pathspec } from '../work/pathspec.js';
import {
  allOf,
  anything,
  deleting,
  effectsOf,
  exchange,
  inTheWay,
  overwrite,
  type Replaced,
} from '../work/replace.js';
import { differingFiles, staged, staleFiles, trackedFiles, type WorkTree } from '../work/work-tree.js';

/** `git restore FILE`: from the index, or from a revision. */
export const restore = onPaths(problemOf, (request, scope) => {
  if (request.reading.operands.length === 0) return [];
  const { work, spec } = scope;
  const isFilesKept =
    request.reading.open === null && isGiven(request, '-S --staged') && !isGiven(request, '-W --worktree');
  const sources = valuesOf(request.reading, '-s --source');
  const source =
    sources.length === 0 ? (isGiven(request, '-S --staged') ? 'HEAD' : null) : textOf(sources[0]);
  const isIndex = sources.length === 0 && source === null;
  const files = isFilesKept ? [] : isIndex ? fromIndex(work, spec) : fromRevision(request, scope, source);
  return [
    ...comparedFiles(request, work),
    ...files,
    ...writeIndex(request, source === null ? [] : pathsIn(request, source)),
  ];
});

/** Files as the index has them; in a conflict, either side. */
function fromIndex(work: WorkTree, spec: Pathspec): readonly Effect[] {
  const mayLink =
    work.index?.entries.some(({ kind, path }) => kind === 'link' && spec.matches(path)) !== false;
  const stale = staleFiles(work, spec);
  const written = below(work, stale);
  const met = inTheWay(work, new Set(written), true);
  return [
    ...onFiles('write', stale, mayLink ? { mayLink } : {}),
    ...deleting(work, met),
    ...discard(work, [...written, ...below(work, met)], work.index === null || met.open),
  ];
}

/** The change to the files of a revision; null if these are unknown. */
function toRevision(past: Past, { work, spec }: Scope, revision: string | null): Replaced | null {
  const id = past.resolve(revision);
  return id === null || work.index === null ? null : overwrite(work, spec, past.history.filesIn(id));
}

function fromRevision(request: Request, target: Scope, revision: string | null): readonly Effect[] {
  const found = withPast(request, (past) => {
    const files = toRevision(past, target, revision);
    return files && replace(target.work, files, past);
  });
  return found ?? replaceAnything(target.work);
}

/** Files as in the last commit, after their changes were put aside. */
export function asCommitted(request: Request, target: Scope): readonly Effect[] {
  const files = withPast(request, (past) => toRevision(past, target, 'HEAD'));
  return files === null ? anything(target.work) : effectsOf(target.work, files, true);
}

/** Replaces files, whatever they hold. */
function replace(work: WorkTree, files: Replaced, past: Past): readonly Effect[] {
  const head = past.resolve('HEAD');
  const touched = new Set([...files.written, ...files.deleted]);
  const lost = head === null ? touched : uncommitted(work, past.history.filesIn(head), touched);
  return [...effectsOf(work, files, true), ...discard(work, lost)];
}

function replaceAnything(work: WorkTree): readonly Effect[] {
  return [...anything(work), ...discard(work, null)];
}

/** `git checkout` and `git switch`: another branch, or files as in `git restore`. */
export function checkout(request: Request): ListerResult {
  const work = workTreeOf(request);
  if (work === null) return [];
  const why = problemOf(request, work);
  if (why !== null) return why;
  const { before, after } = splitAtDashes(request);
  const areFiles = request.reading.open === null && after?.some((word) => !isMany(word)) === true;
  const isSame = work.index?.time !== 0 || isOnlyNew(request);
  const isOfIndex = before.length === 0 && (areFiles || (request.reading.operands.length === 0 && isSame));
  const switched = switchOf(request, work);
  const kept = [
    ...comparedFiles(request, work),
    ...writeIndex(request, isOfIndex ? [] : pathsOf(request, targetOf)),
    // With files after `--`, the branch stays.
    ...(areFiles ? [] : [...endMerge(request), ...keepReferences(request, switched !== null)]),
  ];
  const replaced = () => withPast(request, (past) => switchEffects(request, work, past));
  const files = isOnlyNew(request) ? [] : (replaced() ?? replaceAnything(work));
  const moved = valuesOf(request.reading, '-B -C --force-create').map(textOf);
  const lost = discardReferences(
    request,
    moved.map((name) => (name === null ? null : `refs/heads/${name}`)),
    textOf(request.reading.operands[0]) ?? undefined,
  );
  if (switched !== null) {
    const { made, ...change } = switched;
    rememberSwitch(request.world.changes, work.repository, change);
    if (made !== null) rememberName(request, `refs/heads/${made.name}`, made.id);
  }
  return [...files, ...kept, ...lost, ...(mayTrack(request) ? writeSettings(request) : [])];
}

const making = '-b -c --create';
const plainSwitch = `-q --quiet ${making}`;

/**
 * Whether it makes a branch of the current commit: no file changes. Of `git checkout`, this is `-b NAME` without a further
 * word: any other form writes every file where there is no index.
 */
function isOnlyNew(request: Request): boolean {
  const { operands, sequence, words } = request.reading;
  if (operands.length > 0 || !hasOnly(request.reading, plainSwitch)) return false;
  return isGiven(request, '-c --create') || (sequence.length === 1 && words.length === 2);
}

interface Switching extends Switch {
  /** The new branch; its id is null if unknown. */
  readonly made: Readonly<{ name: string; id: string | null }> | null;
}

/** What a plain switch to a branch changes, which it may make; null for another command. */
function switchOf(request: Request, work: WorkTree): Switching | null {
  const before = changeOfIndex(request.world.changes, work.repository);
  return withPast(request, (past) => {
    const { heads: from, references, history } = past;
    const { revisions, paths, isUnsure } = past.arguments;
    const [revision, ...others] = revisions;
    const [name, ...more] = valuesOf(request.reading, making).map(textOf);
    const isPlain = hasOnly(request.reading, plainSwitch) && !isUnsure;
    if (!isPlain || from === null || others.length + paths.length + more.length > 0) return null;
    const isBranch = name !== undefined || references.byName.has(`refs/heads/${revision}`);
    const to = revision === undefined ? from[0] : isBranch ? targetOf(past, revision) : null;
    if (name === null || !to || (name === undefined && revision === undefined)) return null;
    const heads = [...new Set([...from, history.objects.peel(to).id])];
    const id = revision !== undefined || heads.length === 1 ? to : null;
    const made = name === undefined ? null : { name, id };
    const index = before.heads.length > 0 ? null : staged(work);
    if (index === null) return { heads, made, isChanged: before.heads.length === 0 || before.isChanged };
    const own = exchange(index, history.filesIn(from[0] ?? ''));
    return { heads, made, isChanged: own.written.size + own.deleted.size > 0 };
  });
}

/** Null if what it does is unknown. */
function switchEffects(request: Request, work: WorkTree, past: Past): readonly Effect[] | null {
  const { revisions, paths, spec, isUnsure } = past.arguments;
  const [revision, ...others] = revisions;
  if (isGiven(request, '--orphan') && !isUnsure) return anything(work);
  if (isUnsure || others.length > 0 || isGiven(request, '-m --merge')) return null;
  if (paths.length > 0)
    return revision === undefined ? fromIndex(work, spec) : fromRevision(request, { work, spec }, revision);
  const isForced = isGiven(request, '-f --force --discard-changes');
  const [from, to] = [past.heads, targetOf(past, revision ?? 'HEAD')];
  if (from === null || to === null) return isForced ? null : anything(work);
  const target = past.history.filesIn(to);
  if (isForced) return replace(work, overwrite(work, everyPath, target), past);
  // Without an index, git writes every file. An earlier command of the line may have made one.
  const none = work.index?.time === 0 ? [new Map()] : [];
  const heads = none.length > 0 && work.added.size === 0 ? [] : from.map((id) => past.history.filesIn(id));
  return effectsOf(work, allOf([...none, ...heads].map((files) => exchange(files, target))));
}

/** A branch comes before a tag of the same name. */
function targetOf(past: Past, revision: string): string | null {
  const name = leftBefore(revision, past.references);
  const branch = `refs/heads/${name ?? ''}`;
  const own = past.references.byName.get(branch);
  if (own !== undefined && name === revision && past.heads !== null) return own;
  if (past.resolve(revision) === null) return null;
  return past.resolve(own === undefined ? revision : branch);
}

const resolved = (past: Past, revision: string): string | null => past.resolve(revision);

/** The paths that differ between the index and a commit, or may differ; null where they are unknown. */
function differingPaths(request: Request, past: Past, id: string | null): readonly string[] | null {
  const index = workTreeOf(request)?.index ?? null;
  return id === null || index === null ? null : pathsDiffering(past.history.filesIn(id), index);
}

/** The paths that change in the index when it is set to a revision; null where they are unknown. */
export function pathsIn(request: Request, revision: string | null): readonly string[] | null {
  return atRevision(request, revision, (past, id) => differingPaths(request, past, id));
}

/** The named paths that change in the index when it is set to the only revision among the operands, or to `HEAD`. */
function pathsOf(request: Request, idOf = resolved): readonly string[] | null {
  return withPast(request, (past) => {
    const { revisions, isUnsure, spec } = past.arguments;
    if (isUnsure || revisions.length > 1) return null;
    const paths = differingPaths(request, past, idOf(past, revisions[0] ?? 'HEAD'));
    return paths?.filter((path) => spec.matches(path)) ?? null;
  });
}

/** A new branch from a remote one gets settings. */
function mayTrack(request: Request): boolean {
  const isNew = isGiven(request, '-b -B -c -C --create --force-create');
  const start = request.reading.operands
    .map((word) => textOf(word) ?? '/')
    .some((text) => text.includes('/'));
  return isGiven(request, '-t --track') || (isNew && start);
}

export function reset(request: Request): ListerResult {
  const work = workTreeOf(request);
  if (work === null) return keep(request, 'references');
  const why = problemOf(request, work);
  if (why !== null) return why;
  const kept = [
    ...comparedFiles(request, work),
    ...writeIndex(request, pathsOf(request)),
    ...endMerge(request),
    ...keep(request, 'references', 'objects'),
  ];
  if (request.reading.open === null && !isGiven(request, '--hard --merge --keep'))
    return {
      effects: isGiven(request, '--soft')
        ? kept
        : [...onFiles('read', comparedWith(request, work, resetTo)), ...kept],
    };
  const files = withPast(request, (past) => {
    const { revisions, isUnsure } = past.arguments;
    const id = past.resolve(revisions[0] ?? 'HEAD');
    const head = past.resolve('HEAD');
    if (isUnsure || id === null || head === null || work.index === null) return null;
    const target = past.history.filesIn(id);
    return [
      ...replace(work, overwrite(work, everyPath, target), past),
      ...effectsOf(work, exchange(past.history.filesIn(head), target)),
      ...(mayLose(past, 'HEAD', revisions[0]) ? discardCommits(request) : []),
    ];
  });
  return [...(files ?? replaceAnything(work)), ...kept];
}

function resetTo({ arguments: { isUnsure, revisions }, ...past }: Past): readonly string[] | null {
  const [revision] = revisions;
  if (isUnsure) return null;
  if (revision === undefined) return past.heads;
  const id = past.resolve(revision);
  return id === null ? null : [id];
}

/** Files that git compares with an index that it makes from one of some commits. `commitsOf` gives null for unknown ones. */
export function comparedWith(
  request: Request,
  work: WorkTree,
  commitsOf: (past: Past) => readonly string[] | null = ({ heads }) => heads,
): Files {
  const found = withPast(request, (past) => {
    const commits = commitsOf(past)?.map((id) => past.history.filesIn(id)) ?? null;
    const differing = differingFiles(work, everyPath, commits);
    // Files that become tracked.
    const tracked = new Set(work.index?.entries.map(({ path }) => path));
    const more = commits?.flatMap((files) => [...files.keys()]).filter((path) => !tracked.has(path)) ?? [];
    return { ...differing, paths: [...differing.paths, ...more.map((path) => joinPath(work.tree, path))] };
  });
  return found ?? trackedFiles(work);
}
