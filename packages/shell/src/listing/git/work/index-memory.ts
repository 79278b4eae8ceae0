import type { Changes } from '../../../world.js';

/** Remembers what a command of the line may put into an index, or take out. */
export function rememberIndex({ indexes }: Changes, index: string, added: Iterable<string> | null): void {
  const before = indexes.get(index) ?? none;
  const all = added === null || before.added === null ? null : new Set([...before.added, ...added]);
  indexes.set(index, { added: all, heads: before.heads?.length === 0 ? [] : null });
}

/** What earlier commands of the line may have put into an index or taken out, by paths below the work tree; null where it is unknown. */
export function addedToIndex({ indexes }: Changes, index: string): ReadonlySet<string> | null {
  return (indexes.get(index) ?? none).added;
}

/** Remembers that a command may have switched from the first to the second commit, and wrote the index last. */
export function rememberSwitch({ indexes }: Changes, index: string, heads: readonly string[]): void {
  indexes.set(index, { ...(indexes.get(index) ?? none), heads });
}

/** The commits of which one is checked out after a switch; none without a switch, null if the index changed since. */
export function headsAfter({ indexes }: Changes, index: string): readonly string[] | null {
  return (indexes.get(index) ?? none).heads;
}

const none = { added: new Set<string>(), heads: [] };
