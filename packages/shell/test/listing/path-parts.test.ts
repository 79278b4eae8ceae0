import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { usualSearchPath } from '../../src/run/search-path.js';
import { contextAt, emptyFolder, listed, words } from './context.js';

const paths = [
  'a',
  'a/b',
  'a//b',
  '/a',
  '/',
  '//',
  'a/',
  'a//',
  '.',
  '..',
  './a.ts',
  '/a/b.ts/',
  '',
  'a/.ts',
  'b.tsb.ts',
];

const printed = (name: string, args: readonly string[]) => {
  const { output } = listed(name, words(...args), contextAt(emptyFolder()));
  return output.kind === 'text' ? output.text : output.kind;
};
const real = (name: string, args: readonly string[]) => execFileSync(name, args, { encoding: 'utf8' });

describe('dirname and basename', () => {
  it.each(paths)('prints the same as the program for `%s`', (path) => {
    expect(printed('dirname', [path])).toBe(real('dirname', [path]));
    expect(printed('dirname', [path, 'x/y'])).toBe(real('dirname', [path, 'x/y']));
    expect(printed('basename', [path])).toBe(real('basename', [path]));
    expect(printed('basename', [path, '.ts'])).toBe(real('basename', [path, '.ts']));
    for (const options of [
      ['-a'],
      ['--multiple', '-s', '.ts'],
      ['--suffix=s', '-s.ts', '-a'],
      ['-as', 'b.ts'],
    ])
      expect(printed('basename', [...options, path, 'x/y.ts'])).toBe(
        real('basename', [...options, path, 'x/y.ts']),
      );
  });

  it.each(['-z', '-az'])('has unknown output with %s', (option) => {
    expect(printed('basename', [option, 'a/b.ts', 'c'])).toBe('unknown');
  });
});

describe('which', () => {
  const found = (...names: readonly string[]) => {
    const { output } = listed('which', words(...names), contextAt(emptyFolder()));
    return output.kind === 'names' && !output.names.open ? output.names.texts : output.kind;
  };

  it.each([['ls'], ['ls', 'sort'], ['-a', 'sh'], ['no-such-program']])(
    'knows what it may print for %s %s',
    (...names) => {
      const { stdout } = spawnSync('which', names, {
        encoding: 'utf8',
        env: { PATH: usualSearchPath.join(':') },
      });
      expect(found(...names)).toEqual(
        expect.arrayContaining(stdout.split('\n').filter((line) => line !== '')),
      );
    },
  );

  it.each(['../ls', '', 'a b'])('does not know what it prints for `%s`', (name) => {
    expect(found(name)).toBe('unknown');
  });

  it('does not know it after a change', () => {
    const changed = contextAt(emptyFolder(), { created: new Set(['/usr/bin/ls']) });
    expect(listed('which', words('ls'), changed).output).toEqual({ kind: 'unknown' });
  });
});
