import { createHash } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { filesystemAt } from '../../src/index.js';
import { Hand, snapshot, world } from './world.js';

const by = 'toolset:filesystem';

/** What a file holds before it is touched. */
const holding = (text: string) => ({ sha256: createHash('sha256').update(text).digest('hex'), by });

const setting = (files: Readonly<Record<string, string>> = {}) => {
  const { base, at } = world({ 'in/.keep': '', 'out/.keep': '', ...files });
  const hand = Hand.with({
    roots: [
      { name: 'input', folder: at('in'), mode: 'ro' },
      { name: 'output', folder: at('out'), mode: 'rw' },
    ],
  });
  return { base, at, hand };
};

describe('write_file', () => {
  it('creates a file and its parent folders, and reports all of them', async () => {
    const { at, hand } = setting();
    const args = { path: 'output/a/b/c.md', content: 'hé' };
    expect(await hand.describe('write_file', args)).toEqual({
      capabilities: [
        { name: 'fs.write', path: at('out/a'), exists: false, by },
        { name: 'fs.write', path: at('out/a/b'), exists: false, by },
        { name: 'fs.write', path: at('out/a/b/c.md'), bytes: 3, exists: false, by },
      ],
    });
    expect(await hand.call('write_file', args)).toEqual({ path: 'output/a/b/c.md', bytes: 3, created: true });
    expect(snapshot(at('out'))).toEqual({ '.keep': '', a: '/', 'a/b': '/', 'a/b/c.md': 'hé' });
  });

  it('replaces a file with its mode, and does not change its other hard links', async () => {
    const { at, hand } = setting({ 'out/a.sh': 'old' });
    chmodSync(at('out/a.sh'), 0o750);
    linkSync(at('out/a.sh'), at('elsewhere'));
    const args = { path: 'output/a.sh', content: 'new' };
    expect(await hand.capabilities('write_file', args)).toEqual([
      { name: 'fs.write', path: at('out/a.sh'), bytes: 3, exists: true, links: 2, ...holding('old') },
    ]);
    expect(await hand.call('write_file', args)).toEqual({ path: 'output/a.sh', bytes: 3, created: false });
    expect(readFileSync(at('elsewhere'), 'utf8')).toBe('old');
    expect(statSync(at('out/a.sh')).mode & 0o7777).toBe(0o750);
    expect(snapshot(at('out'))).toEqual({ '.keep': '', 'a.sh': 'new' });
  });

  it('writes through a link in its root, and reports both paths', async () => {
    const { at, hand } = setting({ 'out/real/a.md': 'old' });
    symlinkSync('real', at('out/link'));
    const args = { path: 'output/link/a.md', content: 'new' };
    expect(await hand.capabilities('write_file', args)).toEqual([
      { name: 'fs.write', path: at('out/link/a.md'), bytes: 3, exists: true, ...holding('old') },
      { name: 'fs.write', path: at('out/real/a.md'), bytes: 3, exists: true, ...holding('old') },
    ]);
    await hand.call('write_file', args);
    expect(snapshot(at('out'))).toEqual({ '.keep': '', link: '-> real', real: '/', 'real/a.md': 'new' });
  });

  it('creates the folder of a root that does not exist, and no folder above it', async () => {
    const { at, base } = world();
    const hand = (folder: string) =>
      Hand.with({ roots: [{ name: 'output', folder: at(folder), mode: 'rw' }] });
    await hand('new').call('write_file', { path: 'output/a', content: 'x' });
    expect(snapshot(base)).toEqual({ new: '/', 'new/a': 'x' });
    expect(await hand('far/away').cannot('write_file', { path: 'output/a', content: 'x' })).toBe(
      'the folder that `output/a` lies in does not exist, and lies outside the sandbox',
    );
  });
});

describe('read_file', () => {
  it('reads a text, and tells how to get the rest', async () => {
    const { hand } = setting({ 'in/a.txt': 'one\r\ntwo\nthree' });
    expect(await hand.call('read_file', { path: 'input/a.txt' })).toEqual({
      path: 'input/a.txt',
      text: 'one\r\ntwo\nthree',
      from: 1,
      to: 3,
      total_lines: 3,
      rest: null,
    });
    expect(await hand.call('read_file', { path: 'input//./x/../a.txt', from: 2, lines: 1 })).toEqual({
      path: 'input/a.txt',
      text: 'two\n',
      from: 2,
      to: 2,
      total_lines: 3,
      rest: '1 more lines: call again with from 3',
    });
  });

  it('refuses non-UTF-8 text at execution, because describing opens no file', async () => {
    const { at, hand } = setting({ 'in/nul': 'a\0b' });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(at('in/latin'), Buffer.from([0x68, 0xe9]));
    for (const path of ['input/nul', 'input/latin']) {
      await expect(hand.call('read_file', { path })).rejects.toThrow(`\`${path}\` is not UTF-8 text`);
    }
  });
});

