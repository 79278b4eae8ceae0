import { describe, expect, it } from 'vitest';
import { Hand, snapshot, world } from './world.js';

function scene() {
  const { base, at } = world({ 'out/a.txt': 'alpha', 'out/deep/b.txt': 'beta' });
  return { base, hand: Hand.with({ roots: [{ name: 'out', folder: at('out'), mode: 'rw' }] }) };
}

const endings = ['/', '/.', '//', '/./', '/./.', '/x/..'] as const;

describe('a file path with the ending of a folder', () => {
  it.each(endings)('does not refer to the file: a.txt%s', async (ending) => {
    const { base, hand } = scene();
    const path = `out/a.txt${ending}`;
    const before = snapshot(base);
    const calls: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['read_file', { path }],
      ['read_bytes', { path }],
      ['write_file', { path, content: 'x' }],
      ['edit_file', { path, old_text: 'alpha', new_text: 'x' }],
      ['delete_file', { path }],
      ['copy_file', { path, to: 'out/c.txt' }],
      ['copy_file', { path: 'out/deep/b.txt', to: path }],
      ['move_file', { path, to: 'out/c.txt' }],
      ['move_file', { path: 'out/deep/b.txt', to: path }],
      ['list_files', { path }],
      ['search_files', { path, pattern: 'alpha' }],
    ];
    for (const [tool, args] of calls)
      expect([tool, await hand.cannot(tool, args)]).toEqual([tool, expect.stringContaining('not a folder')]);
    expect(snapshot(base)).toEqual(before);
  });

  it.each(['/', '/.'])('creates no file: new%s', async (ending) => {
    const { hand } = scene();
    expect(await hand.cannot('write_file', { path: `out/new${ending}`, content: 'x' })).toMatch(
      /does not exist, and the path names a folder/,
    );
  });

  it.each(['out/deep/', 'out/deep/.', 'out/', 'out/deep/..'])(
    'refers to an existing folder: %s',
    async (path) => {
      const { hand } = scene();
      expect(await hand.cannot('list_files', { path })).toBeNull();
      expect(await hand.cannot('search_files', { path, pattern: 'beta' })).toBeNull();
    },
  );
});

describe('the names of files to search', () => {
  it.each(['../*', '*/a.txt', '/etc/*', '..', '.', 'deep/'])('are not paths: %s', async (name) => {
    const { hand } = scene();
    for (const key of ['files', 'except'])
      await expect(hand.capabilities('search_files', { pattern: 'x', [key]: [name] })).rejects.toThrow(
        'a name without `/`',
      );
  });
});
