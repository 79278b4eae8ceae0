import type { Capability } from '@ambit/core';
import type { LogEntry } from '../../log/line/line.js';

/** A run's permits with facts: a decision records only names. */
interface Permitted {
  /** Takes note of an entry, in the order of the log. */
  accept(entry: LogEntry): void;
  /** The history at a decision that records these names; only names if their facts are unknown. */
  at(run: string, names: readonly string[]): readonly Capability[];
}

/** Follows the permits of each run of a log. */
export function createPermitted(): Permitted {
  const permits = new Map<string, (readonly Capability[])[]>();
  const waiting = new Map<string, readonly Capability[]>();
  const permit = (run: string, capabilities: readonly Capability[]) =>
    permits.set(run, [...(permits.get(run) ?? []), capabilities]);
  return {
    accept: (entry) => {
      const call = `${entry.run} ${entry.call as string}`;
      if (entry.event === 'decision') {
        const capabilities = Array.isArray(entry.capabilities) ? (entry.capabilities as Capability[]) : [];
        if (entry.decision === 'pre_approved' && entry.code === undefined) permit(entry.run, capabilities);
        else waiting.set(call, capabilities);
      } else if (entry.event === 'approval' && entry.approved === true) {
        const capabilities = waiting.get(call);
        if (capabilities !== undefined) permit(entry.run, capabilities);
        waiting.delete(call);
      }
    },
    at: (run, names) => {
      const known = permits.get(run) ?? [];
      return inOrder(known, names) ?? names.map((name) => ({ name }));
    },
  };
}

/** The permits whose names, one after another, are the names that were recorded; answers may have come in another order. */
function inOrder(
  permits: readonly (readonly Capability[])[],
  names: readonly string[],
): readonly Capability[] | null {
  const left = [...permits];
  const history: Capability[] = [];
  while (history.length < names.length) {
    const index = left.findIndex(
      (permit) =>
        permit.length > 0 && permit.every(({ name }, offset) => name === names[history.length + offset]),
    );
    const [next] = index === -1 ? [] : left.splice(index, 1);
    if (next === undefined) return null;
    history.push(...next);
  }
  return history;
}
