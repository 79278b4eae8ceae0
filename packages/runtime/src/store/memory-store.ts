import type { Step, Store } from './store.js';
import { storedId, storedText } from './stored-text.js';
import { type Table, type Tables, tableStore } from './table-store.js';

export function memoryStore(): Store {
  const steps = new Map<string, string[]>();
  const tables: Tables = {
    runs: memoryTable(),
    questions: memoryTable(),
    kept: memoryTable(),
    steps: {
      add: (run, added) => {
        const texts = added.map(storedText);
        steps.set(run, [...(steps.get(run) ?? []), ...texts]);
      },
      of: (run) => (steps.get(storedId(run)) ?? []).map((text) => JSON.parse(text) as Step),
      delete: (run) => steps.delete(run),
    },
  };
  let closed = false;
  /** Synchronous work is atomic here: nothing awaits. */
  const now = async <T>(work: (tables: Tables) => T): Promise<T> => {
    if (closed) throw new Error('the store is closed');
    return work(tables);
  };
  return tableStore({
    read: now,
    write: now,
    settle: async () => undefined,
    close: async () => {
      closed = true;
    },
  });
}

/** As text, so no caller can change stored values. */
function memoryTable<Value>(): Table<Value> {
  const texts = new Map<string, string>();
  const parsed = (text: string) => JSON.parse(text) as Value;
  return {
    has: (id) => texts.has(storedId(id)),
    get(id) {
      const text = texts.get(storedId(id));
      return text === undefined ? null : parsed(text);
    },
    all: () => [...texts.values()].map(parsed),
    put(id, value) {
      const text = storedText(value);
      texts.delete(id);
      texts.set(storedId(id), text);
    },
    change: (id, value) => texts.set(id, storedText(value)),
    delete: (id) => texts.delete(id),
  };
}
