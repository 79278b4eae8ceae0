import type { OpenOptions } from '../open/session.js';
import { openStore } from './file-store.js';
import { memoryStore } from './memory-store.js';
import type { Store } from './store.js';
import { StoreError } from './store-error.js';

export interface StoreFor {
  readonly store: Store;
  /** Why the run does not survive its process, though nobody asked for that; null otherwise. */
  readonly unkept: string | null;
}

/**
 * Where a run is kept: in what its host gives, else in the state folder. Where the database cannot be loaded on this machine, a run
 * that need not outlive its process is kept in memory; one that has to rejects.
 */
export async function storeFor(
  { store, park, wait, resume }: Pick<OpenOptions, 'store' | 'park' | 'wait' | 'resume'>,
  state: string,
  open: (folder: string) => Promise<Store> = openStore,
): Promise<StoreFor> {
  if (store === null) return { store: memoryStore(), unkept: null };
  if (store !== undefined) return { store, unkept: null };
  try {
    return { store: await open(state), unkept: null };
  } catch (error) {
    const isMissing = error instanceof StoreError && error.code === 'NOT_LOADED';
    if (!isMissing || park === true || wait === true || resume !== undefined) throw error;
    return { store: memoryStore(), unkept: error.message };
  }
}
