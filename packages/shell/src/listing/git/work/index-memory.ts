import { existsSync } from 'node:fs';
import { type Changes, type IndexChange, mayHaveChanged } from '../../../world.js';
import { indexFile } from '../store/index-file.js';
import type { Repository } from '../store/repository.js';

/** What earlier commands of the line may have done to the index of a repository. */
export function changeOfIndex({ indexes }: Changes, repository: Repository): IndexChange {
  return indexes.get(indexFile(repository)) ?? none;
}

/** Remembers the paths that a command of the line may put into an index or take out; null for unknown ones. */
export function rememberIndex(
  changes: Changes,
  repository: Repository,
  added: Iterable<string> | null,
): void {
  const index = indexFile(repository);
  const before = changeOfIndex(changes, repository);
  const all = added === null || before.added === null ? null : new Set([...before.added, ...added]);
  const isNew = before === none ? !existsSync(index) && !mayHaveChanged(index, changes) : before.isNew;
  if (isNew) changes.created.add(index);
  changes.indexes.set(index, { ...before, added: all, isChanged: true, isNew });
}

export type Switch = Pick<IndexChange, 'heads' | 'isChanged'>;

export function rememberSwitch(changes: Changes, repository: Repository, switched: Switch): void {
  changes.indexes.set(indexFile(repository), { ...changeOfIndex(changes, repository), ...switched });
}

/** Whether they may have switched to another commit. */
export function isSwitched(changes: Changes, repository: Repository): boolean {
  return changeOfIndex(changes, repository).heads.length > 0;
}

/** Whether something else than what is remembered may have changed it. */
export function isOverwritten(changes: Changes, repository: Repository): boolean {
  const { isNew } = changeOfIndex(changes, repository);
  return mayHaveChanged(indexFile(repository), isNew ? { ...changes, created: new Set() } : changes);
}

const none: IndexChange = { added: new Set(), heads: [], isChanged: false, isNew: false };
