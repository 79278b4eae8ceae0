import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRoots, placeOf, readContained } from '../../src/index.js';
import { Hand, snapshot, world } from './world.js';

const by = 'toolset:filesystem';

function scene(files: Readonly<Record<string, string>> = {}) {
  const { base, at } = world({
    'in/a.pdf': 'pdf',
    'in/b.txt': 'txt',
    'out/a': 'a',
    'secret/key': 'k',
    ...files,
  });
  const hand = Hand.with({
    roots: [
      { name: 'input', folder: at('in'), mode: 'ro', suffixes: ['.pdf'], max_file_bytes: 10 },
      { name: 'output', folder: at('out'), mode: 'rw', max_file_bytes: 10 },
    ],
  });
  return { base, at, hand };
}

const write = (path: string, content = 'x') => ['write_file', { path, content }] as const;
const read = (path: string) => ['read_file', { path }] as const;
const roots =
  'paths are written ROOT/rest, and the roots are `input` (read only, files .pdf only), `output` (read and write)';

describe('a root', () => {
  it('is suggested for a path that starts inside the only root', async () => {
    const { at } = world({ 'repo/src/a.ts': 'a' });
    const hand = Hand.with({ roots: [{ name: 'repo', folder: at('repo'), mode: 'rw' }] });
    expect(await hand.cannot(...read('src/a.ts'))).toBe(
      '`src/a.ts` begins with no root: paths are written ROOT/rest, and the roots are `repo` (read and write); did you mean `repo/src/a.ts`?',
    );
    expect(await hand.cannot(...read('../a.ts'))).not.toMatch('did you mean');
  });

  it('matches its suffixes in upper and lower case', async () => {
    const { hand } = scene({ 'in/C.PDF': 'pdf' });
    expect(await hand.cannot(...read('input/C.PDF'))).toBeNull();
  });

  it.each([
    [
      'a read-only root',
      write('input/x.pdf'),
      `\`input/x.pdf\` lies in the root \`input\`, which is read only: ${roots}`,
    ],
    [
      'another suffix',
      read('input/b.txt'),
      '`input/b.txt` is not one of the files of the root `input`: their names end in .pdf',
    ],
    [
      'a suffix with a space after it',
      read('input/a.pdf '),
      '`input/a.pdf ` is not one of the files of the root `input`: their names end in .pdf',
    ],
    [
      'a suffix with a dot after it',
      read('input/a.pdf.'),
      '`input/a.pdf.` is not one of the files of the root `input`: their names end in .pdf',
    ],
    [
      'a suffix as the whole name',
      read('input/.pdf'),
      '`input/.pdf` is not one of the files of the root `input`: their names end in .pdf',
    ],
    [
      'a suffix of a folder on the way',
      read('input/a.pdf/../b.txt'),
      '`input/b.txt` is not one of the files of the root `input`: their names end in .pdf',
    ],
    ['a missing file', read('output/none'), '`output/none` does not exist'],
    [
      'a file where a folder is expected',
      read('output/a/b'),
      '`output/a/b` cannot be followed: a file where a folder is expected',
    ],
    ['a root itself', write('output'), '`output` is a root itself, not a file in it'],
    [
      'too much content',
      write('output/b', 'x'.repeat(11)),
      'that is 11 bytes, and `output/b` may hold at most 10',
    ],
    ['content that is not well-formed', write('output/b', '\ud800'), 'the content is not well-formed text'],
    [
      'a name that is too long',
      write(`output/${'é'.repeat(128)}`),
      'a name in the path is longer than 255 bytes',
    ],
    [
      'too many new folders',
      write(`output/${'n/'.repeat(33)}b`),
      `\`output/${'n/'.repeat(33)}b\` is too deep`,
    ],
    ['a path that is too long', write(`output/${'a/'.repeat(2000)}b`), 'the path is too long'],
    ['a NUL', write('output/a\0b'), 'a path cannot contain a NUL character'],
    ['half a surrogate pair', write('output/\udfff'), 'the path is not well-formed text'],
    ['no root', read('elsewhere/a'), `\`elsewhere/a\` begins with no root: ${roots}`],
    ['a name of every object', read('constructor/a'), `\`constructor/a\` begins with no root: ${roots}`],
    ['another name of every object', read('__proto__/a'), `\`__proto__/a\` begins with no root: ${roots}`],
    ['nothing', read(''), `\`\` begins with no root: ${roots}`],
    [
      'a way up',
      read('output/../secret/key'),
      `\`output/../secret/key\` leaves the root \`output\`: ${roots}`,
    ],
    [
      'a way up and down into another root',
      read('output/../in/a.pdf'),
      `\`output/../in/a.pdf\` leaves the root \`output\`: ${roots}`,
    ],
    ['an absolute path', read('/etc/passwd'), `\`/etc/passwd\` is an absolute path: ${roots}`],
    [
      'an absolute path that looks like a root',
      read('/input/a.pdf'),
      '`/input/a.pdf` is an absolute path: did you mean `input/a.pdf`',
    ],
    [
      'the file system through /proc',
      read('/proc/self/root/etc/passwd'),
      `\`/proc/self/root/etc/passwd\` is an absolute path: ${roots}`,
    ],
    [
      'an edit of a folder',
      ['edit_file', { path: 'output/dir', old_text: 'a', new_text: 'b' }] as const,
      '`output/dir` is a folder, not a file',
    ],
    [
      'an edit that changes nothing',
      ['edit_file', { path: 'output/a', old_text: 'a', new_text: 'a' }] as const,
      'the new text equals the old one',
    ],
    [
      'an edit that makes it too long',
      ['edit_file', { path: 'output/a', old_text: 'a', new_text: 'x'.repeat(11) }] as const,
      'that is 11 bytes, and `output/a` may hold at most 10',
    ],
    [
      'a move onto a file',
      ['move_file', { path: 'output/a', to: 'output/a' }] as const,
      '`output/a` exists already',
    ],
    [
      'a move out of a read-only root',
      ['move_file', { path: 'input/a.pdf', to: 'output/a.pdf' }] as const,
      `\`input/a.pdf\` lies in the root \`input\`, which is read only: ${roots}`,
    ],
    ['a list of a file', ['list_files', { path: 'output/a' }] as const, '`output/a` is not a folder'],
  ])('refuses %s', async (_, [tool, args], cannot) => {
    const { at, hand } = scene();
    mkdirSync(at('out/dir'));
    expect(await hand.cannot(tool, args)).toBe(cannot);
  });

  it('refuses a file that is too large, and one that grows while it is read', async () => {
    const { at, hand } = scene({ 'out/b': 'x'.repeat(11) });
    expect(await hand.cannot('read_file', { path: 'output/b' })).toBe(
      '`output/b` holds 11 bytes, and at most 10 may be read',
    );
    await expect(
      hand.call('read_file', { path: 'output/a' }, () => writeFileSync(at('out/a'), 'y'.repeat(11))),
    ).rejects.toThrow('`output/a` holds 11 bytes, and at most 10 may be read');
    const list = openRoots([{ name: 'output', folder: at('out'), mode: 'rw' }]);
    const place = await placeOf('output/a', list);
    await expect(readContained(place, { roots: list, limit: 10 })).rejects.toThrow(
      '`output/a` holds more than 10 bytes, the most that may be read',
    );
    expect((await readContained(place, { roots: list, limit: 11 })).bytes.length).toBe(11);
  });

  it('refuses pipes and devices without opening them, even if swapped in', async () => {
    const { at, hand } = scene();
    execFileSync('mkfifo', [at('out/pipe')]);
    symlinkSync('/dev/zero', at('out/zero'));
    expect(await hand.cannot('read_file', { path: 'output/pipe' })).toBe(
      '`output/pipe` is neither a file nor a folder',
    );
    expect(await hand.cannot('write_file', { path: 'output/pipe', content: '' })).toBe(
      '`output/pipe` is neither a file nor a folder',
    );
    expect(await hand.cannot('read_file', { path: 'output/zero' })).toMatch(
      /^`output\/zero` leads out of the sandbox through a link: /,
    );
    const list = openRoots([{ name: 'output', folder: at('out'), mode: 'rw' }]);
    const place = await placeOf('output/pipe', list);
    await expect(readContained(place, { roots: list, limit: 10 })).rejects.toThrow(
      '`output/pipe` changed after the call was judged',
    );
  });

  it('refuses everything if folders cannot be held open', async () => {
    const { at } = scene();
    const list = openRoots([{ name: 'output', folder: at('out'), mode: 'rw' }], {
      descriptors: at('nowhere'),
    });
    const { cannotTouch, capabilitiesOf } = await import('../../src/index.js');
    const place = await placeOf('output/a', list);
    expect(cannotTouch(place, 'read', list)).toBe(
      'this system shows no open folders as paths (/proc/self/fd), so nothing can be opened without following links',
    );
    expect(capabilitiesOf(place, { access: 'read' }, list)).toEqual([{ name: 'fs.read', path: at('out/a') }]);
  });
});

