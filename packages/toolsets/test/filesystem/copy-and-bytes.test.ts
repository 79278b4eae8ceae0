import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Description, Json, JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { filesystem } from '../../src/index.js';
import { Hand, snapshot, world } from './world.js';

const by = 'toolset:filesystem';

function scene(files: Readonly<Record<string, string>> = {}) {
  const { base, at } = world({ 'in/a.pdf': 'pdf', 'out/b': 'b', 'secret/key': 'k', ...files });
  const roots = [
    { name: 'input', folder: at('in'), mode: 'ro' as const, untrusted: true },
    { name: 'output', folder: at('out'), mode: 'rw' as const, max_file_bytes: 10 },
  ];
  return {
    base,
    at,
    roots,
    hand: Hand.with({ roots, guarded: [{ path: at('out/policy.yaml'), what: 'policy file' }] }),
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('copy_file', () => {
  it('copies a file, and reports a read and a write', async () => {
    const { at, hand } = scene();
    const args = { path: 'input/a.pdf', to: 'output/new/a.pdf' };
    expect(await hand.describe('copy_file', args)).toEqual({
      capabilities: [
        { name: 'fs.read', path: at('in/a.pdf'), sha256: sha256('pdf'), by },
        { name: 'content.untrusted', source: at('in/a.pdf') },
        { name: 'fs.write', path: at('out/new'), exists: false, by },
        { name: 'fs.write', path: at('out/new/a.pdf'), bytes: 3, exists: false, by },
      ],
    });
    expect(await hand.call('copy_file', args)).toEqual({
      path: 'input/a.pdf',
      to: 'output/new/a.pdf',
      bytes: 3,
    });
    expect(snapshot(at(''))).toMatchObject({ 'in/a.pdf': 'pdf', 'out/new/a.pdf': 'pdf' });
  });

  it('creates an independent file, even from one with several hard links', async () => {
    const { at, hand } = scene();
    linkSync(at('out/b'), at('out/other'));
    await hand.call('copy_file', { path: 'output/b', to: 'output/c' });
    expect([statSync(at('out/b')).nlink, statSync(at('out/c')).nlink]).toEqual([2, 1]);
  });

  it.each([
    ['a secret', '.env', ['secret.read']],
    ['no secret', 'a.txt', []],
  ])('reads an archive with %s', async (_, member, expected) => {
    const { at, hand } = scene({ [`in/${member}`]: 'x' });
    execFileSync('tar', ['cf', 'a', member], { cwd: at('in') });
    for (const tool of ['read_file', 'copy_file']) {
      const found = await hand.capabilities(tool, {
        path: 'input/a',
        ...(tool === 'copy_file' && { to: 'output/c' }),
      });
      expect(found.filter(({ name }) => name === 'secret.read').map(({ name }) => name)).toEqual(expected);
    }
  });

  it('reports all its reads and writes, also through links', async () => {
    const { at, hand } = scene({ 'in/.env': 'x' });
    symlinkSync('.env', at('in/innocent'));
    const capabilities = await hand.capabilities('copy_file', {
      path: 'input/innocent',
      to: 'output/policy.yaml',
    });
    expect(capabilities).toContainEqual({ name: 'secret.read', path: at('in/.env'), by });
    expect(capabilities).toContainEqual({
      name: 'sys.guard',
      what: 'policy file',
      path: at('out/policy.yaml'),
    });
  });

  it.each([
    ['onto a file', 'input/a.pdf', 'output/b', '`output/b` exists already'],
    [
      'into a read-only root',
      'output/b',
      'input/b',
      /^`input\/b` lies in the root `input`, which is read only/,
    ],
    [
      'of more bytes than the target root accepts',
      'input/large',
      'output/c',
      '`input/large` holds 11 bytes, and `output/c` may hold at most 10',
    ],
    ['of a folder', 'input/dir', 'output/c', '`input/dir` is a folder, not a file'],
    ['of a missing file', 'input/none', 'output/c', '`input/none` does not exist'],
    ['out of the roots', 'output/b', 'output/../c', /^`output\/..\/c` leaves the root `output`/],
    ['into the roots', 'output/link', 'output/c', /^`output\/link` leads out of the sandbox through a link/],
  ])('refuses a copy %s', async (_, path, to, cannot) => {
    const { at, hand } = scene({ 'in/large': 'x'.repeat(11), 'in/dir/x': '' });
    symlinkSync(at('secret/key'), at('out/link'));
    const said = await hand.cannot('copy_file', { path, to });
    if (typeof cannot === 'string') expect(said).toBe(cannot);
    else expect(said).toMatch(cannot);
  });

  it('copies no file that was swapped in since the check', async () => {
    const { at, hand } = scene();
    const swap = () => {
      renameSync(at('out/b'), at('out/was'));
      symlinkSync(at('secret/key'), at('out/b'));
    };
    await expect(hand.call('copy_file', { path: 'output/b', to: 'output/c' }, swap)).rejects.toThrow();
    expect(snapshot(at('out'))).not.toHaveProperty('c');
  });
});

describe('read_bytes', () => {
  it('reads some bytes, and reports a read of the file', async () => {
    const { at, hand } = scene({ 'in/bytes': 'abcdefgh' });
    const args = { path: 'input/bytes', from: 2, count: 3 };
    expect(await hand.describe('read_bytes', args)).toEqual({
      capabilities: [
        { name: 'fs.read', path: at('in/bytes'), by },
        { name: 'content.untrusted', source: at('in/bytes') },
      ],
    });
    expect(await hand.call('read_bytes', args)).toEqual({
      path: 'input/bytes',
      base64: Buffer.from('cde').toString('base64'),
      from: 2,
      to: 5,
      total_bytes: 8,
      rest: '3 more bytes: call again with from 5',
    });
    const beyond = { base64: '', from: 100, to: 100, total_bytes: 8, rest: null };
    expect(await hand.call('read_bytes', { path: 'input/bytes', from: 100 })).toEqual({
      path: 'input/bytes',
      ...beyond,
    });
  });

  it('refuses everything that reading a file refuses', async () => {
    const { at, hand } = scene({ 'out/large': 'x'.repeat(11) });
    symlinkSync(at('secret/key'), at('out/link'));
    expect(await hand.cannot('read_bytes', { path: 'output/large' })).toBe(
      '`output/large` holds 11 bytes, and at most 10 may be read',
    );
    expect(await hand.cannot('read_bytes', { path: 'output/link' })).toMatch(/leads out of the sandbox/);
    const swap = () => {
      renameSync(at('out/b'), at('out/was'));
      symlinkSync(at('secret/key'), at('out/b'));
    };
    await expect(hand.call('read_bytes', { path: 'output/b' }, swap)).rejects.toThrow();
  });
});

describe('a change of a file that was read before', () => {
  const changes = [
    ['edit_file', { path: 'output/b', old_text: 'b', new_text: 'c' }],
    ['write_file', { path: 'output/b', content: 'c' }],
  ] as const;

  it.each(changes)(
    'fails by %s if another process changed the file, until it is read again',
    async (tool, args) => {
      const { at, hand } = scene();
      await hand.call('read_file', { path: 'output/b' });
      writeFileSync(at('out/b'), 'xb');
      await expect(hand.call(tool, args)).rejects.toThrow(
        '`output/b` changed since it was last read: read it again, then call again',
      );
      expect(readFileSync(at('out/b'), 'utf8')).toBe('xb');
      await hand.call('read_file', { path: 'output/b' });
      await hand.call(tool, args);
    },
  );

  it.each(changes)('fails by %s if that happened through a link', async (tool, args) => {
    const { at, hand } = scene();
    symlinkSync('b', at('out/link'));
    await hand.call('read_file', { path: 'output/link' });
    writeFileSync(at('out/b'), 'xb');
    await expect(hand.call(tool, args)).rejects.toThrow('changed since it was last read');
  });

  it('is made if the file was not read, did not change, or was changed by the model', async () => {
    const { at, hand } = scene();
    writeFileSync(at('out/b'), 'b!');
    await hand.call('edit_file', { path: 'output/b', old_text: '!', new_text: '?' });
    await hand.call('read_file', { path: 'output/b' });
    await hand.call('edit_file', { path: 'output/b', old_text: '?', new_text: '.' });
    await hand.call('edit_file', { path: 'output/b', old_text: '.', new_text: ';' });
    await hand.call('read_file', { path: 'output/b' });
    // Its content is the same.
    chmodSync(at('out/b'), 0o600);
    await hand.call('edit_file', { path: 'output/b', old_text: ';', new_text: ',' });
    expect(readFileSync(at('out/b'), 'utf8')).toBe('b,');
  });
});

describe('a change that a person was shown', () => {
  const changes = [
    ['edit_file', { path: 'output/b', old_text: 'b', new_text: 'c' }],
    ['write_file', { path: 'output/b', content: 'c' }],
    ['delete_file', { path: 'output/b' }],
    ['move_file', { path: 'output/b', to: 'output/c' }],
    ['copy_file', { path: 'output/b', to: 'output/c' }],
  ] as const;

  it.each(changes)('is not made by %s if the file was replaced meanwhile', async (name, args) => {
    const { at, roots } = scene();
    const { tools } = filesystem({ roots, home: '/nowhere', guarded: [] });
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(name);
    const parsed = tool.input.parse(args);
    if (!parsed.ok) throw new Error(parsed.problem);
    const call = parsed.value;
    const context = { chain: ['main'] as const, signal: new AbortController().signal };
    const { capabilities }: Description = await tool.describe(call, context);
    // As long as before, so that only its digest is another.
    writeFileSync(at('out/b'), 'B');
    const execute = async (): Promise<Json> => {
      return tool.execute(call as JsonObject, {
        ...context,
        id: 'c1',
        call: async () => Promise.reject(new Error('no')),
        described: capabilities,
      });
    };
    await expect(execute()).rejects.toThrow(
      '`output/b` changed after the call was judged; look again, then call again',
    );
    expect(snapshot(at('out'))).toEqual({ b: 'B' });
  });
});
