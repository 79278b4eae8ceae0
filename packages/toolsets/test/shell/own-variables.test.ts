import type { Capability } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { openRoots } from '../../src/index.js';
import { describeCommand } from '../../src/shell/describe-command.js';
import { world } from '../world.js';

function scene() {
  const { base, at } = world({ 'a.txt': 'x' });
  const roots = openRoots([{ name: 'w', folder: base, mode: 'rw' }], { home: '/nowhere' });
  const capabilities = async (
    command: string,
    env: Readonly<Record<string, string>>,
  ): Promise<readonly Capability[]> =>
    (await describeCommand({ command, env }, { roots, home: '/nowhere' })).capabilities;
  return { at, capabilities };
}

describe('a variable of the call itself', () => {
  it('is described, and known to the command', async () => {
    const { at, capabilities } = scene();
    expect(await capabilities('cat $NAME', { NAME: 'a.txt' })).toEqual([
      { name: 'env.set', variable: 'NAME', value: 'a.txt' },
      { name: 'proc.exec', program: 'cat', argv: ['cat', 'a.txt'], cwd: at('').replace(/\/$/, '') },
      { name: 'fs.read', path: at('a.txt') },
    ]);
  });

  it.each([
    ['git fetch', 'GIT_SSH_COMMAND', 'touch pwned', { name: 'proc.exec', program: 'touch' }],
    ['less a.txt', 'LESSOPEN', '|touch pwned', { name: 'proc.exec', program: 'touch' }],
    ['ls', 'LD_PRELOAD', '/nowhere/evil.so', { name: 'code.load', path: '/nowhere/evil.so' }],
    [
      'node a.js',
      'NODE_OPTIONS',
      '--require /nowhere/evil.js',
      { name: 'code.load', path: '/nowhere/evil.js' },
    ],
  ])('carries what it makes `%s` do: %s', async (command, variable, value, expected) => {
    const { capabilities } = scene();
    expect(await capabilities(command, { [variable]: value })).toContainEqual(
      expect.objectContaining(expected),
    );
    expect(await capabilities(command, {})).not.toContainEqual(expect.objectContaining(expected));
  });
});
