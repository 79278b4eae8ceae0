import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const { root, describe: described } = project({ 'a.txt': 'a' });

/** The words after expansion, as bash gives them. */
function expandedBy(word: string): readonly string[] {
  const line = `x=z; printf '%s\\0' ${word}`;
  return execFileSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('a word with braces', () => {
  it.each([
    '{a,b}{},c}',
    '{},a}',
    '{}{a,b}',
    '{},a}{b,c}',
    '{a,{},b}}',
    'a{},b}',
    '""{},b}',
    '{1..$x}',
    '{1..$x}/a',
    '{..{a,b}',
    '{"c,d"..}',
    '{"c",d..e}',
    '{a..c}{}',
  ])('expands to the same words as in bash: %s', async (word) => {
    const [{ argv } = { argv: null }] = (await described(`x=z; stat ${word}`)).filter(
      ({ name }) => name === 'proc.exec',
    );
    expect(argv).toEqual(['stat', ...expandedBy(word)]);
  });

  it.each(['{""src/..{/.env,x}}', "{..'a,b'/../.env}", '{1..$x}{},a}', '{..$(echo a,b)}', '\\ {},a}'])(
    'is opaque if bash may find other braces: %s',
    async (word) => {
      expect((await described(`x=z; cat ${word}`)).map(({ name }) => name)).toContain('proc.exec.opaque');
    },
  );
});
