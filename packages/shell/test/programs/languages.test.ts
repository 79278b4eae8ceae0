import { describe, expect, test } from 'vitest';
import { effectsOf } from './context.js';
import { names, unknown } from './given.js';

/** Each line: the input of the program, and its effects. */
type Cases = readonly (readonly [script: string, ...effects: string[]])[];

function check(program: string, cases: Cases): void {
  const said = cases.map(([script]) => [script, ...effectsOf(program, [script])]);
  expect(said).toStrictEqual(cases.map((each) => [...each]));
}

describe('a script for sed', () => {
  test('touches the files that its commands name', () => {
    check('sed', [
      ['s/a/b/g'],
      ['s,/[^,]*$,,;s/[[:alpha:]/]/x/2p'],
      ['1,/x/!{/[/w f]/d;p}'],
      ['/a\\/w f/,$ s|x|y|'],
      [':a;N;$!ba;s/\\n/ /g'],
      ['a\\\n  text; w f\nw g', 'write g'],
      ['s/a/b/;$a\\'],
      ['w f\n$i\\', 'write f'],
      ['y/ab/cd/;w out', 'write out'],
      ['s/a/b/gw out;p', 'write out;p'],
      ['/x/r in\nR more', 'read in', 'read more'],
      ['s/a/b/w /dev/stdout', 'write /dev/stdout'],
    ]);
  });

  test('runs the commands of `e`', () => {
    check('sed', [
      ['e id', 'code sh id'],
      ['e cat \\x2eenv', 'code sh ?'],
      ['e true \\\ns;cat .env;y;', 'code sh ?'],
      ['s/.*/id/e', 'code sh ?'],
      ['1e', 'code sh ?'],
    ]);
  });

  test('is opaque if it is not understood', () => {
    const scripts = [
      's/a/b',
      's/[/w f\n]/x/',
      's/a/b/k',
      '}',
      '{p',
      'k',
      's/a/x\ny/',
      'w',
      'p p',
      '/a',
      '1,',
      'y/a/b',
      '\\',
      'F f',
    ];
    expect(scripts.filter((script) => effectsOf('sed', [script]).join() !== 'opaque')).toStrictEqual([]);
    expect(effectsOf('sed', ['-e', unknown('$x'), 'f'])).toStrictEqual(['opaque']);
  });
});

describe('a program for awk', () => {
  test('touches the files that it names', () => {
    check('awk', [
      ['{print $1}'],
      ['{a[$1] /= 2}'],
      ['NR>1 && $2 > 5 {n++} END {print n/2, (n > 3)}'],
      ['{print > "out"}', 'write out'],
      ['{printf("%s\\n", $1) >> "out"}', 'write out'],
      ['{print $1,\n $2 > "out"}', 'write out'],
      ['{print > "a" $1}', 'write a?'],
      ['function f(x) {return x "(" x (x)} {print f($1), length($1), toupper(f($2)) > "out"}', 'write out'],
      ['{print > "/dev/stderr"}', 'write /dev/stderr'],
      ['BEGIN {while ((getline line < "in") > 0) n++}', 'read in'],
      ['BEGIN {getline a[1,2,3,4,5] < "in"}', 'read in'],
    ]);
  });

  test('runs the text that it passes to the shell', () => {
    check('awk', [
      ['BEGIN {system("id")}', 'code sh id'],
      ['{system("rm " $1)}', 'code sh ?'],
      ['{print | "sort"}', 'code sh sort'],
      ['BEGIN {"date" | getline d}', 'code sh date'],
      ['BEGIN {"da" "te" | getline d}', 'code sh ?'],
      ['{print |& "x"}', 'code sh x'],
    ]);
  });

  test('is opaque when a slash may divide or begin a pattern', () => {
    const programs = [
      '{print i++ / 2 > "f" / 1}',
      '{if (1) /"/; print "x" > "f"; /"/}',
      '{exit /"/ / 1}',
      '/[/]/ {print}',
      '{x = length / 2}',
      '{x = 1 a /= 1# /; print > "f" #/\n}',
      // mawk has no `case`, so it reads a division.
      '{x = 1 case / getline < "a" #/\n}',
    ];
    expect(programs.filter((each) => effectsOf('awk', [each]).join() !== 'opaque')).toStrictEqual([]);
  });

  test('is opaque when it uses text outside the program', () => {
    const programs = [
      'BEGIN {ARGV[1]="x"}',
      'BEGIN {print ENVIRON["A"]}',
      '@include "x"',
      '@load "x"',
      'BEGIN {f="system"; @f("id")}',
      'BEGIN {print | "/inet/tcp/0/h/80"}',
      'BEGIN {print > "/inet/tcp/0/h/80"}',
      '{getline x < ("a" "b")}',
      '{print > $1}',
      'BEGIN {while ((getline x < h) > 0) print x}',
      'BEGIN {print > "/in" "et/tcp/0/h/80"}',
      'BEGIN {SYMTAB["x"]=1}',
      '{if (1) 0x1fgetline < "a"}',
      'BEGIN {awk::system("id")}',
      'BEGIN {print awk::ENVIRON["A"]}',
      'BEGIN {frobnicate("id")}',
      '{print "a',
      "{print 'a'}",
      '{print `a`}',
    ];
    expect(programs.filter((each) => effectsOf('awk', [each]).join() !== 'opaque')).toStrictEqual([]);
    expect(effectsOf('awk', [unknown('$x')])).toStrictEqual(['opaque']);
  });

  test('reads its operands, except assignments', () => {
    expect(effectsOf('awk', ['{print}', 'x=1', 'f', names(['a', 'b=c'])])).toStrictEqual([
      'read f',
      'read a',
    ]);
  });
});

describe('a form for curl', () => {
  test('reads the files that it names', () => {
    const said = (form: string) =>
      effectsOf('curl', ['-F', form, 'https://a.example']).filter((each) => !each.startsWith('connect'));
    expect(said('a=b')).toStrictEqual([]);
    expect(said('a=@f,g;type=x')).toStrictEqual(['read f', 'read g']);
    expect(said('a=<f')).toStrictEqual(['read f']);
    for (const form of ['a=b;headers=@f', 'a=@f;headers=@g', 'a=@"f"', 'a=(;type=x'])
      expect(said(form)).toStrictEqual(['opaque']);
  });
});

describe('SQL for sqlite3', () => {
  test('is opaque unless it is one query that only computes', () => {
    const query = "select max(1, length('from t')), cast(2 as text) in (1, 2)";
    expect(effectsOf('sqlite3', ['a.db', query])).not.toContain('opaque');
    const texts = [
      'select * from v',
      "select data from fsdir where path='x'",
      'select 1 in v',
      'select writefile("x", 1)',
      'select load_extension("x")',
      '.shell id',
      'select 1; .shell id',
      'insert into t values (1)',
      'select 1\n.shell id',
      'attach "x" as y',
      'pragma journal_mode=wal',
      'select edit("a")',
      'select "writefile"(\'x\', 1)',
      "select writefile/**/('x', 1)",
      "select [writefile]('x', 1)",
      'with a as (select 1) select 1',
    ];
    expect(texts.filter((each) => effectsOf('sqlite3', ['a.db', each]).join() !== 'opaque')).toStrictEqual(
      [],
    );
  });
});
