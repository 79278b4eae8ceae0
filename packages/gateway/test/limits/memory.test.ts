import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { started } from './program.js';

const long = { timeout: 150_000, interval: 50 };

describe.skipIf(process.platform !== 'linux')('the memory of the gateway', () => {
  it.skipIf(!isDeep).each(['huge', 'flood'])(
    'stays bounded if a server sends data that is %s',
    async (mode) => {
      const { send, answers, read, peak } = await started(mode);
      read();
      await expect.poll(() => answers.has(0), long).toBe(true);
      const before = peak();
      for (let id = 1; id <= 5; id += 1) send(id, 'tools/call', { name: 'echo', arguments: { text: 'a' } });
      await expect.poll(() => answers.size, long).toBe(6);
      expect(peak() - before).toBeLessThan(200);
    },
  );

  it.skipIf(!isDeep)('is enough for 1 000 calls in flight; one more is refused', async () => {
    const { send, answers, read, peak, world } = await started('hang');
    read();
    for (let id = 1; id <= 1_001; id += 1) send(id, 'tools/call', { name: 'echo', arguments: { text: 'a' } });
    await expect
      .poll(() => [...answers].filter(([, { error }]) => error?.code === -32000).length, long)
      .toBe(1);
    await expect
      .poll(() => world.asked().filter((line) => line.startsWith('tools/call')).length, long)
      .toBe(1_000);
    expect(peak()).toBeLessThan(500);
  });
});
