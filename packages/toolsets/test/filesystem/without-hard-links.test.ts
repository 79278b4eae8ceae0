import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyThenDelete } from '../../src/filesystem/contained/change-contained.js';
import { claimName } from '../../src/filesystem/contained/write-contained.js';
import { inFolder } from '../../src/filesystem/roots/folder.js';
import { filePlace } from '../../src/filesystem/roots/place.js';
import { openRoots, placeOf } from '../../src/index.js';
import { snapshot, world } from './world.js';

const descriptors = '/proc/self/fd';

describe('on a file system without hard links', () => {
  it('a new file is created only under a free name', async () => {
    const { base, at } = world({ new: 'x', taken: 'theirs' });
    await expect(claimName(at('new'), at('taken'))).rejects.toThrow('EEXIST');
    await claimName(at('new'), at('free'));
    expect(snapshot(base)).toEqual({ free: 'x', taken: 'theirs' });
  });

  it('a move copies, then deletes; existing, growing or changed files stay', async () => {
    const { base, at } = world({ 'out/a': 'xyz', 'out/dir/taken': 'theirs' });
    const roots = openRoots([{ name: 'out', folder: at('out'), mode: 'rw' }]);
    const from = filePlace(await placeOf('out/a', roots));
    const copy = (name: string, limit: number) =>
      inFolder({ folder: posix.dirname(from.real), create: [], descriptors }, (source) =>
        inFolder({ folder: at('out/dir'), create: [], descriptors }, (target) =>
          copyThenDelete({ source, target, from, name, limit }),
        ),
      );
    await expect(copy('taken', 10)).rejects.toThrow('EEXIST');
    await expect(copy('b', 2)).rejects.toThrow('`out/a` holds more than 2 bytes');
    expect(snapshot(base)).toMatchObject({ 'out/a': 'xyz', 'out/dir/taken': 'theirs' });
    await copy('b', 10);
    expect(snapshot(at('out'))).toEqual({ dir: '/', 'dir/b': 'xyz', 'dir/taken': 'theirs' });
    writeFileSync(at('out/a'), 'another');
    await expect(copy('c', 10)).rejects.toThrow('`out/a` changed after the call was judged');
    expect(readFileSync(at('out/a'), 'utf8')).toBe('another');
    expect(statSync(at('out/dir/b')).nlink).toBe(1);
  });
});
