import { describe, expect, test } from 'vitest';
import type { ProgramTable } from '../../src/programs/entry/spec.js';
import { type Output, text, type Word } from '../../src/word.js';
import { describedOf, effectsOf } from './context.js';
import { names, unknown } from './given.js';

const table: ProgramTable = {
  show: { flags: '-v -r --all', values: '-n', options: { '-o --out': 'write' }, operands: ['...read'] },
  start: { flags: '-k', options: { '-t': 'value' }, operands: ['*assignment', 'command'], posix: true },
  each: { options: { '-x': 'command:;' }, operands: ['...read'] },
  more: {
    flags: '-0 --null',
    options: { '-I': 'placeholder', '-n': 'batch', '-d --delimiter': 'delimiter' },
    operands: ['command:open unless -0 --null', 'command:nul if -0 --null'],
    posix: true,
  },
  with: { options: { '-c': 'command' } },
  plain: { flags: '-v' },
  pick: { options: { '-c': 'code:sh' }, operands: ['...read'] },
  name: { operands: ['read'], posix: true },
  known: { operands: ['...exists'], closed: true },
  ask: { opaque: 'it asks the project', does: ['connect:https a.example'] },
  two: { commands: { get: { operands: ['read'] }, 'put|set': { operands: ['write'] } }, flags: '-q' },
  move: { options: { '-C': 'folder' }, operands: ['...read'], joined_folders: true },
  keep: { prints: ['number if -c', 'input unless -o'], flags: '-c -o', operands: ['value', '...read'] },
  quiet: { prints: 'nothing', operands: ['...read'], leaves_input: true },
  echoes: { prints: 'names', operands: ['...read'] },
  wrap: { prints: 'nothing', operands: ['command'], posix: true },
};

const said = (name: string, ...words: readonly (string | Word)[]) => effectsOf(name, words, table);

type Line = readonly [name: string, ...words: (string | Word)[]];

function lines(each: readonly Line[]): { line: Line }[] {
  return each.map((line) => ({ line }));
}

describe('a word without a role in its entry', () => {
  test.each(
    lines([
      ['show', '-x', 'a'],
      ['show', '--al', 'a'],
      ['show', '--all=1', 'a'],
      ['show', '-vx', 'a'],
      ['show', '-vo$', '-z'],
      ['show', '--ou=x'],
      ['name', 'a', 'b'],
      ['plain', unknown('"$x"'), 'b'],
      ['two', 'drop', 'a'],
      ['two', unknown('$x'), 'a'],
      ['two', '-q', unknown('"$x"', { start: '-' }), 'get', 'a'],
      ['two', names(['get', 'put']), 'a'],
      ['start', unknown('$x', { start: 'A=', count: 'many' }), 'ls'],
      ['start', unknown('"$x"'), 'ls'],
      ['start', '-t', unknown('$x', { count: 'many' }), 'ls'],
      ['pick', unknown('"$x"')],
      ['pick', unknown('"-$x"', { start: '-' })],
      ['show', names(['a', '-o'])],
      ['show', names(['ut'], { before: '--o', count: 'one' })],
      ['show', '-o', names(['a', 'b'])],
      ['move', '-C', 'a', '-C', unknown('"$x"'), 'b'],
      ['known', '-x', 'a'],
    ]),
  )('makes the command opaque and nothing else: $line', ({ line: [name, ...words] }) => {
    expect(said(name, ...words)).toStrictEqual(['opaque']);
  });
});

