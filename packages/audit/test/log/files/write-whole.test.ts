import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';
import { createOnce, createWhole, writeWhole } from '../../../src/log/files/write-whole.js';

const place = () => temporaryFolder('ambit-whole-');

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('writeWhole', () => {
  it('replaces a file, readable only by its owner, and leaves no other file', async () => {
    const folder = place();
    const file = join(folder, 'x');
    writeFileSync(file, 'before', { mode: 0o644 });
    expect(await writeWhole(file, 'after')).toBe(true);
    expect([readFileSync(file, 'utf8'), modeOf(file), readdirSync(folder)]).toEqual(['after', 0o600, ['x']]);
  });

  it('sets the requested mode, regardless of the umask', async () => {
    const file = join(place(), 'x');
    await writeWhole(file, 'text', { mode: 0o666 });
    expect(modeOf(file)).toBe(0o666);
  });

  it('replaces a link, and not its target', async () => {
    const folder = place();
    writeFileSync(join(folder, 'target'), 'kept');
    symlinkSync('target', join(folder, 'x'));
    await writeWhole(join(folder, 'x'), 'after');
    const texts = ['target', 'x'].map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts).toEqual(['kept', 'after']);
  });

  it('leaves the file unchanged if it may no longer be replaced', async () => {
    const folder = place();
    const file = join(folder, 'x');
    writeFileSync(file, 'before');
    expect(await writeWhole(file, 'after', { mayReplace: async () => false })).toBe(false);
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['before', ['x']]);
  });
});

describe('createWhole', () => {
  it('creates one of several simultaneous files, and rejects the others', async () => {
    const folder = place();
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(10_000));
    const made = await Promise.allSettled(
      texts.map((text) => createWhole(join(folder, 'x'), text).then(() => text)),
    );
    const won = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const codes = made.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as { code: string }).code] : [],
    );
    expect([won, codes]).toEqual([[readFileSync(join(folder, 'x'), 'utf8')], ['EEXIST', 'EEXIST', 'EEXIST']]);
    expect(readdirSync(folder)).toEqual(['x']);
  });
});

describe('createOnce', () => {
  it('keeps the file that another one has made', async () => {
    const file = join(place(), 'x');
    expect([await createOnce(file, 'first'), await createOnce(file, 'second')]).toEqual([true, false]);
    expect(readFileSync(file, 'utf8')).toBe('first');
  });

  it('does not hide another failure', async () => {
    await expect(createOnce(join(place(), 'none', 'x'), '')).rejects.toThrow('ENOENT');
  });
});
