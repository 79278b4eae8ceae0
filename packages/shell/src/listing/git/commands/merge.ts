import { orNull } from '@ambit/core';
import { type Effect, type Files, onFiles, onlyFiles } from '../../../effect.js';
import { textOf } from '../../../word.js';
import { type ListerResult, mayDiffer, mayExist } from '../../../world.js';
import { valuesOf } from '../../options.js';
import { type Past, withPast } from '../content.js';
import { endMerge, keep, writeIndex } from '../own-files.js';
import { problemOf } from '../problem.js';
import { mergeBases } from '../ranges.js';
import { isGiven, type Request, whyOf, workTreeOf } from '../request.js';
import type { Snapshot } from '../store/history.js';
import { textAt } from '../store/read-files.js';
import { comparedFiles } from '../work/compared.js';
import { below, discard } from '../work/discard.js';
import { changeOfIndex, isSwitched } from '../work/index-memory.js';
import { mergedFiles } from '../work/merged.js';
import { everyPath } from '../work/pathspec.js';
import { allOf, anything, deleting, effectsOf, exchange, type Replaced } from '../work/replace.js';
import { listUntracked } from '../work/untracked.js';
import { changedFiles, staged, staleFiles, type WorkTree } from '../work/work-tree.js';
import { asCommitted, comparedWith } from './checkout.js';

/** `git cherry-pick` of one commit. */
export function pick(request: Request): ListerResult {
  return pickCommit(request, (parent, id) => [parent, id]);
}

/** `git revert` of one commit. */
export function revert(request: Request): ListerResult {
  return pickCommit(request, (parent, id) => [id, parent]);
}

function pickCommit(
  request: Request,
  sides: (parent: string, id: string) => readonly [string, string],
): ListerResult {
  if (isGiven(request, '-e --edit')) return 'it starts an editor';
  if (isGiven(request, '-s --strategy')) return 'it may run a program that merges';
  const act = merging(request, (past, ours) => {
    const [text, ...others] = past.arguments.revisions;
    const id = others.length > 0 || past.arguments.isUnsure ? null : past.resolve(text);
    if (id === null) return null;
    const [parent, ...more] = past.history.objects.commit(past.history.objects.peel(id).id).parents;
    return parent === undefined || more.length > 0 ? null : applied(past, ours, sides(parent, id));
  });
  const work = workTreeOf(request);
  if (typeof act === 'string' || work === null) return act;
  // If nothing is left to commit, it prints the state of the work tree.
  return [...act, ...listUntracked(work)];
}

/** Changes the work tree as commits say. */
export function merging(request: Request, replacedBy: Replacing): readonly Effect[] | string {
  const work = workTreeOf(request);
  if (work === null) return [];
  if (isGiven(request, '-S --gpg-sign')) return 'it runs a program for signatures';
  const why = whyOf(request, ['commit']) ?? problemOf(request, work);
  if (why !== null) return why;
  const { heads, isChanged } = changeOfIndex(request.world.changes, work.repository);
  const found = withPast(request, (past) => {
    if (mayReachOthers(request) || (heads.length > 0 && isChanged)) return null;
    const ours = staged(work);
    const all =
      heads.length === 0
        ? [ours && replacedBy(past, ours)]
        : heads.map((id) => replacedBy(withHead(past, id), past.history.filesIn(id)));
    const known = all.filter((each) => each !== null);
    return known.length < all.length ? null : effectsOf(work, allOf(known));
  });
  const files = found ?? anything(work);
  const changed = changedFiles(work);
  return [
    ...files,
    ...files.flatMap((effect) => writtenAgain(effect, changed)),
    // Ending a merge forgets how its conflicts were resolved.
    ...(isGiven(request, '--abort --skip') ? discard(work, null) : []),
    ...comparedFiles(request, work),
    ...files.flatMap((effect) => readBefore(request, effect)),
    ...writeIndex(request, found === null ? null : pathsChanged(work, found)),
    ...keep(request, 'objects', 'references', 'message', 'merge'),
  ];
}

/** The paths that a merge changes in the index; null where they are unknown. */
function pathsChanged(work: WorkTree, effects: readonly Effect[]): readonly string[] | null {
  const changes = effects.flatMap((effect) =>
    effect.kind === 'files' && ['write', 'delete'].includes(effect.access) ? [effect.files] : [],
  );
  return changes.some(({ open }) => open) ? null : changes.flatMap((files) => below(work, files));
}

/** The history where `HEAD` is this commit. */
function withHead(past: Past, id: string): Past {
  const named = (text?: string | null) => text?.replace(/^(?:HEAD|@)(?=$|[~^])/, id);
  return { ...past, resolve: (text) => past.resolve(named(text)) };
}

/** Whether options or settings let it write other files than those that differ. */
function mayReachOthers(request: Request): boolean {
  const strategies = valuesOf(request.reading, '-X --strategy-option').map(textOf);
  const isPutAside =
    isGiven(request, '--autostash') || request.settings.hasAny('merge.autostash rebase.autostash');
  return request.reading.open !== null || isPutAside || !strategies.every((each) => inPlace.test(each ?? ''));
}

/** Options of the strategy that change only the content of files. */
const inPlace =
  /^(?:ours|theirs|patience|histogram|no-renames|ignore-(?:space-change|all-space|space-at-eol))$/;

/** If the merge fails, git writes the deleted files that it had changed again. */
function writtenAgain(effect: Effect, { paths, open }: Files): readonly Effect[] {
  if (effect.kind !== 'files' || effect.access !== 'delete') return [];
  const again = open ? effect.files.paths : effect.files.paths.filter((path) => paths.includes(path));
  return onFiles('write', onlyFiles(again));
}