describe('edit_file', () => {
  it('replaces a text that occurs once, and reports the future size', async () => {
    const { at, hand } = setting({ 'out/a': 'one two' });
    const args = { path: 'output/a', old_text: 'two', new_text: 'three' };
    expect(await hand.capabilities('edit_file', args)).toEqual([
      { name: 'fs.read', path: at('out/a'), ...holding('one two') },
      { name: 'fs.write', path: at('out/a'), bytes: 9, exists: true, ...holding('one two') },
    ]);
    expect(await hand.call('edit_file', args)).toEqual({ path: 'output/a', bytes: 9, replaced: 1 });
    expect(readFileSync(at('out/a'), 'utf8')).toBe('one three');
  });

  it('refuses a text that is missing or occurs more than once, even if overlapping', async () => {
    const { at, hand } = setting({ 'out/a': 'aaa' });
    const edit = (old_text: string, replace_all = false) =>
      hand.call('edit_file', { path: 'output/a', old_text, new_text: '$&', replace_all });
    await expect(edit('b')).rejects.toThrow('`output/a`: the old text does not occur in it');
    await expect(edit('aa')).rejects.toThrow('`output/a`: the old text occurs more than once');
    expect(await edit('a', true)).toEqual({ path: 'output/a', bytes: 6, replaced: 3 });
    expect(readFileSync(at('out/a'), 'utf8')).toBe('$&$&$&');
  });

  it('keeps both of two simultaneous edits', async () => {
    const { at, hand } = setting({ 'out/a': 'a b' });
    const edits = ['a', 'b'].map((old_text) => ({
      path: 'output/a',
      old_text,
      new_text: old_text.toUpperCase(),
    }));
    const described = await Promise.all(edits.map((edit) => hand.capabilities('edit_file', edit)));
    const [first, second] = await Promise.allSettled(
      edits.map((edit, index) => hand.execute('edit_file', edit, described[index] ?? [])),
    );
    // The second finds another content than it was described with, and starts over.
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
    const [, again] = edits;
    if (again === undefined) throw new Error('two edits');
    await hand.call('edit_file', again);
    expect(readFileSync(at('out/a'), 'utf8')).toBe('A B');
  });
});

describe('list_files', () => {
  it('lists a folder, and reports every folder of a recursive list', async () => {
    const { at, hand } = setting({ 'in/b/c.txt': 'xy', 'in/a.txt': 'x' });
    symlinkSync('/etc', at('in/link'));
    expect(await hand.call('list_files', { path: 'input' })).toEqual({
      path: 'input',
      entries: [
        { path: 'input/.keep', kind: 'file', bytes: 0 },
        { path: 'input/a.txt', kind: 'file', bytes: 1 },
        { path: 'input/b', kind: 'folder' },
        { path: 'input/link', kind: 'link' },
      ],
      rest: null,
    });
    expect(await hand.capabilities('list_files', { path: 'input', recursive: true })).toEqual([
      { name: 'fs.list', path: { paths: [at('in'), at('in/b')] }, by },
    ]);
    expect(await hand.call('list_files', { path: 'input', recursive: true, after: 'input/b' })).toEqual({
      path: 'input',
      entries: [
        { path: 'input/b/c.txt', kind: 'file', bytes: 2 },
        { path: 'input/link', kind: 'link' },
      ],
      rest: null,
    });
  });

  it('lists the names of the roots', async () => {
    const { at, hand } = setting();
    expect(await hand.capabilities('list_files', {})).toEqual([
      { name: 'fs.list', path: { paths: [at('in'), at('out')] }, by },
    ]);
    expect(await hand.call('list_files', {})).toEqual({
      path: '.',
      entries: [
        { path: 'input', kind: 'folder' },
        { path: 'output', kind: 'folder' },
      ],
      rest: null,
    });
  });
});

