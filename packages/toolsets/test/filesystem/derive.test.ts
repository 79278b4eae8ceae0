import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deriveRoots, filesystemIn, mostBytes, openRoots, placeOf } from '../../src/index.js';
import { Hand, world } from './world.js';

function scene() {
  const { at } = world({
    'w/a.md': 'x',
    'w/sub/b.md': 'x',
    'w/sub/ref/c.md': 'x',
    'w/sub/ref/out/d': '',
    'in/e.pdf': 'x',
    'outside/f': 'x',
  });
  const parent = openRoots(
    [
      { name: 'work', folder: at('w'), mode: 'rw', suffixes: ['.md', '.txt'], max_file_bytes: 100 },
      { name: 'ref', folder: at('w/sub/ref'), mode: 'ro' },
      { name: 'input', folder: at('in'), mode: 'ro', untrusted: true },
    ],
    { home: '/nowhere', guarded: [{ path: at('w/sub/policy.md'), what: 'policy file' }] },
  );
  return { at, parent };
}

describe('deriveRoots', () => {
  it('returns a subset of the parent with at least its limits', async () => {
    const { at, parent } = scene();
    const child = await deriveRoots(parent, [
      { name: 'own', path: 'work/sub', suffixes: ['.md', '.pdf', '.notes.txt'], max_file_bytes: 1000 },
      { name: 'read', path: 'input' },
    ]);
    expect(child.list).toEqual([
      {
        name: 'own',
        folder: at('w/sub'),
        real: at('w/sub'),
        mode: 'rw',
        suffixes: ['.md', '.notes.txt'],
        max_file_bytes: 100,
        untrusted: false,
      },
      { name: 'read', folder: at('in'), real: at('in'), mode: 'ro', untrusted: true },
    ]);
    const hand = new Hand(filesystemIn(child));
    expect(await hand.capabilities('read_file', { path: 'read/e.pdf' })).toContainEqual({
      name: 'content.untrusted',
      source: at('in/e.pdf'),
    });
    expect(await hand.capabilities('write_file', { path: 'own/policy.md', content: '' })).toContainEqual({
      name: 'sys.guard',
      what: 'policy file',
      path: at('w/sub/policy.md'),
    });
    expect(await hand.cannot('read_file', { path: 'work/a.md' })).toBe(
      '`work/a.md` begins with no root: paths are written ROOT/rest, and the roots are `own` (read and write, files .md .notes.txt only), `read` (read only)',
    );
  });

  it('applies parent roots inside the child, without naming them', async () => {
    const { parent } = scene();
    const hand = new Hand(filesystemIn(await deriveRoots(parent, [{ name: 'own', path: 'work/sub' }])));
    expect(await hand.cannot('write_file', { path: 'own/ref/c.md', content: '' })).toBe(
      '`own/ref/c.md` lies in a part of the sandbox, which is read only: paths are written ROOT/rest, and the roots are `own` (read and write, files .md .txt only)',
    );
    expect(await hand.cannot('write_file', { path: 'own/b.md', content: '' })).toBeNull();
    expect(await hand.cannot('read_file', { path: 'own/ref/c.md' })).toBeNull();
  });

  it.each([
    ['input', 'the root `own` cannot be `rw`: it lies in one that is read only'],
    ['work/sub/ref', 'the root `own` cannot be `rw`: it lies in one that is read only'],
    ['work/sub/ref/out', 'the root `own` cannot be `rw`: it lies in one that is read only'],
    ['work/a.md', 'the root `own` would be a file: a root is a folder'],
    ['input/e.pdf', 'the root `own` would be a file: a root is a folder'],
  ])('refuses write access beyond the parent, and a file as a root: %s', async (path, why) => {
    const { parent } = scene();
    await expect(deriveRoots(parent, [{ name: 'own', path, mode: 'rw' }])).rejects.toThrow(why);
  });

  it('refuses to write below a child that was narrowed', async () => {
    const { parent } = scene();
    const child = await deriveRoots(parent, [{ name: 'own', path: 'work/sub', mode: 'ro' }]);
    await expect(deriveRoots(child, [{ name: 'more', path: 'own', mode: 'rw' }])).rejects.toThrow(
      'cannot be `rw`',
    );
    expect((await deriveRoots(child, [{ name: 'more', path: 'own' }])).list).toMatchObject([{ mode: 'ro' }]);
  });

  it('refuses a root outside, also through a link, and an invalid name', async () => {
    const { at, parent } = scene();
    symlinkSync(at('outside'), at('w/link'));
    for (const path of ['work/..', 'work/link', 'other', '/etc', at('w'), 'work/a\0b'])
      await expect(deriveRoots(parent, [{ name: 'own', path }])).rejects.toThrow(
        'the root `own` would lie outside of its parent',
      );
    await expect(deriveRoots(parent, [{ name: '..', path: 'work' }])).rejects.toThrow(
      'cannot be the name of a root',
    );
  });

  it('stays confined after its folder leads elsewhere', async () => {
    const { at, parent } = scene();
    const child = await deriveRoots(parent, [{ name: 'own', path: 'work/new' }]);
    symlinkSync(at('outside'), at('w/new'));
    const hand = new Hand(filesystemIn(child));
    expect(await hand.cannot('read_file', { path: 'own/f' })).toMatch(
      /leads out of the sandbox through a link/,
    );
    const place = await placeOf('own/x.md', child);
    expect(mostBytes(place, child)).toBe(100);
  });
});

describe('roots', () => {
  it('are rejected if they are one folder under different names', () => {
    const { at } = scene();
    symlinkSync(at('w'), at('alias'));
    const open = (one: string, other: string) => () =>
      openRoots([
        { name: 'one', folder: at(one), mode: 'rw' },
        { name: 'two', folder: at(other), mode: 'ro' },
      ]);
    for (const [one, other] of [
      ['w', 'w'],
      ['w', 'w/'],
      ['w', 'alias'],
      ['alias', 'w'],
      ['none', 'none'],
      ['w', 'in/../w'],
    ] as const)
      expect(open(one, other)).toThrow('the roots `one` and `two` are one folder');
    expect(open('w', 'w/sub')).not.toThrow();
    expect(open('w', 'in')).not.toThrow();
  });
});
