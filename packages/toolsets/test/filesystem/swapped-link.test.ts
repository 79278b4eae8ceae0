import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deleteContained, moveContained } from '../../src/filesystem/contained/change-contained.js';
import { entriesOf } from '../../src/filesystem/contained/listing.js';
import { writeContained } from '../../src/filesystem/contained/write-contained.js';
import { filePlace, realPlace } from '../../src/filesystem/roots/place.js';
import { openRoots, placeOf, readContained } from '../../src/index.js';
import { Hand, snapshot, world } from './world.js';

/** `out/dir/a` in a root, and `outside/a`, which is in none. */
function scene() {
  const { base, at } = world({ 'out/dir/a': 'inner', 'outside/a': 'secret', 'outside/b': 'other' });
  const list = [{ name: 'output', folder: at('out'), mode: 'rw' as const }];
  const swaps: Readonly<Record<string, () => void>> = {
    'the file for a link': () => {
      rmSync(at('out/dir/a'));
      symlinkSync(at('outside/a'), at('out/dir/a'));
    },
    'its folder for a link': () => {
      renameSync(at('out/dir'), at('out/old'));
      symlinkSync(at('outside'), at('out/dir'));
    },
    'the root for a link': () => {
      renameSync(at('out'), at('was-out'));
      mkdirSync(at('elsewhere'));
      symlinkSync(at('outside'), at('elsewhere/dir'));
      symlinkSync(at('elsewhere'), at('out'));
    },
    'the file for a folder': () => {
      rmSync(at('out/dir/a'));
      mkdirSync(at('out/dir/a'));
    },
    'its folder for a file': () => {
      rmSync(at('out/dir'), { recursive: true });
      writeFileSync(at('out/dir'), 'file');
    },
  };
  return { base, at, roots: openRoots(list), hand: Hand.with({ roots: list }), swaps };
}

const swapNames = [
  'the file for a link',
  'its folder for a link',
  'the root for a link',
  'the file for a folder',
  'its folder for a file',
];

const calls = [
  ['read_file', { path: 'output/dir/a' }],
  ['write_file', { path: 'output/dir/a', content: 'x' }],
  ['edit_file', { path: 'output/dir/a', old_text: 'e', new_text: 'x' }],
  ['delete_file', { path: 'output/dir/a' }],
  ['move_file', { path: 'output/dir/a', to: 'output/dir/c' }],
] as const;

describe.each(swapNames)('between description and execution, %s', (swap) => {
  it.each(calls)('%s touches nothing', async (tool, args) => {
    const { base, hand, swaps } = scene();
    let before = {};
    await expect(
      hand.call(tool, args, () => {
        swaps[swap]?.();
        before = snapshot(base);
      }),
    ).rejects.toThrow();
    expect(snapshot(base)).toEqual(before);
  });
});

/** The same after the last look, where nothing but the handles stands in the way. */
describe.each(swapNames)('between the last check and the act, %s', (swap) => {
  const acts = {
    read: async ({ roots }: Scene) => {
      const place = await placeOf('output/dir/a', roots);
      return () => readContained(place, { roots, limit: 100 });
    },
    replace: async ({ roots }: Scene) => {
      const place = await placeOf('output/dir/a', roots);
      return () => writeContained(realPlace(place), Buffer.from('x'), { roots, replaces: place.stat });
    },
    delete: async ({ roots }: Scene) => {
      const place = await placeOf('output/dir/a', roots);
      return () => deleteContained(filePlace(place), roots);
    },
    move: async ({ roots }: Scene) => {
      const [from, to] = [await placeOf('output/dir/a', roots), await placeOf('output/dir/c', roots)];
      return () => moveContained({ from: filePlace(from), to: realPlace(to), roots, limit: 100 });
    },
  };

  it.each(Object.entries(acts))('%s touches nothing', async (_, prepare) => {
    const setting = scene();
    const act = await prepare(setting);
    setting.swaps[swap]?.();
    const before = snapshot(setting.base);
    await expect(act()).rejects.toThrow();
    expect(snapshot(setting.base)).toEqual(before);
  });
});

type Scene = ReturnType<typeof scene>;

describe('a folder that becomes a link after the last check', () => {
  it('is not listed', async () => {
    const { roots, swaps } = scene();
    const place = realPlace(await placeOf('output/dir', roots));
    swaps['its folder for a link']?.();
    await expect(entriesOf(place, roots)).rejects.toThrow('ENOTDIR');
  });

  it('receives no new file', async () => {
    const { base, roots, swaps } = scene();
    const place = realPlace(await placeOf('output/dir/new/file', roots));
    swaps['its folder for a link']?.();
    const before = snapshot(base);
    await expect(writeContained(place, Buffer.from('x'), { roots, replaces: null })).rejects.toThrow(
      'ENOTDIR',
    );
    expect(snapshot(base)).toEqual(before);
  });

  it('receives no moved file', async () => {
    const { base, at, roots, swaps } = scene();
    writeFileSync(at('out/top'), 'x');
    const [from, to] = [await placeOf('output/top', roots), await placeOf('output/dir/c', roots)];
    swaps['its folder for a link']?.();
    const before = snapshot(base);
    await expect(
      moveContained({ from: filePlace(from), to: realPlace(to), roots, limit: 100 }),
    ).rejects.toThrow('ENOTDIR');
    expect(snapshot(base)).toEqual(before);
  });
});

describe('a file that appeared after the description', () => {
  it('is not overwritten by a write', async () => {
    const { at, base, hand } = scene();
    const appear = () => writeFileSync(at('out/new'), 'theirs');
    await expect(hand.call('write_file', { path: 'output/new', content: 'mine' }, appear)).rejects.toThrow(
      '`output/new` changed after the call was judged; look again, then call again',
    );
    expect(snapshot(base)['out/new']).toBe('theirs');
  });

  it('is not overwritten after the last check either, as a file or a dangling link', async () => {
    for (const appear of [
      (path: string) => writeFileSync(path, 'theirs'),
      (path: string) => symlinkSync('nothing', path),
    ]) {
      const { at, base, roots } = scene();
      const place = realPlace(await placeOf('output/new', roots));
      const from = filePlace(await placeOf('output/dir/a', roots));
      appear(at('out/new'));
      const before = snapshot(base);
      await expect(writeContained(place, Buffer.from('mine'), { roots, replaces: null })).rejects.toThrow(
        'EEXIST',
      );
      await expect(moveContained({ from, to: place, roots, limit: 100 })).rejects.toThrow('EEXIST');
      expect(snapshot(base)).toEqual(before);
    }
  });
});
