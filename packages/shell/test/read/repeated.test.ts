// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const files = {
  'a.txt': 'a\n',
  'b.txt': 'b\n',
  '.env': 'SECRET=1',
  'src/main.ts': 'm\n',
  'src/lib/util.ts': '',
};
const { root, says } = project(files);
const anything = ['fs.read.outside and others (cat)', 'secret.read and others (cat)'];

/** Lines that print names, and the files that `| xargs cat` reads behind them. */
const known: readonly (readonly [string, readonly string[]])[] = [
  ['for f in a.txt b.txt; do echo "$f"; done', ['a.txt', 'b.txt']],
  ['for f in a b; do if [ "$f" = a ]; then echo "$f.txt"; fi; done', ['a.txt', 'b.txt']],
  ['for f in a b; do :; done; echo a.txt', ['a.txt']],
  [
    'for f in src/main.ts; do dirname "$f"; done | while read -r d; do echo "$d/main.ts"; done',
    ['src/main.ts'],
  ],
  ['x=b; for f in 1 2; do echo $x.txt; x=a; done', ['a.txt', 'b.txt']],
  ['case $x in a) echo a.txt ;; *) echo b.txt ;; esac', ['a.txt', 'b.txt']],
  ['echo a.txt && [ -f z ] && echo b.txt; :', ['a.txt', 'b.txt']],
  ['if [ -f z ]; then echo a.txt; else echo b.txt; fi', ['a.txt', 'b.txt']],
  ['for ((i = 0; i < 2; i++)); do echo a.txt; done', ['a.txt']],
  ['ls *.txt | while read -r f; do [ -f "$f" ] || continue; echo "$f"; done', ['a.txt', 'b.txt']],
  ['ls *.txt | while read -r f; do echo "$f"; break; done', ['a.txt', 'b.txt']],
  [
    'for d in . src; do for f in a b; do echo "$d/$f.txt"; done; done',
    ['a.txt', 'b.txt', 'src/a.txt', 'src/b.txt'],
  ],
  ['printf "a txt\\nb txt\\n" | while read -r f e; do echo "$f.$e"; done', ['a.txt', 'b.txt']],
  ['env LC_ALL=C ls a.txt', ['a.txt']],
  ['nice -n 5 ls a.txt', ['a.txt']],
  ['ls a.txt | stdbuf -oL sort', ['a.txt']],
  // A command that is ended may leave a part of a name.
  ['timeout 5 ls a.txt', ['a', 'a.', 'a.t', 'a.tx', 'a.txt']],
  ["timeout 5 find src -name 'm*' | grep 'ts$'", ['src/main.ts']],
  ['ls *.txt | xargs grep -l a', ['a.txt', 'b.txt']],
  ['ls *.txt | xargs -n1 basename', ['a.txt', 'b.txt']],
  ['ls src/*.ts | xargs basename -s .ts', ['main']],
  // The last of two may be an end to take away.
  ['for f in c/a.txtx x; do echo "$f"; done | xargs basename', ['a.txt', 'a.txtx', 'x']],
  ["find src -name 'm*' -print0 | sort -z | head -z -n 1 | xargs -0 grep -l m", ['src/main.ts']],
  [
    "find src -name '*.ts' | xargs -n1 dirname | sort -u | while read -r d; do echo $d/main.ts; done",
    ['src/lib/main.ts', 'src/main.ts'],
  ],
];

/** Lines behind which `| xargs cat` may read anything. */
const unknown = [
  // The end of a line is in the next round, or is left out after an error.
  'for f in a .env; do printf "%s" "$f"; done',
  'printf a | head -1; echo .txt',
  'printf a | cat; echo .txt',
  'for f in 1 2; do printf .txt | tail -1; done',
  'printf a | { sed s/x/y/; echo .txt; }',
  'printf "b\\na" | { read -r f; cat; echo .txt; }',
  'seq -0 1',
  'printf a; : ${z:?}; echo .txt',
  'printf a; : $((1 / 0)); echo .txt',
  'printf a; kill $BASHPID; echo .txt',
  'set -e; { printf a; [ -f z ]; echo .txt; }',
  'printf a && [ -f z ] && echo .txt',
  'if [ -f z ]; then printf a; fi; echo .txt',
  'for f in a.txt; do cat "$f"; done',
  'for f in a.txt; do head -1 "$f"; echo "$f"; done',
  'while cat a.txt; do echo b.txt; break; done',
  // Another command may continue a line that one which is ended has begun, and lines of two may be mixed.
  'timeout 5 ls a.txt; ls a.txt',
  'timeout 5 printf a; echo .txt',
  'ls *.txt | xargs -P2 -n1 dirname',
  'ls *.txt | xargs cat',
  // Of no file, it says that it is about its input.
  'ls *.txt | xargs grep -L a',
  'ls *.txt | xargs -I{} sh -c "echo {}"',
  'env',
  // All of its input is one, and a NUL stands behind it.
  'ls a.txt | sort -z',
  "find . -name a.txt -print0 | sort | tr -d '\\0'",
];

describe('the output of repeated commands', () => {
  it('may end early in the name of a secret', async () => {
    const said = await says('touch .env.example; timeout 5 ls .env.example | xargs cat');
    expect(said.find((each) => each.startsWith('secret.read'))).toMatch(/^secret\.read \.env /);
  });

  it.each(known)('is known for %s', async (line, paths) => {
    const read = (await says(`{ ${line}; } | xargs cat`)).filter((each) => each.endsWith('(cat)'));
    expect(read).toEqual([`fs.read ${paths.join(' ')} (cat)`]);
  });

  it.each(known)('holds what bash prints for %s', (line, paths) => {
    const printed = execFileSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
    const names = printed.split('\n').filter((each) => each !== '');
    expect(names).not.toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(names.map((each) => each.replace(/^\.\//, ''))));
  });

  it.each(unknown)('is unknown for %s', async (line) => {
    const read = (await says(`{ ${line}; } | xargs cat`)).filter((each) => each.endsWith('(cat)'));
    expect(read).toEqual(expect.arrayContaining(anything));
  });

  it.each([
    "printf '\\n' | xargs -d '\\n' -I% cat .env%",
    "printf '%s\\n' x '' | xargs -d '\\n' -I% cat .env%",
  ])('has empty lines in %s', async (line) => {
    expect(await says(line)).toContain('secret.read .env (cat)');
  });
});