describe('a link', () => {
  it('is outside if it leads out of the roots, and is refused without details of the target', async () => {
    const { at, hand } = scene();
    symlinkSync(at('secret'), at('out/link'));
    const refusal = (path: string) => `\`${path}\` leads out of the sandbox through a link: ${roots}`;
    expect(await hand.describe('read_file', { path: 'output/link/key' })).toEqual({
      capabilities: [
        { name: 'fs.read', path: at('out/link/key'), by },
        { name: 'fs.read.outside', path: at('secret/key'), by },
      ],
      cannot: refusal('output/link/key'),
    });
    expect(await hand.describe('write_file', { path: 'output/link/none', content: '' })).toEqual({
      capabilities: [
        { name: 'fs.write', path: at('out/link/none'), bytes: 0, exists: false, by },
        { name: 'fs.write.outside', path: at('secret/none'), bytes: 0, exists: false, by },
      ],
      cannot: refusal('output/link/none'),
    });
    expect(await hand.cannot('list_files', { path: 'output/link' })).toBe(refusal('output/link'));
    expect(await hand.cannot('read_file', { path: 'output/link/none' })).toBe(refusal('output/link/none'));
  });

  it('must match both roots if it leads into another root', async () => {
    const { at, hand } = scene();
    symlinkSync(at('in'), at('out/link'));
    expect(await hand.cannot('write_file', { path: 'output/link/x.pdf', content: '' })).toBe(
      `\`output/link/x.pdf\` lies in the root \`input\`, which is read only: ${roots}`,
    );
    symlinkSync(at('in/b.txt'), at('in/c.pdf'));
    expect(await hand.cannot('read_file', { path: 'input/c.pdf' })).toBe(
      '`input/c.pdf` is not one of the files of the root `input`: their names end in .pdf',
    );
  });

  it('is followed by a write if it dangles, including missing folders of the target', async () => {
    const { at, hand } = scene();
    symlinkSync('new/file', at('out/link'));
    const args = { path: 'output/link', content: 'x' };
    expect(await hand.describe('write_file', args)).toEqual({
      capabilities: [
        { name: 'fs.write', path: at('out/new'), exists: false, by },
        { name: 'fs.write', path: at('out/link'), bytes: 1, exists: false, by },
        { name: 'fs.write', path: at('out/new/file'), bytes: 1, exists: false, by },
      ],
    });
    await hand.call('write_file', args);
    expect(snapshot(at('out'))).toEqual({ a: 'a', link: '-> new/file', new: '/', 'new/file': 'x' });
  });

  it('has no real path if it is in a loop', async () => {
    const { at, hand } = scene();
    symlinkSync('two', at('out/one'));
    symlinkSync('one', at('out/two'));
    expect(await hand.describe('read_file', { path: 'output/one/x' })).toEqual({
      capabilities: [
        { name: 'fs.read', path: at('out/one/x'), by },
        { name: 'fs.read', by },
      ],
      cannot: '`output/one/x` cannot be followed: a loop of links',
    });
  });

  it('is not followed through `..` of a missing folder, as in the system', async () => {
    const { at, hand } = scene();
    symlinkSync('none/../a', at('out/link'));
    expect(await hand.cannot('read_file', { path: 'output/link' })).toBe(
      '`output/link` cannot be followed: a link to a folder that does not exist',
    );
  });

  it('is itself neither deleted nor moved', async () => {
    const { at, hand } = scene();
    symlinkSync('a', at('out/link'));
    expect(await hand.cannot('delete_file', { path: 'output/link' })).toBe(
      '`output/link` is a link: name the file that it leads to',
    );
    expect(await hand.cannot('move_file', { path: 'output/link', to: 'output/b' })).toBe(
      '`output/link` is a link: name the file that it leads to',
    );
  });
});