/** An existing untracked file is compared with its replacement. */
function readBefore({ world }: Request, effect: Effect): readonly Effect[] {
  if (effect.kind !== 'files' || effect.access !== 'write') return [];
  const paths = effect.files.paths.filter((path) => mayExist(path, world));
  return onFiles('read', { ...effect.files, paths });
}

/** `git merge` of one branch. */
export function merge(request: Request): ListerResult {
  let isForward = !isGiven(request, '--no-ff') && request.settings.get('merge.ff') === null;
  let isSigned = false;
  const act = onto(request, (past, ours) => {
    const [text, ...others] = past.arguments.revisions;
    const id = past.resolve(text);
    const tag = id === null ? null : past.history.objects.find(id);
    if (tag?.kind === 'tag' && tag.bytes.includes('\n-----BEGIN ')) isSigned = true;
    const fork = text === undefined || others.length > 0 ? null : forkOf(past, 'HEAD', text);
    if (fork?.base !== fork?.ours) isForward = false;
    return fork === null ? null : applied(past, ours, [fork.base, fork.theirs]);
  });
  const work = workTreeOf(request);
  if (isSigned) return 'it runs a program for the signature of the tag';
  if (typeof act === 'string' || work === null) return act;
  return [...act, ...endMerge(request), ...(isForward ? [] : putAside(request, work, act))];
}

/** Where changes are in the way of a merge, git puts them aside, finds that it cannot begin, and brings them back. */
function putAside(request: Request, work: WorkTree, act: readonly Effect[]): readonly Effect[] {
  const stale = staleFiles(work);
  const touched = new Set(
    act.flatMap((effect) => (effect.kind === 'files' && effect.access !== 'read' ? effect.files.paths : [])),
  );
  const isInTheWay = stale.open || stale.paths.some((path) => touched.has(path));
  const again = isInTheWay ? onFiles('write', stale) : [];
  // After a switch, the index has nothing of its own.
  if (isSwitched(request.world.changes, work.repository)) return again;
  const compared = comparedWith(request, work);
  if (compared.paths.length === 0 && !isInTheWay) return [];
  return [
    ...again,
    ...asCommitted(request, { work, spec: everyPath }),
    ...onFiles('read', compared),
    ...onFiles('write', compared),
    ...deleting(work, compared),
  ];
}

/** `git rebase` of commits without merges: it goes to the other commit, and applies each of them there. */
export function rebase(request: Request): ListerResult {
  const isOther = isGiven(request, '--onto --root --apply -C --whitespace --keep-base');
  if (isGiven(request, '--skip') && !isPlainTodo(request)) return 'the remaining steps may start a program';
  return onto(request, (past, ours) => {
    const [text, branch = 'HEAD', ...others] = past.arguments.revisions;
    const fork = text === undefined || others.length > 0 || isOther ? null : forkOf(past, branch, text);
    if (fork === null) return null;
    const filesIn = (id: string) => past.history.filesIn(id);
    const [head, theirs] = [filesIn(fork.ours), filesIn(fork.theirs)];
    const upstream = exchange(filesIn(fork.base), theirs);
    // A change may follow a file that the other side renamed.
    if (upstream.deleted.size > 0) return null;
    const changed = [...theirs].filter(([path]) => upstream.written.has(path));
    const steps = [exchange(ours, head), exchange(ours, theirs), exchange(head, theirs)];
    for (let id = fork.ours; id !== fork.base; ) {
      const [parent, ...more] = past.history.objects.commit(id).parents;
      if (parent === undefined || more.length > 0 || steps.length > mostCommits) return null;
      const before = filesIn(parent);
      const step = mergedFiles(before, new Map([...before, ...changed]), filesIn(id));
      if (step === null) return null;
      steps.push(step);
      id = parent;
    }
    return allOf(steps);
  });
}

/** Whether the rebase that goes on only applies commits. */
function isPlainTodo({ repository, world }: Request): boolean {
  const file = `${repository?.own}/rebase-merge/git-rebase-todo`;
  const lines = mayDiffer(file, world.changes) ? null : orNull(() => textAt(file).split('\n'));
  return lines?.every((line) => /^(?:#.*|(?:p|pick|d|drop|f|fixup|noop)(?: (?!-).*)?|)$/.test(line)) === true;
}

/** The most commits that are applied one by one. */
const mostCommits = 100;

function onto(request: Request, replacedBy: Replacing): readonly Effect[] | string {
  if (isGiven(request, '-e --edit -i --interactive -x --exec')) return 'it starts an editor or a program';
  if (isGiven(request, '-s --strategy')) return 'it may run a program that merges';
  return merging(request, replacedBy);
}

/** Where two commits began to differ; null if that is unknown, or they began at several. */
function forkOf(past: Past, one: string, other: string) {
  const [ours, theirs] = past.arguments.isUnsure ? [null, null] : [past.resolve(one), past.resolve(other)];
  if (ours === null || theirs === null) return null;
  const id = past.history.objects.peel(theirs).id;
  const [base, ...more] = mergeBases(past, ours, id);
  return base === undefined || more.length > 0 ? null : { base, ours, theirs: id };
}

/** What applying the difference of two commits does to files. */
export function applied(
  past: Past,
  ours: Snapshot,
  [before, after]: readonly [string, string],
): Replaced | null {
  return mergedFiles(past.history.filesIn(before), ours, past.history.filesIn(after));
}

/** What a command does to the files of the index; null if it is unknown. */
type Replacing = (past: Past, ours: Snapshot) => Replaced | null;
