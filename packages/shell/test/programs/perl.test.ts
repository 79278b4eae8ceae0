import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { effectsOf } from './context.js';
import { names, unknown } from './given.js';

const hasPerl = spawnSync('perl', ['-v']).status === 0;

/** Texts of Perl that only compute and print. */
const plain: readonly string[] = [
  'print if /TODO/',
  'print unless /^\\s*#/',
  'print "$ARGV:$.: $_" if /x/',
  'print $ARGV, ":", $., $_; close ARGV if eof',
  'close(ARGV) if eof',
  'print if 5..10',
  'print if /a/ .. /b/',
  '/foo/ && print',
  's/(foo|bar$|$x$)$/$1$x/',
  '!/foo/ and print',
  's/foo/bar/g',
  's|/usr/(\\w+)|<$1>|; s,a,b,; s!c!$h{d}!',
  's/(\\d+)/$1 - $F[0]/r',
  's#/usr/(\\w+)#<$1>#; s{class="(\\w+)"}{x $1}g; s{\\n}{}',
  'print if m{^/usr/\\d+} || /x/ && m#a|b#i && m|x|',
  'tr/a-z/A-Z/; y/a/b/; tr#a#b#',
  'print "$1\\n" while /export (\\w+)/g',
  'print $F[0], "\\t", $F[-1], "\\n"',
  '$sum += $F[1]; END { print "$sum\\n" }',
  '$h{$_}++; END { print "$_ $h{$_}\\n" for sort { $h{$b} <=> $h{$a} } keys %h }',
  'print join(",", 1..5), "\\n"',
  'my %h = map { $_, 1 } @F; print for values %h',
  'while (my ($k, $v) = each %h) { print "$k=$v\\n" }',
  'BEGIN { $/ = undef } print length',
  'my ($a, $b) = split /,/, $_; print $a . $b x 3',
  'print "$.: $_" if $. % 2 == 0',
  'printf("%-10s %d\\n", $F[0], $F[1] * 2)',
  'chomp; print lc($_) eq "a" ? "yes" : "no"',
  'if (/x/) { print } elsif ($_ =~ m/y/i) { next } else { last if eof }',
  "print 'a', 'it\\'s'",
  'print $x if $seen{key}++ < 3 || !$x[0]',
  'print "a@b.c $&"',
  'my ($n, $t) = split /:/, $1; print $t // "latest"; $h{n} //= $x[0] // 1',
];

