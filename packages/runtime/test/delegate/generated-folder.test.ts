import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { writeGenerated } from '../../src/delegate/generated-folder.js';

const registry = () => temporaryFolder('ambit-generated-');

const filesIn = (folder: string) => readdirSync(join(folder, 'generated'));

describe('writeGenerated', () => {
  it('lets one of several simultaneous writers of a name win, with its whole text', async () => {
    const folder = registry();
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((letter) => letter.repeat(10_000));
    const outcomes = await Promise.allSettled(
      texts.map((text) => writeGenerated(folder, { name: 'x', text }, () => text)),
    );
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect([won.length, filesIn(folder)]).toEqual([1, ['x.worker']]);
    expect(readFileSync(join(folder, 'generated/x.worker'), 'utf8')).toBe(won[0]);
  });

  it('removes only the file if a later step fails', async () => {
    const folder = registry();
    await writeGenerated(folder, { name: 'kept', text: 'k' }, () => null);
    const failing = writeGenerated(folder, { name: 'x', text: 'x' }, () => {
      throw new Error('no room');
    });
    await expect(failing).rejects.toThrow('no room');
    expect(filesIn(folder)).toEqual(['kept.worker']);
  });

  it('does not write through a link to a folder or file', async () => {
    const folder = registry();
    mkdirSync(join(folder, 'generated'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'generated/x.worker'));
    await expect(writeGenerated(folder, { name: 'x', text: 'x' }, () => null)).rejects.toThrow('already');
    const linked = registry();
    symlinkSync(join(folder, 'generated'), join(linked, 'generated'));
    await expect(writeGenerated(linked, { name: 'y', text: 'y' }, () => null)).rejects.toThrow();
    expect([readdirSync(folder), filesIn(folder)]).toEqual([['generated'], ['x.worker']]);
  });
});
