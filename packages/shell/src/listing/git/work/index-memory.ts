import { remembered } from '@ambit/core';
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

/** A switch to a branch: one of these commits is checked out, and the index has its files. */
interface Switch {
  readonly heads: readonly string[];
  readonly added: Added | undefined;
}

const switches = new WeakMap<Changes, Map<string, Switch>>();

/** Remembers that a command may have switched from the first to the second commit, and wrote the index last. */
export function rememberSwitch(changes: Changes, index: string, heads: readonly string[]): void {
  const all = remembered(switches, changes, () => new Map());
  all.set(index, { heads, added: memory.get(changes)?.get(index) });
}

/** The commits of which one is checked out after a switch; none without a switch, null if the index changed since. */
export function headsAfter(changes: Changes, index: string): readonly string[] | null {
  const found = switches.get(changes)?.get(index);
  if (found === undefined) return [];
  return found.added === memory.get(changes)?.get(index) ? found.heads : null;
}
