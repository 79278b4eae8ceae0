import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  memoryStore,
  openStateFolder,
  openStore,
  type Store,
  StoreError,
  stateFolderOf,
} from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';

/** Works on the store of the working folder, and closes it. A missing store is empty, and is not created. */
export async function withStore<T>(host: Host, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await storeHere(host);
  try {
    return await work(store);
  } catch (error) {
    if (error instanceof StoreError) throw new UnusableError(error.message);
    throw error;
  } finally {
    await store.close();
  }
}

async function storeHere({ environment, folder }: Host): Promise<Store> {
  try {
    if (!(await isThere(join(await stateFolderOf(environment, folder), 'runs.db')))) return memoryStore();
    return await openStore(await openStateFolder(environment, folder));
  } catch (error) {
    if (error instanceof StoreError) throw new UnusableError(error.message);
    throw error;
  }
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
