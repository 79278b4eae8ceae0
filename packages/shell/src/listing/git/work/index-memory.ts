import { remembered } from '../../../remembered.js';
import type { Changes } from '../../../world.js';

/** Paths that commands of one line may have put into an index; null where they are unknown. */
type Added = Set<string> | null;

const memory = new WeakMap<Changes, Map<string, Added>>();

/** Remembers what a command of the line may put into an index. */
export function rememberIndex(changes: Changes, index: string, added: Iterable<string> | null): void {
  const all = remembered(memory, changes, () => new Map());
  const before = all.get(index);
  all.set(index, added === null || before === null ? null : new Set([...(before ?? []), ...added]));
}

/** What earlier commands of the line may have put into an index, by paths below the work tree; null where it is unknown. */
export function addedToIndex(changes: Changes, index: string): ReadonlySet<string> | null {
  const added = memory.get(changes)?.get(index);
  return added === undefined ? new Set() : added;
}
