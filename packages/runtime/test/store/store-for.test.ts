import { describe, expect, it } from 'vitest';
import { storeFor } from '../../src/open/records.js';
import { memoryStore } from '../../src/store/memory-store.js';
import { StoreError } from '../../src/store/store.js';
import { run } from './stored-things.js';

const opened = memoryStore();
const open = async () => opened;
const missing = async () => {
  throw new StoreError('NOT_LOADED', 'no database on this machine');
};

describe('storeFor', () => {
  it('opens the store of the state folder, which its caller closes', async () => {
    expect(await storeFor({}, '/state', open)).toEqual({ store: opened, unkept: null });
  });

  it('returns the host’s store, or a memory store if the host wants none', async () => {
    const own = memoryStore();
    expect(await storeFor({ store: own }, '/state', missing)).toEqual({ store: own, unkept: null });
    const { store, unkept } = await storeFor({ store: null }, '/state', missing);
    await store.begin(run('a'));
    expect([await store.runs(), unkept]).toMatchObject([[{ id: 'a' }], null]);
  });

  it('uses memory if the database is missing, and says so', async () => {
    const { store, unkept } = await storeFor({}, '/state', missing);
    await store.begin(run('a'));
    expect(unkept).toBe('no database on this machine');
  });

  it.each([{ park: true }, { wait: true }, { resume: 'a' }])(
    'rejects a run that must be stored: %j',
    async (options) => {
      await expect(storeFor(options, '/state', missing)).rejects.toThrow('no database on this machine');
    },
  );

  it('does not replace a damaged store', async () => {
    const damaged = async () => {
      throw new StoreError('DAMAGED', 'it is damaged');
    };
    await expect(storeFor({}, '/state', damaged)).rejects.toThrow('it is damaged');
  });
});
