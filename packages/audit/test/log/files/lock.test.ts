import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { awaitLock } from '../../../src/index.js';
import { folder } from '../../events.js';

it.each(['', '{', '{"pid":1}'])(
  'does not wait for the file `%s`, which no program releases',
  async (text) => {
    const path = join(folder(), 'file.lock');
    writeFileSync(path, text);
    const wait = awaitLock(path, 'the file', { patience: Number.POSITIVE_INFINITY });
    await expect(wait).rejects.toThrow('is not a lock of this program; remove it');
  },
);

const elsewhere = (nonce: string) =>
  JSON.stringify({ pid: 1, start: '1', machine: 'another host', boot: 'b', space: null, nonce });
const one = '00000000-0000-4000-8000-000000000001';

it('does not wait its whole patience for a lock of another host, whose process may be gone', async () => {
  const path = join(folder(), 'file.lock');
  writeFileSync(path, elsewhere(one));
  const lock = awaitLock(path, 'the file', { patience: Number.POSITIVE_INFINITY, unseen: 0 });
  await expect(lock).rejects.toThrow('the file is locked from another host');
});

it('waits for each lock of another host by itself, and takes the file that they released', async () => {
  const path = join(folder(), 'file.lock');
  writeFileSync(path, elsewhere(one));
  const lock = awaitLock(path, 'the file', { unseen: 60_000 });
  await wait(30);
  rmSync(path);
  (await lock).release();
});
