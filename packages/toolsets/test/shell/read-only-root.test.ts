import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRoots, shell } from '../../src/index.js';
import { Hand, snapshot, world } from '../world.js';

function scene() {
  const { base, at } = world({ 'in/a': 'x', 'out/b': 'x', 'in/work/c': 'x' });
  symlinkSync(at('in'), at('out/link'));
  const roots = openRoots(
    [
      { name: 'input', folder: at('in'), mode: 'ro' },
      { name: 'output', folder: at('out'), mode: 'rw' },
      { name: 'work', folder: at('in/work'), mode: 'rw' },
    ],
    { home: '/nowhere' },
  );
  return { base, at, hand: new Hand(shell({ roots, home: '/nowhere' })) };
}

describe('a command that would change a root that is read only', () => {
  it.each([
    ['echo x > ../in/a', 'input/a'],
    ['rm ../in/a', 'input/a'],
    ['mv b ../in', 'input'],
    ['echo x > link/new', 'input/new'],
    ['cd link; touch d', 'input/d'],
    ['chmod 777 ../in/a', 'input/a'],
    ['cat b | tee ../in/a', 'input/a'],
    ['true && sed -i s/x/y/ ../in/a', 'input/a'],
  ])('cannot be run, whoever permits it: %s', async (command, path) => {
    const { base, hand } = scene();
    const before = snapshot(base);
    const { capabilities, cannot } = await hand.describe('run', { command });
    expect(cannot).toContain(
      `the command would change \`${path}\`, which lies in a root that is read only: `,
    );
    await expect(hand.execute('run', { command }, capabilities)).rejects.toThrow('read only');
    expect(snapshot(base)).toEqual(before);
  });

  it('is another than one that reads it, or changes a root within it', async () => {
    const { hand } = scene();
    for (const command of ['cat ../in/a', 'cp ../in/a .', 'echo x > ../in/work/c'])
      expect(await hand.cannot('run', { command })).toBeNull();
  });
});
