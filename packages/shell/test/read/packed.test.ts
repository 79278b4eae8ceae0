import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const files = {
  'a.txt': 'a\nb\nc\n',
  'big.txt': '\n'.repeat(2000),
  '.env': 'SECRET=1',
  'src/main.ts': '',
  'src/util.ts': '',
  'link.txt': '-> /etc/hostname',
};

/** A line, and its effects besides the programs that it starts. */
const rows: readonly (readonly [string, readonly string[]])[] = [
  // The pieces of a file, by its size.
  [
    'split -l 1 a.txt src/p-',
    ['fs.read a.txt (split)', 'fs.write src/p-aa src/p-ab src/p-ac src/p-ad (split)'],
  ],
  [
    'split -b 2 -d .env x',
    ['fs.read .env (split)', 'secret.read .env (split)', 'fs.write x00 x01 x02 x03 (split)'],
  ],
  ['split -n 2 a.txt', ['fs.read a.txt (split)', 'fs.write xaa xab (split)']],
  ['split -l 1 big.txt', ['fs.read big.txt (split)', 'fs.write and others under . (split)']],
  ['split -l 1 -a 2 -a 3 a.txt', ['fs.read a.txt (split)', 'fs.write and others under . (split)']],
  ['split -l 1 -d -x a.txt', ['fs.read a.txt (split)', 'fs.write and others under . (split)']],
  ['split -n l/2 -a 1 a.txt', ['fs.read a.txt (split)', 'fs.write and others under . (split)']],
  [
    'echo x >> a.txt; split a.txt',
    ['fs.write a.txt (shell)', 'fs.read a.txt (split)', 'fs.write and others under . (split)'],
  ],
  ['split < a.txt', ['fs.read a.txt (shell)', 'fs.write and others under . (split)']],
  [
    'csplit -f src/p a.txt /b/',
    ['fs.read a.txt (csplit)', 'fs.write src/p00 src/p01 src/p02 src/p03 src/p04 src/p05 (csplit)'],
  ],
  ['csplit -n 3 a.txt /b/', ['fs.read a.txt (csplit)', 'fs.write and others under . (csplit)']],
  ['csplit -f src/a -f ../x a.txt /b/', ['fs.read a.txt (csplit)', 'fs.write.outside and others (csplit)']],
  // Names on the standard input.
  [
    "find src -name '*.ts' | tar czf x.tgz -T -",
    [
      'fs.list src (find)',
      'fs.list src/main.ts src/util.ts (tar)',
      'fs.read src/main.ts src/util.ts (tar)',
      'fs.write x.tgz (argument)',
    ],
  ],
  [
    'find . -name .env -print0 | tar --null -cf x.tar -T -',
    [
      'fs.list . src x.tar (find)',
      'fs.list .env (tar)',
      'fs.read .env (tar)',
      'secret.read .env (tar)',
      'fs.write x.tar (argument)',
    ],
  ],
  [
    'ls src/main.ts .env | cpio -o > x.cpio',
    [
      'fs.list .env src/main.ts (ls)',
      'fs.read .env src/main.ts (cpio)',
      'secret.read .env (cpio)',
      'fs.write x.cpio (shell)',
    ],
  ],
  ['cpio -it < a.txt', ['fs.read a.txt (shell)']],
  [
    'cpio -i < a.txt',
    ['fs.read a.txt (shell)', 'fs.write.outside / (cpio)', 'fs.write.outside and others (cpio)'],
  ],
  [
    "find . -name '.e*' -execdir cat {} ';'",
    ['fs.list . src (find)', 'fs.read .env (cat)', 'secret.read .env (cat)'],
  ],
  ['dot -V', []],
  // A file that is written stays a file.
  [
    'echo x > a.txt; mv big.txt a.txt',
    ['fs.write a.txt (shell)', 'fs.read big.txt (mv)', 'fs.delete big.txt (mv)', 'fs.write a.txt (mv)'],
  ],
  ['for f in *.tgz *.tar.gz; do tar -tzf "$f"; done', ['fs.read *.tar.gz *.tgz (tar)']],
  // What `install` replaces is deleted first.
  ['install -m 644 a.txt new.txt', ['fs.read a.txt (install)', 'fs.write new.txt (install)']],
  [
    'install a.txt big.txt',
    ['fs.read a.txt (install)', 'fs.write big.txt (install)', 'fs.delete big.txt (install)'],
  ],
  [
    'install .env src',
    ['fs.read .env (install)', 'secret.read .env (install)', 'fs.write src/.env (install)'],
  ],
  // A name in several places of a word is the same one.
  [
    "ls src | xargs -I{} sh -c 'cat src/{}; rm {}'",
    [
      'fs.list src (ls)',
      'code.eval sh (sh)',
      'fs.read src/main.ts (cat)',
      'fs.delete main.ts (rm)',
      'code.eval sh (sh)',
      'fs.read src/util.ts (cat)',
      'fs.delete util.ts (rm)',
    ],
  ],
  ["echo '$(rm a.txt)' | xargs -I{} sh -c 'echo {} {}'", ['code.eval sh (sh)', 'fs.delete a.txt (rm)']],
  [
    "find src -name 'm*' -exec sh -c 'wc {}; cat {}' ';'",
    ['fs.list src (find)', 'code.eval sh (sh)', 'fs.read src/main.ts (wc)', 'fs.read src/main.ts (cat)'],
  ],
  ['less +G a.txt; git bundle verify a.txt', ['fs.read a.txt (less)', 'fs.read a.txt (git)']],
];

describe('shell.run › pieces of files, and files that are named by others', () => {
  const { says } = project(files);
  it.each(rows)('%s', async (line, expected) => {
    const [found, wanted] = [[...(await says(line))], [...expected]];
    expect(found.sort()).toEqual(wanted.sort());
  });

  it.each([
    ['install a.txt up', 'fs.delete src/a.txt up/a.txt (install)'],
    ['install -t up a.txt', 'fs.delete.outside and others (argument)'],
  ])('deletes what is replaced in the folder to which a link leads: %s', async (line, expected) => {
    const replaced = project({ 'a.txt': 'a', 'src/a.txt': 'b', up: '-> src' });
    expect((await replaced.says(line)).join()).toContain(expected);
  });

  it('names pieces outside', async () => {
    expect((await says('split a.txt ../x')).join()).toMatch(/fs\.write\.outside \S+\/xaa \(split\)/);
  });

  it.each([
    'cat a.txt | tar cf x.tar -T -',
    'tar cf x.tar -T a.txt',
    'tar xf x.tar -T a.txt',
    'tar -C / --add-file=etc/passwd -cf x.tar',
    'ls src | tar cf x.tar -C src -T -',
    "printf '%s\\n' --to-command=id | tar cf x.tar -T -",
    'find src -print0 | tar cf x.tar -T -',
    'cpio -o < a.txt',
    'ls src | cpio -p out',
    'ls src | cpio -oA -F x.cpio',
    'ls src | cpio -o --rsh-command=./x',
    'jar xf a.jar',
    'jar cf a.jar src',
    'jar tf a.jar @src/main.ts',
    'split --filter=./x a.txt',
    'for f in a.tgz b:c.tgz; do tar -tzf "$f"; done',
    'install -s --strip-program=./x a.txt b',
    'less +!id a.txt',
    'cat a.txt | xargs -I{} sh -c "echo {} {}"',
    'python3 -m py_compile src',
  ])('is opaque where the files are unknown, or where another program may start: %s', async (line) => {
    expect((await says(line)).some((each) => each.startsWith('proc.exec.opaque'))).toBe(true);
  });
});