describe('an entry of the table', () => {
  test('takes options and values in every spelling', () => {
    const spellings = [['-o', 'f'], ['-of'], ['-vof'], ['-vo', 'f'], ['--out', 'f'], ['--out=f']];
    for (const spelling of spellings)
      expect(said('show', ...spelling, 'a')).toStrictEqual(['write f by argument', 'read a']);
    expect(said('show', '-o=f')).toStrictEqual(['write =f by argument']);
    expect(said('show', '-n', '-o', 'a')).toStrictEqual(['read a']);
  });

  test('is opaque with a command attached to its option', () => {
    expect(said('with', '-crm', 'a', '-x')).toStrictEqual(['opaque']);
    expect(said('each', '-xrm', ';', 'a')).toStrictEqual(['opaque']);
  });

  test('knows the separator of the words from the standard input', () => {
    expect(said('more', 'rm')).toStrictEqual(['run rm + blanks']);
    expect(said('more', '--null', 'rm')).toStrictEqual(['run rm + nul']);
    expect(said('more', '-d', '\\n', 'rm')).toStrictEqual(['run rm + lines']);
    expect(said('more', '-d', '\\0', 'rm')).toStrictEqual(['run rm + nul']);
    expect(said('more', '-0', '-d', '\\n', 'rm')).toStrictEqual(['opaque']);
    expect(said('more', '-I{}', '-n1', 'rm', '{}')).toStrictEqual(['opaque']);
    expect(said('more', '-n1', '-I{}', 'rm', '{}')).toStrictEqual(['run rm {} + lines']);
    expect(said('more', '-I{}', 'rm', '{}')).toStrictEqual(['run rm {} + lines']);
    expect(said('more', '-d,', 'rm')).toStrictEqual(['opaque']);
  });

  test('ends options at `--`, and at the first operand of a POSIX program', () => {
    expect(said('show', '--', '-o', 'f')).toStrictEqual(['read -o', 'read f']);
    expect(said('show', 'a', '-of')).toStrictEqual(['write f by argument', 'read a']);
    expect(said('start', 'A=b', 'ls', '-k', '--x')).toStrictEqual(['variable A=b', 'run ls -k --x']);
  });

  test('reads a word after an unknown one as an option and as an operand', () => {
    expect(said('show', unknown('"$x"'), '-of')).toStrictEqual([
      'write f by argument',
      'opaque',
      'read ?',
      'read -of',
    ]);
  });

  test('acts on unknown words that cannot be options', () => {
    expect(said('show', unknown('"./$x"', { start: './' }))).toStrictEqual(['read ./?']);
    expect(said('show', '--', unknown('$x', { count: 'many' }))).toStrictEqual(['read ?']);
    expect(said('show', unknown('$n', { isNumber: true }))).toStrictEqual(['read ?']);
    expect(said('known', unknown('"$x"'))).toStrictEqual(['list ?']);
    expect(said('show', names(['a', 'b']))).toStrictEqual(['read {a b}']);
    expect(said('show', '-o', names(['a', 'b'], { count: 'one' }))).toStrictEqual([
      'write {a b} by argument',
    ]);
    const below = names(['./a'], { names: { texts: ['./a'], open: true, under: '.' } });
    expect(said('show', below)).toStrictEqual(['read {./a}']);
    const anything = names(['a'], { names: { texts: ['a'], open: true, under: null } });
    expect(said('show', anything)).toStrictEqual(['opaque', 'read {a}']);
  });

  test('reports known effects of an opaque entry, even when only the version is requested', () => {
    expect(said('ask')).toStrictEqual(['connect a.example', 'opaque']);
    expect(said('ask', '--version')).toStrictEqual(['connect a.example', 'opaque']);
    expect(said('show', '--version')).toStrictEqual([]);
  });

  test('reports the base of relative paths', () => {
    expect(said('move', '-C', 'a', '-C', 'b', 'c')).toStrictEqual(['read c in a/b']);
    const { effects } = describedOf('env', ['-C', 'a/b', '-C', '../..', 'ls']);
    expect(effects).toContainEqual(expect.objectContaining({ kind: 'run', folder: text('../..') }));
    const pkg = effectsOf('npm', ['--prefix', 'a/b', '--prefix', '../..', 'pkg', 'set', 'x=y']);
    expect(pkg).toContain('write package.json in ../..');
    expect(said('move', '-C', unknown('"$x"'), 'c')).toStrictEqual(['read c in ?']);
    expect(said('move', '-C', unknown('"$x"', { start: '/' }), 'c')).toStrictEqual(['read c in /?']);
  });
});

