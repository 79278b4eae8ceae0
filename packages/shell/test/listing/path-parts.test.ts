import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
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
  });

  it.each(['-a', '-z', '--suffix=.ts'])('has unknown output with %s', (option) => {
    expect(printed('basename', [option, 'a/b.ts', 'c'])).toBe('unknown');
  });
});
