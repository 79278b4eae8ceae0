// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const { says, describe: described } = project({ 'a.txt': 'a', 'b.txt': 'b', '.env': '', 'src/a.txt': '' });

describe('shell.run › traps, and streams of the whole shell', () => {
  it.each([
    ["trap 'rm -f t' EXIT; cat a.txt > t", ['fs.read a.txt (cat)', 'fs.write t (shell)', 'fs.delete t (rm)']],
    ["x=a.txt; trap 'cat $x' EXIT; x=b.txt", ['fs.read a.txt b.txt (cat)']],
    ["trap -- 'cat $x' EXIT; exit ${x:=1}", ['fs.read 1 (cat)']],
    ["trap 'cat a.txt' EXIT; cd src && exit 1", ['fs.read a.txt (cat)', 'fs.read src/a.txt (cat)']],
    ["trap 'cat a.txt' EXIT; (cd src); echo", ['fs.read a.txt (cat)']],
    ['f() { cat a.txt; }; trap f EXIT ERR; cat b.txt', ['fs.read a.txt (cat)', 'fs.read b.txt (cat)']],
    ["trap '' INT; trap - EXIT; trap -p; cat a.txt", ['fs.read a.txt (cat)']],
    ["trap 'echo bye; exit 1' INT TERM; cat a.txt", ['fs.read a.txt (cat)']],
    [
      'x=$(bash -c "trap \'echo .env\' EXIT; echo a.txt"); cat $x',
      ['code.eval bash (bash)', 'fs.read.outside and others (cat)', 'secret.read and others (cat)'],
    ],
    ['exec > out 2>&1; cat a.txt', ['fs.write out (shell)', 'fs.read a.txt (cat)']],
    ['exec 3> out; echo hi >&3; exec 3>&-', ['fs.write out (shell)']],
    ['exec 2> /dev/null; cat a.txt', ['fs.read a.txt (cat)']],
    ['exec < a.txt; read -r x; rm "$x"', ['fs.read a.txt (shell)', 'fs.delete.outside and others (rm)']],
    [
      'x=$(bash -c "exec > out; echo a.txt"); rm "$x"',
      ['code.eval bash (bash)', 'fs.write out (shell)', 'fs.delete.outside and others (rm)'],
    ],
    ['let x=2+3 y=x*2; echo $((x + y)); cat a.txt', ['fs.read a.txt (cat)']],
  ])('%s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });

  it.each([
    "trap 'x=1' ERR",
    "trap 'cd src' INT",
    "trap 'cat a' DEBUG",
    "trap 'cat a' RETURN",
    'trap "$(cat a.txt)" EXIT',
    "(trap 'cat a' EXIT)",
    "trap 'cat a' EXIT | cat",
    "x=$(trap 'cat a' EXIT)",
    'sh -c "trap \'cat a\' EXIT"',
    "trap 'trap x EXIT' EXIT",
    "trap 'source a.txt' EXIT",
    'trap f EXIT; f() { cat a.txt; }',
    "f() { local x=a; trap 'cat $1' EXIT; }; f b",
    'exec cat a.txt',
    '(exec > out)',
    'exec 3< a.txt',
    'exec 1< a.txt',
    'exec > >(cat)',
    'let x[0]=1',
    'let "x=$(id)"',
    'let PATH=1',
    'y=a[0]; let x=y',
    "let 'x=(1)'",
    'let RANDOM=1',
  ])('is not described: %s', async (line) => {
    expect((await described(line)).map(({ name }) => name)).toContain('proc.exec.opaque');
  });
});