/** Texts that do more, or that may be read in two ways. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are code of Perl
const others: readonly string[] = [
  'system("id")',
  'print `id`',
  'print qx(id)',
  'exec "id"',
  'open(F, ">x")',
  'unlink "x"',
  'eval $_',
  's/a/id/e',
  's/a/id/ee',
  's/(.*)/`$1`/e',
  's{a}{system("id")}e',
  's#a#system("id")#e',
  's{a}{`id`}ge',
  // A backslash before the delimiter is not part of the text.
  's{a}{$h\\{system(1)}}',
  's{a\\{}{system(1)}e; s{}{}',
  's{a}{$h{system(1)}}',
  's{a{2}}{b}; system(1)',
  's#a#$\\#{system(1)}#',
  's #a#\nsystem(1); #b#',
  'm #a#\nsystem(1); #b#',
  's{a}#b#\n{x}; system("id")',
  'm{(?{system(1)})}',
  'm#@{[system(1)]}#',
  '$x m{a}',
  '%s#2\n; system(1) #a#',
  '-s#a#; system(1);\n#b#',
  '$x->s#a#\n; system(1); #b#',
  "s'a'b'e",
  'print "@{[system(1)]}"',
  'print "${\\system(1)}"',
  'print "$\\{system(1)}"',
  'print "$x[system(1)]"',
  'print "$x->[system(1)]"',
  'print "$h{system(1)}"',
  'print "$|[system(1)]"',
  'print "$)[system(1)]"',
  'print "$|{system(1)}"',
  'print "$)->[system(1)]"',
  'print "$&->[system(1)]"',
  'print "$.->{system(1)}"',
  'print if /$.->[system(1)]/',
  's/a/$|[system(1)]/',
  's,a,$)[system(1)],',
  '$x = "ENV"; print "$$x{HOME}"',
  '$x = "ENV"; s/$$x{HOME}//',
  '$x = "ENV"; print "$x$$x{HOME}"',
  'print if /(?{system(1)})/',
  'print if /(??{system(1)})/',
  'print if /( ?{system(1)})/',
  'print if /@{[system(1)]}/',
  'print if /(*{system(1)})/',
  'print <x*>',
  'print <$f>',
  'print while <>',
  'print <<x',
  'do "x"',
  'require "x"',
  'use POSIX',
  'print $ENV{HOME}',
  'print %ENV',
  '@ARGV = ("id|")',
  '$ARGV[0] = "id|"',
  'unshift @ARGV, "id|"',
  '$#ARGV = 0',
  '$ARGV [0] = "id|"',
  'for $ARGV[0] ("id|")',
  'print "$ARGV[0]"',
  '$ARGV::x = 1',
  'close STDIN; open(STDIN, "id|")',
  'close ARGVOUT',
  '*x = *ARGV',
  '$^I = ".bak"',
  '${x} = 1',
  '@$x',
  '$$x',
  '$::x',
  '&x',
  '$x->y',
  '$x->(1)',
  '$x->[0]("id")',
  // A text there is the name of a variable.
  '$x = "ENV"; print $x->{"HOME"}',
  '$x[0] = "ENV"; print $x[0]{"HOME"}',
  '$x{a} = "ENV"; print $x{a}{"HOME"}',
  '$x{"a"} = "ENV"; print $x{"a"} {"HOME"}',
  'BEGIN { $x = "INC"; $x->[0] = "lib" } print "\\N{SPACE}"',
  'BEGIN { $x{a} = "INC"; $x{a}[0] = "lib" } print "\\N{SPACE}"',
  '$h{a} ("id")',
  'sort $x @F',
  'sort ($x @F)',
  'print sort $x @F',
  '$x / 2; system("id") / 2',
  'print $x /1/',
  'shift // 2; system("id") // 2',
  'print $x // system("id")',
  'time / 2; system(1) / 2',
  '} / 2; system(1) / 2 {',
  'print $x *s/2;system(1)/2/1',
  'print $x %s/2;system(1)/2/1',
  'print $x %s/a/b/',
  '-s/a/; system(1); /b/',
  '-e "x"',
  "$x's/2/1",
  '$s::y/2/; system(1); /x/',
  '# it\'s\nsystem("id") # \'',
  '\n=for "\n=cut\nsystem("id")\n"',
  '=for "\n=cut\nsystem("id")\n"',
  '__END__',
  'q(a)',
  'print {system(1)}',
  '$x++ / 2; system(1) / 2',
  '$h{a} %system("id")',
  'time %system("id")',
  'STDERR %system("id")',
  'shift &system(1)',
  'my %h::x',
  '$x-- / 2; system(1) / 2',
  'say / 2; system(1) / 2',
  'x / 2; system(1) / 2',
  '} x / 2; system(1) / 2 {',
  '$h{lc}("id")',
  'print $h{a}/2;system(1)/2',
  'print FH "x"',
  'dump',
  'a',
  "print 'a",
  '/a',
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are code of Perl

describe('a text for perl', () => {
  it.each(plain)('has no effect if it only prints: %s', (text) => {
    expect(effectsOf('perl', ['-ne', text, 'f'])).toEqual(['read f']);
    expect(effectsOf('perl', ['-e', text])).toEqual([]);
  });

  it.skipIf(!hasPerl).each(plain)('is understood by perl itself: %s', (text) => {
    // It warns of a locale that the machine names and does not have.
    const env = { ...process.env, LC_ALL: 'C' };
    const { status, stderr } = spawnSync('perl', ['-c', '-lane', text], { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([0, '-e syntax OK\n']);
  });

  it.each(others)('is opaque if it may do more: %s', (text) => {
    expect(effectsOf('perl', ['-ne', text, 'f'])).toEqual([`code perl ${text}`, 'read f', 'opaque']);
  });

  it('reads and writes the files of its options', () => {
    const lines: readonly (readonly [string, readonly string[]])[] = [
      ['-lane print a b', ['read a', 'read b']],
      ['-0777 -pe s/a/b/ a', ['read a']],
      ['-F: -e print a', ['read a']],
      ['-F/\\t/ -ae print a', ['read a']],
      ['-i -pe s/a/b/ a', ['read a', 'write a']],
      ['-pi.bak -e s/a/b/ a', ['read a', 'write a', 'write a.bak']],
      ['-i*.old -pe s/a/b/ a', ['opaque']],
      ['-F/x/;system(1);/ -e print a', ['opaque']],
      ['-MPOSIX -ne print a', ['code perl POSIX', 'read a', 'opaque']],
      ['-Ilib -ne print a', ['load lib', 'read a', 'opaque']],
      ['-s -ne print a', ['read a', 'opaque']],
      ['-e print -e 1', ['code perl print', 'code perl 1', 'opaque']],
      ['-ne print -', []],
      ['-ne print id|', ['opaque']],
      ['-ne print >x', ['opaque']],
      ['-e print id|', []],
    ];
    for (const [line, effects] of lines)
      expect([line, effectsOf('perl', line.split(' '))]).toEqual([line, effects]);
  });

  it('is opaque if the name of a file may be a command', () => {
    for (const name of [' a', 'a ', '| id', '<a', '+<a', '&1', 'a\n'])
      expect([name, effectsOf('perl', ['-ne', 'print', name])]).toEqual([name, ['opaque']]);
    expect(effectsOf('perl', ['-ne', 'print', unknown('"d/$x"', { start: 'd/' })])).toEqual(['opaque']);
    expect(effectsOf('perl', ['-ne', 'print', names(['a', 'id|'])])).toEqual(['opaque']);
    expect(effectsOf('perl', ['-ne', 'print', names(['./a', './b'])])).toEqual(['read ./a', 'read ./b']);
    expect(effectsOf('perl', ['-ne', unknown('"$x"'), 'a'])).toContain('opaque');
  });
});