describe('a hard link', () => {
  it('is never written through, and a move keeps the other name', async () => {
    const { base, at, hand } = scene();
    linkSync(at('secret/key'), at('out/hard'));
    await hand.call('write_file', { path: 'output/hard', content: 'mine' });
    linkSync(at('secret/key'), at('out/hard2'));
    await hand.call('edit_file', { path: 'output/hard2', old_text: 'k', new_text: 'mine' });
    linkSync(at('secret/key'), at('out/hard3'));
    await hand.call('move_file', { path: 'output/hard3', to: 'output/hard4' });
    await hand.call('write_file', { path: 'output/hard4', content: 'mine' });
    expect(snapshot(base)).toMatchObject({
      'secret/key': 'k',
      'out/hard': 'mine',
      'out/hard2': 'mine',
      'out/hard4': 'mine',
    });
  });
});

describe('an operation that the system refuses', () => {
  it('fails at execution, without a path of the host', async () => {
    const { base, at, hand } = scene({ 'out/closed/file': 'x' });
    await asNobody(base, async () => {
      chmodSync(at('out/closed'), 0);
      try {
        const args = { path: 'output/closed/file' };
        expect(await hand.describe('read_file', args)).toEqual({
          capabilities: [
            { name: 'fs.read', path: at('out/closed/file'), by },
            { name: 'fs.read', by },
          ],
        });
        await expect(hand.call('read_file', args)).rejects.toThrow(
          /^`output\/closed\/file`: permission denied$/,
        );
        await expect(hand.call('list_files', { path: 'output/closed' })).rejects.toThrow(
          /^`output\/closed`: permission denied$/,
        );
      } finally {
        chmodSync(at('out/closed'), 0o700);
      }
    });
  });

  it('leaves out what it may not read among other things, and says so', async () => {
    const { base, at, hand } = scene({ 'out/a': 'x', 'out/closed/b': 'x', 'out/shut': 'x' });
    const search = { path: 'output', pattern: 'x' };
    await asNobody(base, async () => {
      for (const path of ['out/closed', 'out/shut']) chmodSync(at(path), 0);
      try {
        expect(await hand.call('list_files', { path: 'output', recursive: true })).toEqual({
          path: 'output',
          entries: [
            { path: 'output/a', kind: 'file', bytes: 1 },
            { path: 'output/closed', kind: 'folder', unreadable: true },
            { path: 'output/shut', kind: 'file', bytes: 1 },
          ],
          rest: null,
        });
        expect(await hand.call('search_files', search)).toMatchObject({
          matches: [{ path: 'output/a' }],
          left_out: { unreadable: 2 },
        });
        await expect(hand.call('search_files', { ...search, path: 'output/shut' })).rejects.toThrow(
          /^`output\/shut`: permission denied$/,
        );
      } finally {
        chmodSync(at('out/closed'), 0o700);
      }
    });
  });

  it('succeeds if a parent folder can be passed but not read', async () => {
    const { base, at, hand } = scene({ 'out/passage/file': 'x' });
    await asNobody(base, async () => {
      chmodSync(at('out/passage'), 0o300);
      try {
        expect(await hand.call('read_file', { path: 'output/passage/file' })).toMatchObject({ text: 'x' });
        await hand.call('write_file', { path: 'output/passage/new', content: 'y' });
      } finally {
        chmodSync(at('out/passage'), 0o700);
      }
      expect(readFileSync(at('out/passage/new'), 'utf8')).toBe('y');
    });
  });
});

/** As a user whom the system refuses things, also where the tests are run by one whom it does not. */
async function asNobody(folder: string, work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work();
  execFileSync('chown', ['-R', '65534', folder]);
  process.seteuid?.(65534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
