import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotRegularError, readRegular, readRegularSync } from '../../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'ambit-regular-'));
const at = (name: string) => join(folder, name);
const server = createServer();

beforeAll(async () => {
  writeFileSync(at('text'), 'abc');
  writeFileSync(at('long'), Buffer.alloc(200_000, 7));
  mkdirSync(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('text', at('link'));
  symlinkSync('pipe', at('link-to-pipe'));
  await new Promise<void>((done) => server.listen(at('socket'), done));
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

describe('readRegular', () => {
  it.each([
    ['a pipe without a writer', 'pipe', 'a pipe'],
    ['a link to a pipe', 'link-to-pipe', 'a pipe'],
    ['a folder', 'folder', 'a folder'],
    ['a socket', 'socket', 'a socket'],
    ['an endless device', '/dev/zero', 'a device'],
    ['an empty device', '/dev/null', 'a device'],
  ])('refuses %s at once, synchronously and asynchronously', async (_, name, kind) => {
    const path = name.startsWith('/') ? name : at(name);
    const refused = new NotRegularError(path, kind);
    await expect(readRegular(path)).rejects.toEqual(refused);
    expect(() => readRegularSync(path)).toThrow(refused);
  });

  it('returns all bytes of a file, or the requested number', async () => {
    expect((await readRegular(at('link'))).toString()).toBe('abc');
    expect((await readRegular(at('text'), 2)).toString()).toBe('ab');
    expect((await readRegular(at('long'))).equals(Buffer.alloc(200_000, 7))).toBe(true);
    expect(readRegularSync(at('long')).equals(Buffer.alloc(200_000, 7))).toBe(true);
  });

  it('reports the system error for a missing file, and for an unwanted link', async () => {
    await expect(readRegular(at('gone'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(() => readRegularSync(at('link'), { follow: false })).toThrow(/ELOOP/);
  });
});
