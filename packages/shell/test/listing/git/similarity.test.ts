import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../../test/depth.js';
import { mayBeSimilar } from '../../../src/listing/git/store/similarity.js';
import { emptyFolder } from '../context.js';

describe('files that git takes for the same one renamed', () => {
  it('are similar, and few others are', () => {
    const folder = emptyFolder();
    for (const name of ['one', 'other']) mkdirSync(join(folder, name));
    const piece = fc.constantFrom('a\n', 'b\n', 'c\r\n', 'c\n', `${'long '.repeat(20)}\n`, 'x', '\0', 'é\n');
    const content = fc.array(piece, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
    let [renamed, similar] = [0, 0];
    fc.assert(
      fc.property(content, content, (before, after) => {
        writeFileSync(join(folder, 'one/before'), before);
        writeFileSync(join(folder, 'other/after'), after);
        const args = ['diff', '--no-index', '-M', '--name-status', 'one', 'other'];
        const isRenamed = spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.startsWith('R');
        const isSimilar = mayBeSimilar(Buffer.from(before), Buffer.from(after));
        if (isRenamed) expect(isSimilar).toBe(true);
        renamed += Number(isRenamed);
        similar += Number(isSimilar);
      }),
      explore(1_000),
    );
    expect(renamed).toBeGreaterThan(5);
    expect(similar).toBeLessThan(renamed * 1.5);
  });
});
