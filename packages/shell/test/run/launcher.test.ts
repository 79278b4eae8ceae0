import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { launchArguments, usualBash } from '../../src/run/launcher.js';

describe('the launcher', () => {
  it('closes every inherited descriptor, also high ones', () => {
    const held = openSync('/etc/passwd', 'r');
    try {
      const none = Array.from({ length: 40 }, () => 'ignore' as const);
      const stdio = ['ignore', 'pipe', 'inherit', 'pipe', ...none, held] as const;
      const command = 'cd /proc/self/fd; echo *';
      const args = launchArguments(command);
      const { stdout } = spawnSync(usualBash, args, { stdio: [...stdio], encoding: 'utf8' });
      // The last one is the folder that is being read.
      expect(stdout).toBe('0 1 2 3\n');
    } finally {
      closeSync(held);
    }
  });
});
