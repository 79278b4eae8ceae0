import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examineFolder } from '@ambit/agents';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';

it('does not say that a state folder is missing if it cannot be examined', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect((await examineFolder(`${file}-none`)).state).toBe('open');
  const found = await examineFolder(join(file, 'ambit'));
  expect(found.state).toBe('bad');
  expect(found.message).toContain('cannot be examined: ENOTDIR');
});
