import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
