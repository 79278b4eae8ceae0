import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { anyNumber } from '../../src/number.js';
import type { Word } from '../../src/word.js';
import { project } from '../read/world.js';
import { describedOf, effectsOf } from './context.js';
import { unknown } from './given.js';

/** Options, and what is printed with `1` for each number; null where it may be more than digits. */
const plain: readonly (readonly [string, string | null])[] = [
  ['+%F', '1-1-1'],
  ['+%Y%m%d-%H%M%S', '111-111'],
  ['-u +%Y-%m-%dT%H:%M:%SZ', '1-1-1T1:1:1Z'],
  ['+backup_%j.%N', null],
  ['+v%s_%R', 'v1_1:1'],
  ['-d yesterday +%Y-%m-%d', '1-1-1'],
  ['-d 2024-02-29 +%y%V', '11'],
  ['-I', '1-1-1'],
  ['-Iseconds', null],
];

it.each(plain)('prints one plain word for %s', (written, shape) => {
  const args = written.split(' ');
  const { output } = describedOf('date', args);
  expect(output).toMatchObject({ kind: 'words', isOne: true });
  const marked = output !== undefined && 'shape' in output ? output.shape : undefined;
  expect(marked?.replaceAll(anyNumber, '1') ?? null).toBe(shape);
  const printed = execFileSync('date', args, { encoding: 'utf8' });
  expect(printed).toMatch(/^[\w.][\w.:+-]*\n$/);
  if (marked !== undefined)
    expect(printed).toMatch(new RegExp(`^${marked.replaceAll(anyNumber, '\\d+')}\n$`));
});

it.each([
  [],
  ['+%F %T'],
  ['+%e'],
  ['+%B'],
  ['+-%F'],
  ['+%c'],
  ['-R'],
  ['-d', '9999 years ago', '+%Y'],
  ['-d', '@-99999999999999', '+%F'],
  ['-r', 'a', '+%F'],
  ['-I', '+%F %T'],
])('does not know what it prints for %s %s %s', (...args) => {
  expect(describedOf('date', args).output).toStrictEqual({ kind: 'unknown' });
});

it('makes one word of it, and of the name of the machine', async () => {
  const { says } = project({ 'a.txt': 'a\n', '.env': 'A=1' });
  const read = ['fs.read a.txt (grep)'];
  for (const name of ['date +%F', 'hostname', 'uname -m'])
    expect(await says(`grep $(${name}) a.txt`)).toEqual(read);
  for (const name of ['date', 'hostname -f', 'uname -sm', 'whoami'])
    expect((await says(`grep $(${name}) a.txt`)).some((each) => each.startsWith('secret.read'))).toBe(true);
});

it('reads programs that `which` and `command -v` find', async () => {
  const { says } = project({ 'a.txt': 'a\n', '.env': 'A=1' });
  const secret = (said: readonly string[]) => said.some((each) => each.startsWith('secret.read'));
  for (const finds of ['which ls', 'command -v ls']) {
    const [read = '', ...others] = await says(`head -1 $(${finds})`);
    expect(read).toMatch(/^fs\.read\.outside (?:\S*\/ls )+\(head\)$/);
    expect(others).toEqual([]);
    expect(secret(await says(`touch /usr/bin/ls; head -1 $(${finds})`))).toBe(true);
  }
  for (const finds of ['command -v cd', 'command -V ls', 'which ./ls', 'which nowhere', 'which ls nowhere'])
    expect(secret(await says(`head -1 $(${finds})`))).toBe(true);
  expect(secret(await says('ls() { :; }; head -1 $(command -v ls)'))).toBe(true);
});

it('keeps names that `tr` ends with NUL', async () => {
  const { says } = project({ 'src/a.ts': 'a\n', '.env': 'A=1' });
  const read = (said: readonly string[]) => said.filter((each) => each.endsWith('(cat)'));
  expect(read(await says("find . -name '*.ts' | tr '\\n' '\\0' | xargs -0 cat"))).toEqual([
    'fs.read src/a.ts (cat)',
  ]);
  expect(read(await says("find . -name '*.ts' | tr '\\n' '\\0' | xargs cat"))).not.toEqual([
    'fs.read src/a.ts (cat)',
  ]);
});

const takers: [string, string[]][] = [
  ['date', ['-d']],
  ['touch', ['a', '--date']],
  ['find', ['a', '-newermt']],
  ['tar', ['cf', 'a.tar', 'a', '--mtime']],
  ['tar', ['cf', 'a.tar', 'a', '-N']],
];

it.each(takers)('reads a time of %s %j, before which a zone may name a file', (name, words) => {
  const isOpaque = (time: string | Word) => effectsOf(name, [...words, time]).includes('opaque');
  for (const time of ['yesterday', 'TZ="Europe/Berlin" 9:00', unknown('"@$x"', { start: '@' })])
    expect(isOpaque(time)).toBe(false);
  for (const time of [
    'TZ=":/a" now',
    ' TZ="../a" now',
    'TZ="A/../../a"',
    unknown('"$x"'),
    unknown('"T$x"', { start: 'T' }),
  ])
    expect(isOpaque(time)).toBe(true);
});
