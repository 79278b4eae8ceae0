import { symlinkSync } from 'node:fs';
import { pathFact } from '@ambit/core';
import { openRoots } from '@ambit/toolsets';
import { describe, expect, it } from 'vitest';
import { world } from '../../toolsets/test/filesystem/world.js';
import { problemOfReadOnly } from '../src/describe/describe-command.js';

function scene() {
  const { at } = world({ 'in/a': 'x', 'out/b': 'x', 'in/work/c': 'x' });
  symlinkSync(at('in'), at('out/link'));
  const roots = openRoots([
    { name: 'input', folder: at('in'), mode: 'ro' },
    { name: 'output', folder: at('out'), mode: 'rw' },
    { name: 'work', folder: at('in/work'), mode: 'rw' },
  ]);
  return { at, roots };
}

describe('a read-only root', () => {
  it.each(['fs.write', 'fs.delete', 'fs.meta'])(
    'forbids %s of a file in the root, alone or in a set',
    (name) => {
      const { at, roots } = scene();
      for (const path of [
        at('in/a'),
        pathFact([at('in/a'), at('out/b')]),
        pathFact([at('in/a')], { open: true }),
      ])
        expect(problemOfReadOnly([{ name, path }], roots)).toContain(
          'the command would change `input/a`, which lies in a root that is read only: ',
        );
    },
  );

  it('allows reading, and changes in a writable root inside the read-only root', () => {
    const { at, roots } = scene();
    expect(problemOfReadOnly([{ name: 'fs.read', path: at('in/a') }], roots)).toBeNull();
    expect(problemOfReadOnly([{ name: 'fs.write', path: at('in/work/c') }], roots)).toBeNull();
    expect(problemOfReadOnly([{ name: 'fs.write' }], roots)).toBeNull();
  });
});
