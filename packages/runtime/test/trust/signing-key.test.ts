import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { makeSigningKey, signingKey, signingKeyFile } from '../../src/index.js';

const folder = () => temporaryFolder('ambit key+');

describe('makeSigningKey', () => {
  it('creates one key, readable only by its owner, for simultaneous requests', async () => {
    const state = folder();
    expect(await signingKey(state)).toBeNull();
    const made = await Promise.all(Array.from({ length: 20 }, () => makeSigningKey(state)));
    expect(new Set(made.map(({ key }) => key.secret)).size).toBe(1);
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(readdirSync(state)).toEqual(['signing.key']);
    expect(statSync(signingKeyFile(state)).mode & 0o777).toBe(0o600);
    expect((await signingKey(state))?.secret).toBe(made[0]?.key.secret);
    // A space and a plus may stand in a folder's name, and not in a key's.
    expect(made[0]?.key.verifier.name).toMatch(/^ambit\/ambit-key-[A-Za-z0-9._-]+$/);
  });
});

describe('signingKey', () => {
  it.each<[string, (file: string) => void, string]>([
    [
      'is cut short',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40)),
      'is not a signing key',
    ],
    [
      'is another with the same name',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace(/\+[0-9a-f]{8}\+/, '+00000000+')),
      'is not a signing key',
    ],
    ['may be read by others', (file) => chmodSync(file, 0o640), 'can be read or written by others'],
    [
      'is a link',
      (file) => {
        writeFileSync(`${file}.else`, readFileSync(file), { mode: 0o600 });
        rmSync(file);
        symlinkSync(`${file}.else`, file);
      },
      'is not a regular file',
    ],
  ])('refuses a key that %s, and creates no other', async (_, damage, words) => {
    const state = folder();
    await makeSigningKey(state);
    damage(signingKeyFile(state));
    await expect(signingKey(state)).rejects.toThrow(words);
    await expect(makeSigningKey(state)).rejects.toThrow(words);
  });
});
