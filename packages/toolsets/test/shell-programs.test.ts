import { describe, expect, test } from 'vitest';
import { said } from './said.js';

describe('effectsOf', () => {
  test.each<[string, readonly string[]]>([
    ['cat a.txt b.txt', ['read a.txt', 'read b.txt']],
    ['cat *.txt', ['read *.txt']],
    ['cat -nZ a', ['opaque -nZ', 'read a']],
    ['grep -rn foo', ['read ./**']],
    ['grep -rn foo src', ['read src/**']],
    ['grep -e foo -fp src', ['read p', 'read src']],
    ['grep foo *', ['read *']],
    ['sort in.txt -oout.txt', ['write out.txt', 'read in.txt']],
    ['sort --outp=out.txt in.txt', ['write out.txt', 'read in.txt']],
    ['sort -ruo out', ['write out']],
    ['ls', ['list .', 'read .']],
    ['ls -la /root', ['list /root', 'read /root']],
    ['rm -rf build', ['delete build/**']],
    ['rm -- -rf', ['delete -rf']],
    ['find . -name x -exec grep foo {} +', ['run grep foo ./{}', 'list ./**', 'read ./**']],
    ['find a b -delete', ['list a/**', 'read a/**', 'delete a/**', 'list b/**', 'read b/**', 'delete b/**']],
    ['env FOO=1 BAR=2 ls -l', ['variable FOO=1', 'variable BAR=2', 'run ls -l']],
    ['sudo -u root -E -- rm -rf build', ['run rm -rf build', 'priv.escalate sudo']],
    ['xargs -0 -n1 rm -f', ['run rm -f …']],
    ['xargs -I{} cp {} /tmp', ['run cp {} /tmp']],
    ['timeout -k 5 10 rm x', ['run rm x']],
    ['make -C sub -f x.mk', ['load sub/x.mk', 'code make ?', 'write sub/./**']],
    ['patch -d sub -i x', ['read sub/x', 'write sub/./**', 'delete sub/./**']],
    ['tar -C sub -xf a.tar', ['read a.tar', 'write sub/./**']],
    ['unknown-program -x /etc/shadow', []],
  ])('%s', (line, expected) => {
    expect(said(line)).toStrictEqual(expected);
  });
});
