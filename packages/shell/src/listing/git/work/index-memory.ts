import type { Changes } from '../../../world.js';

/** Remembers the paths that a command of the line may put into an index or take out; null for unknown ones. */
export function rememberIndex({ indexes }: Changes, index: string, added: Iterable<string> | null): void {
  const before = indexes.get(index) ?? none;
  const all = added === null || before.added === null ? null : new Set([...before.added, ...added]);
  indexes.set(index, { added: all, heads: before.heads?.length === 0 ? [] : null });
}

/** The paths below the work tree that earlier commands may have put into an index or taken out; null if unknown. */
export function addedToIndex({ indexes }: Changes, index: string): ReadonlySet<string> | null {
  return (indexes.get(index) ?? none).added;
}

/** Remembers that a command may have switched from the first to the second commit. */
export function rememberSwitch({ indexes }: Changes, index: string, heads: readonly string[]): void {
  indexes.set(index, { ...(indexes.get(index) ?? none), heads });
}

/** See `IndexChange.heads`. */
export function headsAfter({ indexes }: Changes, index: string): readonly string[] | null {
  return (indexes.get(index) ?? none).heads;
}

const none = { added: new Set<string>(), heads: [] };
