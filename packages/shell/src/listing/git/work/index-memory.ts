import type { Changes, IndexChange } from '../../../world.js';
import { indexFile } from '../store/index-file.js';
import type { Repository } from '../store/repository.js';

/** What earlier commands of the line may have done to the index of a repository. */
export function changeOfIndex({ indexes }: Changes, repository: Repository): IndexChange {
  return indexes.get(indexFile(repository)) ?? { added: new Set(), heads: [], isChanged: false };
}

/** Remembers the paths that a command of the line may put into an index or take out; null for unknown ones. */
export function rememberIndex(
  changes: Changes,
  repository: Repository,
  added: Iterable<string> | null,
): void {
  const before = changeOfIndex(changes, repository);
  const all = added === null || before.added === null ? null : new Set([...before.added, ...added]);
  changes.indexes.set(indexFile(repository), { added: all, heads: before.heads, isChanged: true });
}

export type Switch = Omit<IndexChange, 'added'>;

export function rememberSwitch(changes: Changes, repository: Repository, switched: Switch): void {
  changes.indexes.set(indexFile(repository), { ...changeOfIndex(changes, repository), ...switched });
}

/** Whether they may have switched to another commit. */
export function isSwitched(changes: Changes, repository: Repository): boolean {
  return changeOfIndex(changes, repository).heads.length > 0;
}
