// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const { says, describe: described } = project({
  'a.txt': '',
  '.b.txt': '',
  'src/a.ts': '',
  'src/deep/b.ts': '',
  'src/.hidden/c.ts': '',
  'other/link': '-> ../src',
});

describe('shell.run › an option of `shopt`', () => {
  it.each([
    ['shopt -s; shopt -u; set -o; set +o; bind -p', []],
    ['shopt -s nullglob; rm -f *.nope', []],
    ['shopt -s nullglob; cat *.txt *.nope', ['fs.read a.txt (cat)']],
    ['shopt -s nullglob; touch x.nope; rm *.nope', ['fs.write x.nope (touch)', 'fs.delete x.nope (rm)']],
    [
      'shopt -s nullglob; mkdir -p new/deep; rmdir */',
      ['fs.delete new other src (rmdir)', 'fs.write new/deep (mkdir)'],
    ],
    [
      'mkdir new; for d in */; do rm "$d"x; done',
      ['fs.delete */x new/x other/x src/x (rm)', 'fs.write new (mkdir)'],
    ],
    ['shopt -s nullglob; shopt -u nullglob; rm -f *.nope', ['fs.delete *.nope (rm)']],
    ["shopt -s nullglob; cat [a']'", ['fs.read [a] (cat)']],
    ['shopt -s globstar nullglob; x="*"; cat $x*/b.ts', ['fs.read src/deep/b.ts (cat)']],
    ['shopt -s dotglob; cat *.txt', ['fs.read .b.txt a.txt (cat)']],
    ['shopt -s globstar; cat src/**/*.ts', ['fs.read src/**/*.ts src/a.ts src/deep/b.ts (cat)']],
    ['shopt -s globstar nullglob; cat **/b.ts', ['fs.read src/deep/b.ts (cat)']],
    ['shopt -s globstar nullglob dotglob; cat src/**/c.ts', ['fs.read src/.hidden/c.ts (cat)']],
    [
      'shopt -s globstar nullglob; rm -r src/**',
      ['fs.delete src src/.hidden src/.hidden/c.ts src/a.ts src/deep src/deep/b.ts (rm)'],
    ],
    ['shopt -s globstar nullglob; cat ./**/a.ts', ['fs.read other/link/a.ts src/a.ts (cat)']],
    [
      'shopt -s globstar; bash -c "rm src/**/b.ts"',
      ['code.eval bash (bash)', 'fs.delete src/deep/b.ts (rm)'],
    ],
    ['(shopt -s nullglob); rm -f *.nope', ['fs.delete *.nope (rm)']],
    [
      'if cat a.txt; then shopt -s nullglob; fi; rm -f *.nope',
      ['fs.read a.txt (cat)', 'fs.delete.outside and others (rm)'],
    ],
    ['shopt -s inherit_errexit; shopt -q nullglob; shopt; cat a.txt', ['fs.read a.txt (cat)']],
  ])('changes what patterns match: %s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });

  it('enters a folder once for several `**`', async () => {
    const chain = Array.from({ length: 20 }, (_, depth) => `d${depth}`);
    const { says: saysOf } = project({ [`${chain.join('/')}/a.ts`]: '' });
    const files = [`fs.read ${chain.join('/')}/a.ts (cat)`];
    expect(await saysOf(`shopt -s globstar nullglob; cat ${'**/'.repeat(6)}*.ts`)).toEqual(files);
    expect(await saysOf(`shopt -s globstar nullglob; cat ${'**/*/'.repeat(6)}**/*.ts`)).toEqual(files);
    const all = ['**', '**/**/**/**/**/**/**'].map((pattern) =>
      saysOf(`shopt -s globstar; rm -r ${pattern}`),
    );
    const [once, often] = await Promise.all(all);
    expect(often?.map((each) => each.replace('**/**/**/**/**/**/**', '**'))).toEqual(once);
  });

  it.each([
    '-s nocaseglob',
    '-s extglob',
    '-s lastpipe',
    '-s expand_aliases',
    '-so errexit',
    '-s "$x"',
    '-u sourcepath',
    '-q -s dotglob',
    '-p -u extglob',
  ])('is not described: %s', async (words) => {
    const names = (await described(`shopt ${words}; rm a.txt`)).map(({ name }) => name);
    expect(names).toContain('proc.exec.opaque');
    expect(names).not.toContain('fs.delete');
  });
});
