import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../../test/depth.js';
import { mayBeSimilar } from '../../../src/listing/git/store/similarity.js';
import { emptyFolder } from '../context.js';

describe('mayBeSimilar', () => {
  it('is true of all files that git takes for renamed', () => {
    const folder = emptyFolder();
    for (const name of ['one', 'other']) mkdirSync(join(folder, name));
    const piece = fc.constantFrom('a\n', 'b\n', 'c\r\n', 'c\n', `${'long '.repeat(20)}\n`, 'x', '\0', 'é\n');
    const pieces = fc.array(piece, { minLength: 1, maxLength: 12 });
    const changed = fc.array(fc.tuple(fc.nat(11), piece), { maxLength: 8 });
    let renamed = 0;
    fc.assert(
      fc.property(pieces, changed, (parts, changes) => {
        const others = new Map(changes);
        const before = parts.join('');
        const after = parts.map((part, at) => others.get(at) ?? part).join('');
        writeFileSync(join(folder, 'one/before'), before);
        writeFileSync(join(folder, 'other/after'), after);
        const args = ['diff', '--no-index', '-M', '--name-status', 'one', 'other'];
        const isRenamed = spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.startsWith('R');
        const isSimilar = mayBeSimilar(Buffer.from(before), Buffer.from(after));
        if (isRenamed) expect(isSimilar).toBe(true);
        renamed += Number(isRenamed);
      }),
      explore(1_000),
    );
    expect(renamed).toBeGreaterThan(5);
  });

  it.each([
    ['a\nb\n', 'a\nc\n', true],
    ['a\nb\nc\n', 'a\nd\ne\n', false],
    ['a\n', 'a\na\n', true],
    ['a\n', 'a\na\na\n', false],
    ['a\r\nb\r\n', 'a\nb\n', true],
  ])('is at least half of the larger one: %j, %j', (one, other, expected) => {
    expect(mayBeSimilar(Buffer.from(one), Buffer.from(other))).toBe(expected);
  });
});