describe('list_files with many files', () => {
  it('returns a long list in parts', async () => {
    const files = Array.from({ length: 1002 }, (_, index) => [`in/many/${1000 + index}`, ''] as const);
    const { hand } = setting(Object.fromEntries(files));
    const first = await hand.call('list_files', { path: 'input/many' });
    expect(first).toMatchObject({ rest: '2 more: call again with after "input/many/1999"' });
    expect(await hand.call('list_files', { path: 'input/many', after: 'input/many/1999' })).toEqual({
      path: 'input/many',
      entries: [
        { path: 'input/many/2000', kind: 'file', bytes: 0 },
        { path: 'input/many/2001', kind: 'file', bytes: 0 },
      ],
      rest: null,
    });
  });

  it.skipIf(!isDeep)('refuses more folders than it can report', async () => {
    const { at, hand } = setting();
    for (let index = 0; index <= 10_000; index += 1) mkdirSync(at(`in/many/${index}`), { recursive: true });
    const { capabilities, cannot } = await hand.describe('list_files', { path: 'input', recursive: true });
    expect(cannot).toBe('there are more than 10000 folders: list some of them, one by one');
    expect(capabilities.length).toBe(1);
  });
});

describe('preview', () => {
  it('shows a text file before and after', async () => {
    const { at, hand } = setting({ 'out/a': 'one', 'out/binary': 'a\0' });
    const preview = (tool: string, args: { [key: string]: string }) => hand.preview(tool, args);
    const path = at('out/a');
    expect(await preview('write_file', { path: 'output/a', content: 'two' })).toEqual({
      path,
      before: 'one',
      after: 'two',
    });
    expect(await preview('write_file', { path: 'output/b', content: 'two' })).toEqual({
      path: at('out/b'),
      before: null,
      after: 'two',
    });
    expect(await preview('edit_file', { path: 'output/a', old_text: 'o', new_text: 'O' })).toEqual({
      path,
      before: 'one',
      after: 'One',
    });
    expect(await preview('edit_file', { path: 'output/a', old_text: 'x', new_text: 'O' })).toEqual({
      path,
      before: 'one',
      after: null,
    });
    expect(await preview('delete_file', { path: 'output/a' })).toEqual({ path, before: 'one', after: null });
    expect(await preview('delete_file', { path: 'output/binary' })).toEqual({
      path: at('out/binary'),
      before: null,
      after: null,
    });
    expect(await preview('move_file', { path: 'output/a', to: 'output/b' })).toEqual({
      path: at('out/b'),
      before: null,
      after: 'one',
    });
    expect(await preview('delete_file', { path: 'output/none' })).toBe(null);
  });
});

describe('delete_file', () => {
  it('deletes a file', async () => {
    const { at, hand } = setting({ 'out/a': 'x' });
    expect(await hand.capabilities('delete_file', { path: 'output/a' })).toEqual([
      { name: 'fs.delete', path: at('out/a'), ...holding('x') },
    ]);
    expect(await hand.call('delete_file', { path: 'output/a' })).toEqual({ path: 'output/a', deleted: true });
    expect(snapshot(at('out'))).toEqual({ '.keep': '' });
  });
});

describe('move_file', () => {
  it('moves a file, and reports a read, a deletion and a write', async () => {
    const { at, hand } = setting({ 'out/a': 'xyz' });
    const args = { path: 'output/a', to: 'output/new/b' };
    expect(await hand.capabilities('move_file', args)).toEqual([
      { name: 'fs.read', path: at('out/a'), ...holding('xyz') },
      { name: 'fs.delete', path: at('out/a'), ...holding('xyz'), by: 'mv' },
      { name: 'fs.write', path: at('out/new'), exists: false, by: 'mv' },
      { name: 'fs.write', path: at('out/new/b'), bytes: 3, exists: false, by: 'mv' },
    ]);
    expect(await hand.call('move_file', args)).toEqual({ path: 'output/a', to: 'output/new/b' });
    expect(snapshot(at('out'))).toEqual({ '.keep': '', new: '/', 'new/b': 'xyz' });
  });
});

describe('filesystemAt', () => {
  it('accepts paths relative to the folder, and absolute paths', async () => {
    const { at } = world({ 'dir/out/.keep': '' });
    const hand = new Hand(filesystemAt(at('dir'), { home: '/nowhere', guarded: [] }));
    const write = (path: string) => ({ path, content: 'x' });
    const expected = [{ name: 'fs.write', path: at('dir/out/a.md'), bytes: 1, exists: false, by }];
    expect(await hand.describe('write_file', write('out/a.md'))).toEqual({ capabilities: expected });
    expect(await hand.describe('write_file', write(at('dir/out/a.md')))).toEqual({ capabilities: expected });
    expect(await hand.describe('write_file', write('../x'))).toEqual({
      capabilities: [{ name: 'fs.write.outside', path: at('x'), bytes: 1, exists: false, by }],
      cannot: '`../x` lies outside the sandbox: paths are relative to the working folder and stay in it',
    });
    expect(await hand.call('list_files', {})).toEqual({
      path: '.',
      entries: [{ path: 'out', kind: 'folder' }],
      rest: null,
    });
  });
});
