import { resolve } from 'node:path';
import type { Effect, Files } from '../../effect.js';
import { textOf } from '../../word.js';
import { joined } from '../listing.js';
import { type Act, hooksOf, keep, touch, writeIndex } from './act.js';
import { driversOf } from './attributes.js';
import { type Past, withPast } from './content.js';
import { everyPath, type Pathspec } from './pathspec.js';
import { anything, deleting, effectsOf, exchange, overwrite, staysInPlace, writing } from './replace.js';
import { isGiven, pathspecOf, type Request, valuesOf, whyOf, workTreeOf } from './request.js';
import { settingOf } from './settings.js';
import type { Snapshot } from './store/history.js';
import { submodulesOf } from './track.js';
import {
  changedFiles,
  differingFiles,
  staleFiles,
  trackedFiles,
  untrackedFiles,
  type WorkTree,
} from './work-tree.js';

const messageOptions = [
  '-m',
  '--message',
  '-F',
  '--file',
  '-C',
  '--reuse-message',
  '--no-edit',
  '--fixup',
  '--dry-run',
];

const refused: Act = { effects: [] };

/** Why a command that changes files and references is unknown. What it writes may be hooks itself. */
function problemOf(request: Request, work: WorkTree): string | null {
  const hooks = settingOf(request.settings, 'core.hookspath');
  const place = hooks === null ? null : resolve(work.tree, hooks);
  if (place?.startsWith(`${work.tree}/`) === true)
    return `it may write hooks in \`${place}\`, and start them`;
  return whyOf(request, ['filter', 'merge']) ?? hooksOf(request, 'references') ?? submodulesOf(work);
}

/** `git commit`. */
export function commit(request: Request): Act {
  const work = workTreeOf(request);
  if (work === null) return refused;
  if (!isGiven(request, ...messageOptions) || isGiven(request, '-e', '--edit')) return 'it starts an editor';
  if (isGiven(request, '-S', '--gpg-sign')) return 'it runs a program for signatures';
  const why =
    whyOf(request, ['commit']) ??
    driversOf(request, 'filter') ??
    hooksOf(request, 'references') ??
    submodulesOf(work) ??
    interactiveProblem(request);
  if (why !== null) return why;
  // Unless it is quiet, it tells which files are not tracked.
  const { files, folders } = untrackedFiles(work, everyPath, { ignored: false });
  return {
    effects: [
      ...touch('read', changedFiles(work, everyPath)),
      ...touch('list', { ...files, paths: folders }),
      ...writeIndex(request, []),
      ...keep(request, 'objects', 'references', 'message'),
    ],
  };
}

function interactiveProblem(request: Request): string | null {
  return isGiven(request, '-p', '--patch', '-i', '--interactive') ? whyOf(request, ['interactive']) : null;
}

