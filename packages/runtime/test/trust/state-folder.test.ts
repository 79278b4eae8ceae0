import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  homeFolder,
  logFolderOf,
  logKey,
  openLogFolder,
  openStateFolder,
  stateFolder,
} from '../../src/trust/state-folder.js';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-state-')));
afterAll(() => rmSync(scratch, { recursive: true }));

let folder = scratch;
let state = scratch;
let root = scratch;
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'test-'));
  state = join(folder, 'state');
  root = join(folder, 'work');
  mkdirSync(root);
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('stateFolder', () => {
  it.each<[Readonly<Record<string, string | undefined>>, string]>([
    [{ AMBIT_HOME: '/a', XDG_STATE_HOME: '/x', HOME: '/h' }, '/a'],
    [{ AMBIT_HOME: '', XDG_STATE_HOME: '/x', HOME: '/h' }, '/x/ambit'],
    [{ XDG_STATE_HOME: '/x', HOME: '/h' }, '/x/ambit'],
    // A relative one would be another folder in each working folder: it is passed over, as its specification says.
    [{ XDG_STATE_HOME: 'x', HOME: '/h' }, '/h/.local/state/ambit'],
    [{ XDG_STATE_HOME: '', HOME: '/h' }, '/h/.local/state/ambit'],
    [{ HOME: '/h' }, '/h/.local/state/ambit'],
    [{ HOME: 'h' }, join(homedir(), '.local/state/ambit')],
    [{}, join(homedir(), '.local/state/ambit')],
  ])('returns the right folder with %j', (environment, expected) => {
    expect(stateFolder(environment)).toBe(expected);
  });

  it.each(['.ambit', './state', '../a', '~/a'])(
    'refuses AMBIT_HOME=%s, which a checkout could contain',
    (path) => {
      expect(() => stateFolder({ AMBIT_HOME: path })).toThrow(`AMBIT_HOME is not an absolute path: ${path}`);
    },
  );
});

describe('homeFolder', () => {
  it('uses an absolute HOME of the environment', () => {
    expect(['/h', 'h', '', undefined].map((HOME) => homeFolder({ HOME }))).toEqual([
      '/h',
      homedir(),
      homedir(),
      homedir(),
    ]);
  });
});

describe('openStateFolder', () => {
  const open = () => openStateFolder({ AMBIT_HOME: state }, root);

  it('creates folders with access only for the user, regardless of the umask', async () => {
    const before = process.umask(0);
    const opened = await open().finally(() => process.umask(before));
    expect(opened).toMatch(/\/state\/work-[0-9a-f]{16}$/);
    expect([modeOf(state), modeOf(opened)]).toEqual(['700', '700']);
  });

  it('returns one folder for one working folder under any name, and another one for others', async () => {
    symlinkSync(root, join(folder, 'link'));
    mkdirSync(join(folder, 'other/work'), { recursive: true });
    const names = [root, `${root}/.`, join(folder, 'link')];
    const opened = await Promise.all(names.map((name) => openStateFolder({ AMBIT_HOME: state }, name)));
    expect(new Set(opened).size).toBe(1);
    expect(opened).not.toContain(await openStateFolder({ AMBIT_HOME: state }, join(folder, 'other/work')));
  });

  it('accepts a working folder with a very long name, and the root folder', async () => {
    const long = join(folder, '😀'.repeat(63));
    mkdirSync(long);
    expect(await openStateFolder({ AMBIT_HOME: state }, long)).toMatch(/\/(😀){40}-[0-9a-f]{16}$/u);
    expect(await openStateFolder({ AMBIT_HOME: state }, '/')).toMatch(/\/root-[0-9a-f]{16}$/);
  });

  it.each([0o770, 0o702, 0o777])('refuses a folder that others may write: %o', async (mode) => {
    mkdirSync(state);
    chmodSync(state, mode);
    await expect(open()).rejects.toThrow(`the state folder ${state} can be written by others: chmod 700 it`);
  });

  it('refuses a subfolder that others may write', async () => {
    const part = await open();
    chmodSync(part, 0o720);
    await expect(open()).rejects.toThrow(`the state folder ${part} can be written by others: chmod 700 it`);
  });

  it('removes access of others to a readable folder', async () => {
    mkdirSync(state);
    chmodSync(state, 0o755);
    await open();
    expect(modeOf(state)).toBe('700');
  });

  it('refuses a link and a file', async () => {
    mkdirSync(join(folder, 'elsewhere'), { mode: 0o700 });
    symlinkSync('elsewhere', state);
    await expect(open()).rejects.toThrow(`the state folder ${state} is not a folder`);
    const part = join(folder, 'file');
    writeFileSync(part, '');
    await expect(openStateFolder({ AMBIT_HOME: part }, root)).rejects.toThrow(
      `the state folder ${part} cannot be made: already exists: it must be a folder that you can write`,
    );
  });

  it.skipIf(process.getuid?.() !== 0)('refuses a folder of another user', async () => {
    mkdirSync(state, { mode: 0o700 });
    await promisify(execFile)('chown', ['12345', state]);
    await expect(open()).rejects.toThrow(`the state folder ${state} belongs to another user`);
  });

  it('reads no file of the working folder', async () => {
    mkdirSync(join(root, '.ambit'));
    writeFileSync(join(root, '.ambit/log.key'), 'a'.repeat(32));
    const opened = await open();
    expect(readdirSync(opened)).toEqual([]);
    expect(Buffer.from(await logKey(opened)).toString()).not.toBe('a'.repeat(32));
  });
});