describe('the output of a program', () => {
  const lines: Output = {
    kind: 'names',
    names: { texts: ['a', 'b'], open: false, under: null },
    separator: '\n',
  };
  const printed = (name: string, words: readonly string[], input: Output = lines) =>
    describedOf(name, words, { table, input }).output;

  test('passes its input on only when it reads no file', () => {
    expect(printed('keep', ['x'])).toStrictEqual(lines);
    expect(printed('keep', ['x'], { kind: 'text', text: 'a\nb\n' })).toStrictEqual(lines);
    expect(printed('keep', ['x', '-'])).toStrictEqual(lines);
    expect(printed('keep', ['x', 'f'])).toStrictEqual({ kind: 'unknown' });
    expect(printed('keep', ['-o', 'x'])).toStrictEqual({ kind: 'unknown' });
    expect(printed('keep', ['x'], { ...lines, separator: '\0' })).toStrictEqual({ kind: 'unknown' });
    expect(printed('keep', ['x'], { kind: 'number' })).toStrictEqual({ kind: 'number', mayBeMissing: true });
  });

  test('prints a number, nothing, or the given names', () => {
    expect(printed('keep', ['-c', 'x'])).toStrictEqual({ kind: 'number' });
    expect(printed('quiet', ['x'])).toStrictEqual({ kind: 'text', text: '' });
    expect(printed('echoes', ['a', 'b'])).toStrictEqual(lines);
    expect(printed('wrap', ['ls'])).toStrictEqual({ kind: 'unknown' });
  });

  test('leaves the input for the next command if the entry says so', () => {
    expect(describedOf('quiet', ['x'], { table }).leavesInput).toBe(true);
    expect(describedOf('keep', ['x'], { table }).leavesInput).toBe(false);
  });

  test.each(['rm', 'mv', 'cp'])('reads the answers to the questions of %s -i from the input', (program) => {
    expect(describedOf(program, ['x', 'y']).leavesInput).toBe(true);
    expect(describedOf(program, ['-i', 'x', 'y']).leavesInput).toBe(false);
  });
});

describe('the table of programs', () => {
  test.each(
    lines([
      ['strings', '@list'],
      ['nm', '@list'],
      ['objdump', '@list'],
      ['gcc', '@list'],
      ['sort', '--compress-prog=./x', 'a'],
      ['grep', '--fil=x', 'a'],
      ['tar', '--to-comm', 'sh', '-xf', 'a.tar'],
      ['tar', 'cf', 'a.tar', '--exclude-tag=../../x', 'a'],
      ['tar', 'cf', 'a.tar', '--exclude-ignore=../../x', 'a'],
      ['curl', '--key', 'pkcs11:object=x?module-path=/x.so', 'https://a.example'],
      ['curl', '--cacert', 'pkcs11:object=x', 'https://a.example'],
      ['tar', 'cf', 'a.tar', '--exclude-ignore-recursive', '../../x', 'a'],
      ['openssl', 'req', '-in', 'a', '-addext', 'proxyCertInfo=language:1.2.3,policy:file:x'],
      ['openssl', 'req', '-in', 'a', '-addext', 'subjectAltName=DNS:$ENV::TOKEN'],
      ['openssl', 'req', '-in', 'a', '-addext', '.include=x'],
      ['openssl', 'req', '-in', 'a', '-addext', 'subjectAltName=DNS:a\n.include=x'],
      ['tar', 'xf', 'a.tar', '--checkpoint-action', unknown('$x', { count: 'many' })],
      ['git', '-c', unknown('"$x"'), 'status'],
      ['git', 'ext'],
      ['git', 'clone', 'ext::sh -c id'],
      ['curl', '-F', unknown('"a=@$x"', { start: 'a=@' }), 'https://a.example'],
      ['sed', '--expr=w f', 'a'],
      ['xargs', '-d', ',', 'rm'],
      ['sysctl', '-n', '../../x'],
    ]),
  )('makes a command opaque if its words hide more: $line', ({ line: [name, ...words] }) => {
    expect(effectsOf(name, words)).toContain('opaque');
  });

  test('says that `ack` may run the form of its output', () => {
    const { effects } = describedOf('ack', ['--output', 'x', 'y', '.']);
    expect(effects).toContainEqual({ kind: 'opaque', why: 'older versions read it as Perl' });
  });

  test('does not apply an entry to other names', () => {
    expect(effectsOf('python3.11', ['a.py'])).toStrictEqual(effectsOf('python', ['a.py']));
    for (const name of ['rm2', 'cat-9', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])
      expect(() => describedOf(name, ['a'])).toThrow('does not have');
  });

  test('describes the names of many files as one set', () => {
    const many = names(Array.from({ length: 5_000 }, (_, at) => `f${at}`));
    expect(describedOf('cat', [many]).effects).toHaveLength(1);
    expect(describedOf('awk', ['{print}', many]).effects).toHaveLength(1);
    expect(describedOf('cat', [text('a')]).effects).toHaveLength(1);
  });
});