/** `git restore FILE`: from the index, or from a revision. */
export function restore(request: Request): Act {
  const work = workTreeOf(request);
  const spec = request.reading.open === null ? pathspecOf(request, request.reading.operands) : everyPath;
  if (work === null || spec === null || request.reading.operands.length === 0) return refused;
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

function fromRevision(request: Request, { work, spec }: Target, revision: string | null): readonly Effect[] {
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
  if (work === null) return refused;
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

/** The files of a revision, by paths below the work tree; null where they are unknown. */
function pathsIn(request: Request, revision: string | null): Iterable<string> | null {
  return withPast(request, (past) => keysOf(past, revision));
}

/** Those of the only revision among the operands, or of the last commit. */
function pathsOf(request: Request): Iterable<string> | null {
  return withPast(request, (past) => {
    const { revisions, isUnsure } = past.arguments;
    return isUnsure || revisions.length > 1 ? null : keysOf(past, revisions[0] ?? 'HEAD');
  });
}

function keysOf(past: Past, revision: string | null): string[] | null {
  const id = revision === null ? null : past.resolve(revision);
  return id === null ? null : [...past.history.filesIn(id).keys()];
}

/** A new branch from a remote one gets settings. */
function mayTrack(request: Request): boolean {
  const isNew = isGiven(request, '-b', '-B', '-c', '-C', '--create', '--force-create');
  const start = request.reading.operands
    .map((word) => textOf(word) ?? '/')
    .some((text) => text.includes('/'));
  return isGiven(request, '-t', '--track') || (isNew && start);
}

/** Settings of the repository are written. */
export function setting({ repository }: Request): readonly Effect[] {
  if (repository === null) return [];
  const paths = [`${repository.common}/config`, `${repository.common}/config.lock`];
  return touch('write', { paths, open: false, under: null });
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

/** Files that git compares with the index once that is another one. */
function unstaged(request: Request, work: WorkTree): Files {
  const found = withPast(request, (past) => {
    const id = past.arguments.isUnsure ? null : past.resolve(past.arguments.revisions[0] ?? 'HEAD');
    const files = id === null ? null : past.history.filesIn(id);
    const differing = differingFiles(work, everyPath, files);
    // Files that are tracked again from then on.
    const tracked = new Set(work.index?.entries.map(({ path }) => path));
    const more = [...(files?.keys() ?? [])].filter((path) => !tracked.has(path));
    return { ...differing, paths: [...differing.paths, ...more.map((path) => joined(work.tree, path))] };
  });
  return found ?? trackedFiles(work, everyPath);
}

/** `git stash`, `git stash push`: the work tree becomes that of the last commit. */
export function stash(request: Request): Act {
  const work = workTreeOf(request);
  const spec = request.reading.open === null ? pathspecOf(request, request.reading.operands) : everyPath;
  if (work === null || spec === null) return refused;
  const why = problemOf(request, work) ?? interactiveProblem(request);
  if (why !== null) return why;
  const isAll = isGiven(request, '-a', '--all');
  const isMore = request.reading.open !== null || isAll || isGiven(request, '-u', '--include-untracked');
  const more = isMore
    ? untrackedFiles(work, spec, { ignored: isAll }).files
    : { paths: [], open: false, under: null };
  return {
    effects: [
      ...touch('read', changedFiles(work, everyPath)),
      ...touch('read', more),
      ...deleting(work, more),
      ...fromRevision(request, { work, spec }, 'HEAD'),
      ...writeIndex(request, pathsIn(request, 'HEAD')),
      ...keep(request, 'objects', 'references'),
    ],
  };
}

/** `git stash pop`, `git stash apply`. */
export function unstash(request: Request): Act {
  return merging(request, (past) => {
    const [word] = request.reading.operands;
    const id = word === undefined ? past.resolve('refs/stash') : null;
    if (id === null) return null;
    const [base, , untracked] = past.history.objects.commit(id).parents;
    return base === undefined || untracked !== undefined ? null : [base, id];
  });
}

/** `git cherry-pick` and `git revert` of one commit. */
export function pick(request: Request): Act {
  if (isGiven(request, '-e', '--edit')) return 'it starts an editor';
  if (isGiven(request, '-s', '--strategy')) return 'it may run a program that merges';
  return merging(request, (past) => {
    const [text, ...others] = past.arguments.revisions;
    const id = text === undefined || others.length > 0 || past.arguments.isUnsure ? null : past.resolve(text);
    if (id === null) return null;
    const [parent, ...more] = past.history.objects.commit(past.history.objects.peel(id).id).parents;
    return parent === undefined || more.length > 0 ? null : [parent, id];
  });
}

/** Applies what differs between two commits to the work tree. */
function merging(request: Request, sidesOf: (past: Past) => readonly [string, string] | null): Act {
  const work = workTreeOf(request);
  if (work === null) return refused;
  if (isGiven(request, '-S', '--gpg-sign')) return 'it runs a program for signatures';
  const why = whyOf(request, ['commit']) ?? problemOf(request, work);
  if (why !== null) return why;
  const files = withPast(request, (past) => {
    const sides = sidesOf(past);
    const head = past.resolve('HEAD');
    if (sides === null || head === null || work.index === null) return anything(work);
    const [before, after, ours] = [...sides, head].map((id): Snapshot => past.history.filesIn(id));
    if (before === undefined || after === undefined || ours === undefined) return anything(work);
    const isKnown = staysInPlace(before, after, ours) && staysInPlace(after, before, ours);
    return [
      ...effectsOf(work, exchange(before, after), !isKnown),
      ...effectsOf(work, exchange(after, before), !isKnown),
    ];
  });
  return {
    effects: [
      ...(files ?? anything(work)),
      ...touch('read', changedFiles(work, everyPath)),
      // What is in the way, and not tracked, is compared with what would take its place.
      ...touch('read', { paths: [], open: true, under: work.tree }),
      ...writeIndex(request, null),
      ...keep(request, 'objects', 'references', 'message', 'merge'),
    ],
  };
}

/** `git merge`, and others that bring in what is not looked at. */
export function merge(request: Request): Act {
  if (isGiven(request, '-e', '--edit', '-i', '--interactive', '-x', '--exec'))
    return 'it starts an editor or a program';
  if (isGiven(request, '-s', '--strategy')) return 'it may run a program that merges';
  return merging(request, () => null);
}

/** `git rm`. With `--cached`, what git keeps of a file is deleted, which the next commit then lacks. */
export function remove(request: Request): Act {
  const work = workTreeOf(request);
  const spec = request.reading.open === null ? pathspecOf(request, request.reading.operands) : everyPath;
  if (work === null || spec === null || request.reading.operands.length === 0) return refused;
  const why = hooksOf(request, 'index') ?? submodulesOf(work);
  if (why !== null) return why;
  const read = changedFiles(work, everyPath);
  return {
    effects: [
      ...touch('read', read),
      ...deleting(work, trackedFiles(work, spec)),
      ...writeIndex(request, []),
    ],
  };
}

/** `git mv`. */
export function move(request: Request): Act {
  const work = workTreeOf(request);
  const { operands, open } = request.reading;
  const to = operands.at(-1);
  if (work === null || to === undefined || operands.length < 2) return refused;
  const why = hooksOf(request, 'index') ?? submodulesOf(work);
  if (why !== null || open !== null) return why ?? 'its options depend on a value';
  const from = pathspecOf(request, operands.slice(0, -1));
  const target = textOf(to);
  const place = pathspecOf(request, [to])?.named?.[0];
  if (from === null || target === null || place === undefined) return refused;
  const files = trackedFiles(work, from);
  const isFolder = request.world.listing.kind(joined(work.tree, place)) === 'folder';
  const moved = files.paths.map((path) => {
    const inside = path.slice(work.tree.length + 1);
    const start = from.named?.find((name) => inside === name || inside.startsWith(`${name}/`)) ?? inside;
    const name = start.slice(start.lastIndexOf('/') + 1);
    return joined(work.tree, `${isFolder ? `${place}/${name}` : place}${inside.slice(start.length)}`);
  });
  const mayLink =
    work.index?.entries.some(({ kind, path }) => kind === 'link' && from.matches(path)) !== false;
  const isOpen = files.open || from.named === null;
  return {
    effects: [
      ...touch('read', changedFiles(work, everyPath)),
      ...deleting(work, files),
      ...writing(work, { paths: moved, open: isOpen, under: isOpen ? work.tree : null }, mayLink),
      ...touch('read', { paths: moved, open: isOpen, under: isOpen ? work.tree : null }),
      ...writeIndex(request, isOpen ? null : moved.map((path) => path.slice(work.tree.length + 1))),
    ],
  };
}

/** `git clean`. */
export function clean(request: Request): Act {
  const work = workTreeOf(request);
  const spec = request.reading.open === null ? pathspecOf(request, request.reading.operands) : everyPath;
  if (work === null || spec === null) return refused;
  const isAll = request.reading.open !== null || isGiven(request, '-x', '-X', '-e', '--exclude');
  const { files, folders } = untrackedFiles(work, spec, { ignored: isAll });
  if (request.reading.open === null && isGiven(request, '-n', '--dry-run'))
    return { effects: touch('list', { ...files, paths: folders }) };
  const gone = isGiven(request, '-d') ? withoutTracked(folders, work) : [];
  return {
    effects: [
      ...touch('list', { ...files, paths: folders }),
      ...deleting(work, { ...files, paths: [...files.paths, ...gone] }),
    ],
  };
}

/** Folders in which no tracked file lies. */
function withoutTracked(folders: readonly string[], { index, tree }: WorkTree): readonly string[] {
  const kept = new Set<string>([tree]);
  for (const { path } of index?.entries ?? [])
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      kept.add(joined(tree, path.slice(0, at)));
  return folders.filter((folder) => !kept.has(folder));
}