describe('logKey', () => {
  it('creates 32 random bytes once, for the user only', async () => {
    const keys = [await logKey(folder), await logKey(folder), await logKey(root)];
    expect(keys.map((key) => key.length)).toEqual([32, 32, 32]);
    expect(keys[1]).toEqual(keys[0]);
    expect(keys[2]).not.toEqual(keys[0]);
    expect(modeOf(join(folder, 'log.key'))).toBe('600');
  });

  it('returns the same key for simultaneous requests, and leaves no other file', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => logKey(root)));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    expect(readdirSync(root)).toEqual(['log.key']);
    expect(readFileSync(join(root, 'log.key'))).toEqual(Buffer.from(keys[0] ?? []));
  });

  it('works after a process was killed while creating it', async () => {
    writeFileSync(join(root, 'log.key.0123456789abcdef.tmp'), 'half');
    expect((await logKey(root)).length).toBe(32);
  });

  it.each(['', 'short', 'a'.repeat(33)])('refuses a key of another length: %j', async (content) => {
    writeFileSync(join(root, 'log.key'), content);
    await expect(logKey(root)).rejects.toThrow('is not a key of 32 bytes: remove it, and a new one is made');
  });

  it('fails if it cannot be written or read', async () => {
    await expect(logKey(join(root, 'nowhere'))).rejects.toThrow('ENOENT');
    mkdirSync(join(root, 'log.key'));
    await expect(logKey(root)).rejects.toThrow('log.key: it is a folder, not a regular file');
  });
});

describe('logFolderOf', () => {
  it('is named by the base name and the digest of the working folder’s real path', async () => {
    symlinkSync(root, join(folder, 'link'));
    const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
    for (const way of [root, join(folder, 'link')])
      expect(await logFolderOf({ AMBIT_HOME: state }, way)).toBe(join(state, 'log', `work-${digest}`));
  });

  it('is a valid file name for a working folder of any length', async () => {
    const long = join(folder, 'ü'.repeat(127));
    mkdirSync(long);
    expect(Buffer.byteLength(basename(await logFolderOf({ AMBIT_HOME: state }, long)))).toBeLessThanOrEqual(
      255,
    );
  });

  it('is for its owner only, and refused if others may write it', async () => {
    const logs = await openLogFolder({ AMBIT_HOME: state }, root);
    expect([modeOf(logs), modeOf(join(state, 'log'))]).toEqual(['700', '700']);
    chmodSync(join(state, 'log'), 0o777);
    await expect(openLogFolder({ AMBIT_HOME: state }, root)).rejects.toThrow('can be written by others');
  });
});
