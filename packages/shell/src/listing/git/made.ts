import { existsSync } from 'node:fs';
import type { Effect, FilesEffect } from '../../effect.js';
import { joinPath } from '../../files/listing.js';
import { mayHaveChanged } from '../../world.js';
import { type Past, withPast } from './content.js';
import { isGiven, type Request, workTreeOf } from './request.js';
import { difference } from './store/history.js';
import type { Repository } from './store/repository.js';
import { isSecret } from './store/secret-names.js';
import { below } from './work/discard.js';
import { isSwitched } from './work/index-memory.js';
import { staleFiles } from './work/work-tree.js';

/** The newest commit, or the newest stash. */
export type Newest = 'HEAD' | 'refs/stash';

/** Writes references: later commands of the line know that the newest commit or stash is the line's own. */
export function keepMade(request: Request, name: Newest, effects: readonly FilesEffect[]): readonly Effect[] {
  const { repository, world } = request;
  const { created, made, open } = world.changes;
  const file = repository === null ? '' : fileOf(repository, name);
  const before = made.get(file);
  const isFirst = before === undefined && isUnmoved(request, name);
  if (repository === null || (!before && !isFirst)) return effects;
  const isAmended = before?.isAmended === true || isGiven(request, '--amend');
  made.set(file, { folder: repository.common, isAmended });
  for (const { files } of effects.filter(({ isRemembered }) => isRemembered !== true)) {
    for (const path of files.paths) created.add(path);
    if (files.open) open.add(files.under ?? '/');
  }
  return effects.map((effect) => ({ ...effect, isRemembered: true }));
}

/** Whether no earlier command of the line may have moved it, nor the last commit, and no commit ends a merge. */
function isUnmoved(request: Request, name: Newest): boolean {
  const merged = `${request.repository?.own}/MERGE_HEAD`;
  if (existsSync(merged) || mayHaveChanged(merged, request.world.changes)) return false;
  const isKnown = (past: Past) => past.resolve(name) !== null || past.lacks(name);
  return withPast(request, (past) => past.resolve('HEAD') !== null && isKnown(past)) === true;
}

/** Well-known secrets in the newest commit or stash, which the line made, or did not; null if another one may be the newest. */
export function secretsMade(request: Request, past: Past, name: Newest): ReadonlySet<string> | null {
  const { repository, world } = request;
  const work = workTreeOf(request);
  const tip = repository === null ? null : world.changes.made.get(fileOf(repository, name));
  if (!tip || work === null || world.changes.open.has('/')) return null;
  const { byName } = past.references;
  const [head, before] = [byName.get('HEAD'), byName.get(name)];
  const stale = staleFiles(work);
  if (head === undefined || stale.open || (name === 'HEAD' && isSwitched(world.changes, work.repository)))
    return null;
  const { history } = past;
  const { parents } = history.objects.commit(head);
  const bases = (tip.isAmended ? [head, ...parents] : [head]).map((id) => history.inRevision(id));
  if (tip.isAmended && parents.length === 0) bases.push(new Map());
  const changed = below(work, stale).filter((path) => isSecret(joinPath(work.tree, path), world.roots.homes));
  // Where nothing has changed, git makes none.
  const old = before === undefined ? [] : secretsIn(past, before);
  return new Set([...bases.flatMap((base) => [...difference(base, past.staged())]), ...changed, ...old]);
}

/** The well-known secrets that a commit changes, or that a stash holds. */
export function secretsIn({ history }: Past, id: string): readonly string[] {
  const [, , untracked] = history.objects.commit(id).parents;
  const more = untracked === undefined ? [] : history.inRevision(untracked).keys();
  return [...history.inChange(id), ...more];
}

function fileOf({ own, common }: Repository, name: Newest): string {
  return name === 'HEAD' ? `${own}/HEAD` : `${common}/${name}`;
}
