import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { lineTest } from '../../src/filesystem/search/line-search.js';
import { Hand, world } from './world.js';

const by = 'toolset:filesystem';

function scene(files: Readonly<Record<string, string>> = {}) {
  const { at } = world({
    'in/a.ts': 'one\r\ntwo\n',
    'in/sub/b.ts': 'Two\nthree',
    'in/sub/c.md': 'two',
    'in/.git/config': 'two',
    'out/.keep': '',
    ...files,
  });
  const hand = Hand.with({
    roots: [
      { name: 'input', folder: at('in'), mode: 'ro', untrusted: true },
      { name: 'output', folder: at('out'), mode: 'rw', suffixes: ['.md'], max_file_bytes: 100 },
    ],
    guarded: [{ path: at('out/policy.md'), what: 'policy file' }],
  });
  return { at, hand };
}

describe('search_files', () => {
  it('finds lines, and reports every listed folder and every read file', async () => {
    const { at, hand } = scene();
    const args = { path: 'input', pattern: 'two', files: ['*.ts'] };
    expect(await hand.describe('search_files', args)).toEqual({
      capabilities: [
        { name: 'fs.list', path: { paths: [at('in'), at('in/sub')] }, by },
        { name: 'fs.read', path: { paths: [at('in/a.ts'), at('in/sub/b.ts')] }, by },
        { name: 'content.untrusted', source: at('in/a.ts') },
        { name: 'content.untrusted', source: at('in/sub/b.ts') },
      ],
    });
    expect(await hand.call('search_files', args)).toEqual({
      path: 'input',
      matches: [{ path: 'input/a.ts', line: 2, text: 'two' }],
      files: 2,
      left_out: { secret: 0, too_large: 0, unreadable: 0, binary: 0 },
      rest: null,
    });
  });

  it('matches regular expressions, in upper and lower case, in all roots', async () => {
    const { hand } = scene();
    const found = await hand.call('search_files', {
      pattern: '^t.[or]',
      regular_expression: true,
      ignore_case: true,
    });
    expect(found).toMatchObject({
      path: '.',
      matches: [
        { path: 'input/a.ts', line: 2, text: 'two' },
        { path: 'input/sub/b.ts', line: 1, text: 'Two' },
        { path: 'input/sub/b.ts', line: 2, text: 'three' },
        { path: 'input/sub/c.md', line: 1, text: 'two' },
      ],
    });
    expect(
      await hand.call('search_files', { path: 'input', pattern: 'TWO', ignore_case: true, except: ['sub'] }),
    ).toMatchObject({
      matches: [
        { path: 'input/a.ts', line: 2, text: 'two' },
        { path: 'input/.git/config', line: 1, text: 'two' },
      ],
    });
  });

  it('skips files with secrets unless named, and then reports them', async () => {
    const { at, hand } = scene({ 'in/.env': 'two', 'in/server.PEM': 'two' });
    symlinkSync('.env', at('in/innocent.ts'));
    const all = { path: 'input', pattern: 'two', except: ['.git'] };
    const secrets = (await hand.capabilities('search_files', all)).filter(
      ({ name, path }) => name === 'secret.read' || path === at('in/.env'),
    );
    expect(secrets).toEqual([]);
    expect(await hand.call('search_files', all)).toMatchObject({
      matches: [
        { path: 'input/a.ts', line: 2, text: 'two' },
        { path: 'input/sub/c.md', line: 1, text: 'two' },
      ],
      left_out: { secret: 2, too_large: 0, binary: 0 },
    });
    expect(
      await hand.capabilities('search_files', { path: 'input/innocent.ts', pattern: 'x' }),
    ).toContainEqual({
      name: 'secret.read',
      path: at('in/.env'),
      by,
    });
  });

  it('stays inside the roots, through links too', async () => {
    const { at, hand } = scene({ 'secret/a.md': 'two' });
    symlinkSync(at('secret'), at('in/link'));
    symlinkSync(at('secret/a.md'), at('in/link.md'));
    const inside = await hand.call('search_files', { path: 'input', pattern: 'two', files: ['*.md'] });
    expect(inside).toMatchObject({ matches: [{ path: 'input/sub/c.md', line: 1, text: 'two' }] });
    for (const path of ['input/link', 'input/link.md', 'input/../secret', '/etc', 'input/none'])
      expect(await hand.cannot('search_files', { path, pattern: 'two' })).toEqual(expect.any(String));
  });

  it('respects the suffixes and sizes of a root, and opens no pipe', async () => {
    const { at, hand } = scene({
      'out/a.md': 'two',
      'out/b.txt': 'two',
      'out/large.md': 'two'.repeat(40),
      'out/nul.md': 'two\0',
    });
    execFileSync('mkfifo', [at('out/pipe.md')]);
    mkdirSync(at('out/folder.md'));
    expect(await hand.call('search_files', { path: 'output', pattern: 'two' })).toEqual({
      path: 'output',
      matches: [{ path: 'output/a.md', line: 1, text: 'two' }],
      files: 2,
      left_out: { secret: 0, too_large: 1, unreadable: 0, binary: 1 },
      rest: null,
    });
  });

  it('reads no file that was undescribed, or replaced by a link since', async () => {
    const { at, hand } = scene({ 'out/a.md': 'two', 'secret/key': 'two' });
    const args = { path: 'output', pattern: 'two' };
    await expect(
      hand.call('search_files', args, () => writeFileSync(at('out/new.md'), 'two')),
    ).rejects.toThrow('`output` changed after the call was judged');
    const swapped = await hand.call('search_files', args, () => {
      renameSync(at('out/a.md'), at('out/a.txt'));
      symlinkSync(at('secret/key'), at('out/a.md'));
    });
    expect(swapped).toMatchObject({ matches: [{ path: 'output/new.md' }] });
  });

  it('refuses an invalid expression, and one that needs backtracking', async () => {
    const { hand } = scene();
    for (const pattern of ['(', 'a(?=b)', '(a)\\1'])
      expect(await hand.cannot('search_files', { pattern, regular_expression: true })).toMatch(
        /^not a regular expression of RE2: /,
      );
    expect(await hand.cannot('search_files', { pattern: '(' })).toBeNull();
  });

  it('returns lines up to a limit, with a note', async () => {
    const { hand } = scene({
      'in/many.ts': 'same\n'.repeat(500),
      'in/long.ts': `${'x'.repeat(400)}same${'y'.repeat(6000)}same2`,
    });
    const found = await hand.call('search_files', { path: 'input', pattern: 'same' });
    expect(found).toMatchObject({
      rest: 'there are more than 200 lines: look for something rarer, or in fewer files',
    });
    expect(found).toMatchObject({ matches: { length: 200 } });
    expect(await hand.call('search_files', { path: 'input/long.ts', pattern: 'same2' })).toMatchObject({
      matches: [],
    });
    expect(await hand.call('search_files', { path: 'input/long.ts', pattern: 'xs' })).toMatchObject({
      matches: [{ path: 'input/long.ts', line: 1, text: `${'x'.repeat(300)}…` }],
    });
  });

  it.skipIf(!isDeep)('reports thousands of files as one set of folders and one of files', async () => {
    // A search ends after ten seconds: on a busy machine that may come before its last file.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const files = Array.from(
      { length: 3000 },
      (_, index) => [`in/many/${index % 300}/${index}`, 'two'] as const,
    );
    const { at, hand } = scene(Object.fromEntries(files));
    const args = { path: 'input/many', pattern: 'two' };
    const { capabilities, cannot } = await hand.describe('search_files', args);
    expect(cannot).toBeUndefined();
    const paths = files.map(([file]) => at(file)).sort();
    const folders = [...new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))].sort();
    expect(capabilities).toEqual([
      { name: 'fs.list', path: { paths: [at('in/many'), ...folders] }, by },
      { name: 'fs.read', path: { paths }, by },
      // Too many sources to name: a rule about one of them is undecided.
      { name: 'content.untrusted' },
    ]);
    expect(await hand.call('search_files', args)).toMatchObject({ matches: { length: 200 } });
    await expect(
      hand.call('search_files', args, () => writeFileSync(at('in/many/0/new'), 'two')),
    ).rejects.toThrow('`input/many` changed after the call was judged');
    expect(
      await hand.call('search_files', { ...args, pattern: 'x' }, () =>
        rmSync(at('in/many/7'), { recursive: true }),
      ),
    ).toMatchObject({ files: 2991 });
  });

  it.skipIf(!isDeep)('refuses more folders than it can report', async () => {
    const { at, hand } = scene();
    for (let index = 0; index <= 10_000; index += 1) mkdirSync(at(`in/many/${index}`), { recursive: true });
    expect(await hand.cannot('search_files', { path: 'input', pattern: 'x' })).toBe(
      'there are more than 10000 folders: search some of them, one by one',
    );
  });
});

describe('an expression', () => {
  it.skipIf(!isDeep).each(['\\pL{0,999}'.repeat(40), '(?:a|b.){900}'])(
    'is refused if it takes minutes for one line: %#',
    (pattern) => {
      const test = lineTest({ pattern, regular_expression: true, ignore_case: false });
      expect(test).toEqual({ problem: 'this regular expression repeats too much: shorten its repetitions' });
    },
  );

  it('may repeat as usual', () => {
    const pattern = '^(?:[\\w.-]{1,64}@){1,2}\\d{1,255}$';
    expect(lineTest({ pattern, regular_expression: true, ignore_case: true })).toBeTypeOf('function');
  });

  it('takes linear time for any line', () => {
    const test = lineTest({ pattern: '(a*)*b', regular_expression: true, ignore_case: false });
    if ('problem' in test) throw new Error(test.problem);
    // Backtracking would take longer than anybody lives.
    expect(test('a'.repeat(5000))).toBe(false);
    expect(test(`${'a'.repeat(5000)}b`)).toBe(true);
  });
});
