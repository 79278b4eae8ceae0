import { pathFact } from '@ambit/core';
import type { Effect, Files } from '../../../effect.js';
import { joinPath } from '../../../files/listing.js';
import { capability } from '../../../programs/language/make-effect.js';
import { mayExist } from '../../../world.js';
import { type Past, withPast } from '../content.js';
import type { Request } from '../request.js';
import type { Snapshot } from '../store/history.js';
import { marked } from '../store/order.js';
import { isMoved, unequalFiles, type WorkTree } from './work-tree.js';

/** Discards content that no commit holds. Paths are below the work tree; null means any, and `isOpen` adds any others. */
export function discard(
  work: WorkTree,
  paths: Iterable<string> | null,
  isOpen = work.index === null,
): readonly Effect[] {
  const all = [...(paths ?? [])].map((path) => joinPath(work.tree, path));
  const full = all.filter((path) => mayExist(path, work.world));
  const moved = isMoved(work);
  const open = paths === null || isOpen || moved;
  if (full.length === 0 && !open) return [];
  const path = pathFact(full, { open, under: open && !moved ? work.tree : null });
  return [capability('vcs.discard', { path })];
}

/** Files by their paths below the work tree. */
export function below(work: WorkTree, { paths }: Pick<Files, 'paths'>): readonly string[] {
  return paths.map((path) => path.slice(work.tree.length + 1));
}

/** The given files whose content may differ from a commit, or that it lacks. */
export function uncommitted(work: WorkTree, head: Snapshot, paths: ReadonlySet<string>): readonly string[] {
  const unequal = unequalFiles(work);
  if (unequal.open) return [...paths];
  const changed = new Set(below(work, unequal));
  const committed = new Set(
    (work.index?.entries ?? [])
      .filter(({ path, id }) => head.get(path)?.id === id && !changed.has(path))
      .map(({ path }) => path),
  );
  return [...paths].filter((path) => !committed.has(path));
}

/** Discards commits or a stash. Their files are not named: the path is that of the work tree. */
export function discardCommits({ repository }: Request): readonly Effect[] {
  if (repository === null) return [];
  const path = repository.tree ?? repository.own;
  return [capability('vcs.discard', { path })];
}

/** Whether commits of a reference are missing in the history of `kept`. */
export function mayLose(past: Past, reference: string, kept = 'HEAD'): boolean {
  const [from, to] = [past.resolve(reference), past.resolve(kept)];
  if (from === null || to === null) return true;
  const { history } = past;
  const marks = marked(history.objects, [from], [to], (mark) => mark > 1);
  return marks.get(history.objects.peel(from).id) === 1;
}

/** Discards commits of these references, which are deleted or moved to `kept`; null stands for an unknown name. */
export function discardReferences(
  request: Request,
  names: readonly (string | null)[],
  kept?: string,
): readonly Effect[] {
  const isHeld = withPast(request, (past) =>
    names.every((name) => name !== null && (!past.references.byName.has(name) || !mayLose(past, name, kept))),
  );
  return isHeld === true || names.length === 0 ? [] : discardCommits(request);
}
