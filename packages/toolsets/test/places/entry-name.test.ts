import { linkSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Entries, entryNameOf } from '../../src/places/entry-name.js';
import { followIn } from '../../src/places/follow.js';
import { Hand, world } from '../filesystem/world.js';

const by = 'toolset:filesystem';

/** A file system that finds names in upper and lower case, and in any spelling of Unicode. */
function folding(paths: readonly string[]): Entries {
  const fold = (path: string) => path.normalize('NFD').toLowerCase();
  return {
    stat: (path) => {
      const ino = paths.findIndex((one) => fold(one) === fold(path));
      return ino === -1 ? null : { dev: 1, ino };
    },
    names: (folder) =>
      paths.filter((path) => posix.dirname(path) === folder).map((path) => posix.basename(path)),
  };
}

describe('entryNameOf', () => {
  const entries = folding(['/', '/w', '/w/.env', '/w/Straße', '/w/caf\u00e9', '/w/123']);

  it.each([
    ['/w/.ENV', '.env'],
    ['/w/.eNv', '.env'],
    ['/w/.env', '.env'],
    ['/w/cafe\u0301', 'caf\u00e9'],
    ['/w/CAFE\u0301', 'caf\u00e9'],
    ['/w/STRAßE', 'Straße'],
    ['/w/123', '123'],
    ['/w/none', 'none'],
  ])('returns for %s the name %s', (path, name) => {
    expect(entryNameOf(path, entries.stat(path), entries)).toBe(name);
  });
});

describe('a path on a case-insensitive file system', () => {
  it('has the real names of files and folders', () => {
    const entries = folding(['/', '/w', '/w/.git', '/w/.git/hooks']);
    const isThere = (path: string) => entries.stat(path) !== null;
    const folder = { isSymbolicLink: () => false, isDirectory: () => true };
    const way = followIn('/W/.GIT/Hooks/pre-commit', {
      stat: (path) => ({ stat: isThere(path) ? (folder as never) : null }),
      target: () => null,
      name: (path) => entryNameOf(path, entries.stat(path), entries),
    });
    expect(way).toEqual({ real: '/w/.git/hooks/pre-commit', stat: null, missing: [], ends_in_link: false });
  });

  it('is not merged with another one if two names are links to one file', async () => {
    const { at } = world({ 'w/.env.example': 'x' });
    linkSync(at('w/.env.example'), at('w/.Env.example'));
    const hand = Hand.with({ roots: [{ name: 'w', folder: at('w'), mode: 'ro' }] });
    expect(await hand.capabilities('read_file', { path: 'w/.Env.example' })).toEqual([
      { name: 'fs.read', path: at('w/.Env.example'), by },
    ]);
  });
});

describe('names that differ only in case', () => {
  it('are different files, each reported by its own name', async () => {
    const { at } = world({ 'w/caf\u00e9': 'one', 'w/cafe\u0301': 'two', 'w/\u212a': 'kelvin', 'w/k': 'k' });
    const hand = Hand.with({ roots: [{ name: 'w', folder: at('w'), mode: 'ro' }] });
    for (const [name, text] of [
      ['caf\u00e9', 'one'],
      ['cafe\u0301', 'two'],
      ['\u212a', 'kelvin'],
    ] as const) {
      expect(await hand.capabilities('read_file', { path: `w/${name}` })).toEqual([
        { name: 'fs.read', path: at(`w/${name}`), by },
      ]);
      expect(await hand.call('read_file', { path: `w/${name}` })).toMatchObject({ text });
    }
    expect(await hand.cannot('read_file', { path: 'W/k' })).toMatch(/^`W\/k` begins with no root/);
    expect(await hand.cannot('read_file', { path: 'w/K' })).toBe('`w/K` does not exist');
  });

  it('are recognised as secrets and guarded places in upper case too', async () => {
    const { at } = world({ 'w/.ENV': 'x', 'w/Server.PEM': 'x' });
    const hand = Hand.with({ roots: [{ name: 'w', folder: at('w'), mode: 'ro' }] });
    for (const name of ['.ENV', 'Server.PEM'])
      expect(await hand.capabilities('read_file', { path: `w/${name}` })).toContainEqual({
        name: 'secret.read',
        by,
        path: at(`w/${name}`),
      });
  });
});
