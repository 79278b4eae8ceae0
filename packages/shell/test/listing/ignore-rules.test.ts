import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { ignoreRules, verdictOf } from '../../src/listing/ignore-rules.js';

const names = ['a', 'b', 'ab', 'a b', 'a ', '#a', '!a', '.a', 'a.log', 'é', 'A', 'a]', '[a', 'a\\b', 'a*'];
const atoms = [
  'a',
  'b',
  '*',
  '?',
  '**',
  '/',
  '[ab]',
  '[!a]',
  '[a-c]',
  '[^a-',
  '\\',
  '\\ ',
  ' ',
  '#',
  '!',
  '.',
  'é',
  '.log',
];
const pattern = fc.oneof(
  fc.array(fc.constantFrom(...atoms), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  fc.constantFrom(
    '*',
    '!*',
    '*/',
    '!*/',
    '/*',
    '!/a',
    'a/**',
    '**/a',
    'a/**/b',
    '!a/b',
    '[[:alpha:]]',
    'a\t',
    '/',
    '\\!a',
    '\\#a',
    'a\r',
    '!',
  ),
);

describe('ignore rules', () => {
  it('agree with git check-ignore on generated trees', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ignore-'));
    try {
      execFileSync('git', ['init', '-q', folder]);
      const paths = names.flatMap((one) => [one, ...names.slice(0, 6).map((other) => `d/${one}/${other}`)]);
      for (const path of paths.filter((path) => path.startsWith('d/'))) {
        mkdirSync(join(folder, dirname(path)), { recursive: true });
        writeFileSync(join(folder, path), '');
      }
      for (const name of names) writeFileSync(join(folder, name), '');
      let unknown = 0;
      let known = 0;
      const outer = fc.array(pattern, { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(outer, outer, (first, second) => {
          const files = [first, second].map((lines) => lines.join('\n'));
          writeFileSync(join(folder, '.gitignore'), files[0] ?? '');
          writeFileSync(join(folder, 'd/.gitignore'), files[1] ?? '');
          const asked = [...paths, ...paths.flatMap((path) => (path.includes('/') ? [dirname(path)] : []))];
          const { stdout } = spawnSync('git', ['-C', folder, 'check-ignore', '-z', '--no-index', '--stdin'], {
            input: asked.join('\0'),
            encoding: 'utf8',
          });
          const ignored = new Set(stdout.split('\0'));
          const [top = [], inner = []] = files.map((text) => ignoreRules(text));
          for (const path of asked) {
            const parts = path.split('/');
            let verdict = 'none';
            for (
              let depth = 1;
              depth <= parts.length && verdict !== 'ignored' && verdict !== 'unknown';
              depth += 1
            ) {
              const part = parts.slice(0, depth).join('/');
              const isFolder = depth < parts.length || (depth < 3 && parts[0] === 'd');
              const rules = [
                ...(depth > 1 ? [{ folder: '/d', rules: inner }] : []),
                { folder: '/', rules: top },
              ];
              verdict = verdictOf(`/${part}`, isFolder, rules);
            }
            if (verdict === 'unknown') unknown += 1;
            else {
              known += 1;
              expect([path, verdict === 'ignored']).toEqual([path, ignored.has(path)]);
            }
          }
        }),
        // git compares the literal prefix of a pattern separately, so `**/` may begin the rest.
        { ...explore(300), examples: [[['a**/[ab]', 'a'], ['a']]] },
      );
      // One rare pattern of a list makes all its paths unknown: of few lists, chance may draw several such.
      expect(unknown).toBeLessThan(known);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
