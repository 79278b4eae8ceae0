import fs from 'node:fs';
import { expect, it, vi } from 'vitest';
import { HookPlace } from './place.js';

it('looks for a guarded place once for a patch of many files', async () => {
  const place = new HookPlace();
  const looked = vi.spyOn(fs.realpathSync, 'native');
  const looksFor = async (files: number) => {
    looked.mockClear();
    const parts = Array.from({ length: files }, (_, at) => `*** Add File: out/${at}.txt\n+new\n`);
    const command = `*** Begin Patch\n${parts.join('')}*** End Patch`;
    await place.answer(place.call('apply_patch', { command }), { client: 'codex' });
    return looked.mock.calls.filter(([path]) => path === place.policy).length;
  };
  await looksFor(1);
  const once = await looksFor(1);
  expect(once).toBeGreaterThan(0);
  expect(await looksFor(20)).toBe(once);
  looked.mockRestore();
});
