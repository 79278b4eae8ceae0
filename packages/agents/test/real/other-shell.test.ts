import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClientName } from '../../src/index.js';
import { programs, RealPlace } from './real-client.js';
import { shellCalls } from './shell-calls.js';

/** Clients that run commands in the shell that `SHELL` names, unless they are told another one. */
const clients: readonly ClientName[] = ['claude-code', 'opencode'];

describe('a person with another shell than bash', () => {
  for (const client of clients)
    it.skipIf(!programs.has(client))(`has commands of ${client} run by bash`, async () => {
      const place = new RealPlace('version: 1\ndefault: pre_approved\n');
      const seen = join(place.base, 'seen');
      const zsh = place.write('zsh', `#!/bin/bash\necho used >> ${seen}\nexec /bin/bash "$@"\n`);
      chmodSync(zsh, 0o755);
      const script = [{ tools: [shellCalls[client]('echo "$BASH_VERSION" > ran')] }, 'done'];
      const told = await place.drive(client, { script, env: { SHELL: zsh }, change: { shell: '/bin/bash' } });
      expect(readFileSync(join(told.proj, 'ran'), 'utf8')).toMatch(/^5/);
      expect(existsSync(seen)).toBe(false);
      await place.drive(client, { script, env: { SHELL: zsh }, name: 'untold' });
      expect(existsSync(seen)).toBe(true);
    });
});
