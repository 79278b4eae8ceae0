// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { started } from '../starter.js';
import { project } from './world.js';

const { root, says } = project({
  'src/a.ts': 'a',
  'b c.ts': 'b',
  '.env': 'SECRET=1',
  'list.txt': 'src/a.ts\nb c.ts\n',
  'first-name.txt': 'src/a.ts\n',
  'open-end.txt': 'src/a.ts',
  'text.txt': 'src/a.ts\npassword\n',
  'outside.txt': 'src/a.ts\n/etc/passwd\n',
  'secret.txt': 'src/a.ts\n.env\n',
  '.npmrc': 'src/a.ts\n',
  'through.txt': '-> .npmrc',
  empty: '',
});
linkSync(join(root, 'first-name.txt'), join(root, 'second-name.txt'));

describe('a file of names that exist inside', () => {
  it.each([
    ["cat list.txt | xargs -d '\\n' wc -l", ['fs.read b c.ts src/a.ts (wc)']],
    ['while read -r f; do wc -l "$f"; done < list.txt', ['fs.read b c.ts src/a.ts (wc)']],
    ['xargs -a <(cat open-end.txt) wc -l', ['fs.read src/a.ts (wc)']],
    ['for f in $(cat open-end.txt); do rm "$f"; done', ['fs.delete src/a.ts (rm)']],
    ['cat secret.txt | xargs wc -l', ['fs.read .env src/a.ts (wc)', 'secret.read .env (wc)']],
    ['head -5 list.txt | xargs -d "\\n" wc -l', ['fs.read b c.ts src/a.ts (wc)']],
    ['cat list.txt open-end.txt | xargs -d "\\n" wc -l', ['fs.read b c.ts src/a.ts (wc)']],
    ['sort -u list.txt open-end.txt | tail -3 | xargs -d "\\n" wc -l', ['fs.read b c.ts src/a.ts (wc)']],
    ['uniq open-end.txt | xargs wc -l', ['fs.read src/a.ts (wc)']],
    ['grep -v b list.txt | xargs wc -l', ['fs.read src/a.ts (wc)']],
    ['grep -i env secret.txt | xargs wc -l', ['fs.read .env (wc)', 'secret.read .env (wc)']],
  ])('gives them to `%s`', async (line, expected) => {
    const said = await says(line);
    expect(said).toEqual(expect.arrayContaining(expected));
    expect(said.filter((each) => /others|opaque/.test(each))).toEqual([]);
  });

  it.each([
    'cat text.txt | xargs wc -l',
    'cat outside.txt | xargs wc -l',
    'cat .npmrc | xargs wc -l',
    'cat through.txt | xargs wc -l',
    'cat empty list.txt | xargs wc -l',
    'cat open-end.txt list.txt | xargs wc -l',
    'sort list.txt text.txt | xargs wc -l',
    'head -c 5 open-end.txt | xargs wc -l',
    'head -5 text.txt | xargs wc -l',
    'head -5 list.txt open-end.txt | xargs wc -l',
    'tail -f open-end.txt | xargs wc -l',
    'sort -z open-end.txt | xargs wc -l',
    'uniq -c open-end.txt | xargs wc -l',
    'grep src text.txt | xargs wc -l',
    'grep -n src list.txt | xargs wc -l',
    'grep -H src list.txt | xargs wc -l',
    'grep src .npmrc | xargs wc -l',
    'sort .npmrc | xargs wc -l',
    'echo .env >> list.txt; sort list.txt | xargs wc -l',
    'echo .env >> list.txt; cat list.txt | xargs wc -l',
    'mv secret.txt list.txt; xargs wc -l < list.txt',
    'echo .env >> second-name.txt; cat first-name.txt | xargs wc -l',
    '{ echo .env >> list.txt; xargs wc -l; } < list.txt',
    'while read -r f; do wc -l "$f"; echo .env >> list.txt; done < list.txt',
    'while read -r f; do echo .env; wc -l "$f" >&2; done < list.txt >> list.txt',
    'xargs -n 1 -t wc -l < list.txt 2>> list.txt',
    'exec < list.txt; echo .env >> list.txt; xargs wc -l',
    'f() { echo .env > list.txt; xargs wc -l; }; f < list.txt',
  ])(
    'gives nothing where a line has another text, or the file is a secret or may change: `%s`',
    async (line) => {
      expect((await says(line)).join()).toMatch(/secret\.read others|proc\.exec\.opaque/);
      expect((await says(line)).join()).not.toContain('password');
    },
  );
});

describe('a redirection to one of several names', () => {
  it.each(['tcp/example.com/80', 'udp/example.com/80', 'fd/3'])(
    'is opaque where one is /dev/%s',
    async (name) => {
      for (const line of [
        `for f in /dev/${name} new; do echo x > $f; done`,
        `f=src/a.ts; [ -e b ] && f=/dev/${name}; cat < $f`,
      ])
        expect((await says(line)).join()).toContain('proc.exec.opaque');
    },
  );
});

describe('a file of names that changes while it is read', () => {
  it.each([
    'while read -r f; do echo .env >> list.txt; cat "$f"; done < list.txt',
    'f() { while read -r f; do cat "$f"; cp secret.txt list.txt; done; }; f < list.txt',
    '{ read -r a; echo .env >> list.txt; read -r b; read -r c; cat "$c"; } < list.txt',
    '{ echo .env >> list.txt; mapfile -t a; cat "${a[@]}"; } < list.txt',
    'xargs -n1 sh -c \'echo .env >> list.txt; cat "$0"\' < list.txt',
    'xargs cat < list.txt >> list.txt',
  ])('makes `%s` opaque', async (line) => {
    expect((await says(line)).join()).toContain('proc.exec.opaque');
  });
});

describe('a redirection to several words', () => {
  it.each(['cat < $(cat open-end.txt)', 'echo a > $(ls src)'])(
    'opens one file or none in bash: `%s`',
    async (line) => {
      expect((await says(line)).join()).not.toContain('opaque');
      expect((await says(`bash -c '${line}'`)).join()).not.toContain('opaque');
    },
  );

  it('opens one file of the whole text in other shells', async () => {
    const { root: folder } = project({ 'b c.ts': 'b', d: 'd' });
    started(folder, 'sh', '-c', 'echo a > $(ls)');
    expect(readdirSync(folder)).toContain('b c.ts\nd');
    for (const line of ['cat < $(cat list.txt)', 'echo a > $(ls src)'])
      for (const shell of ['sh', 'dash'])
        expect((await says(`${shell} -c '${line}'`)).join(), line).toContain('opaque');
  });
});

describe('listed names with brackets', () => {
  const pages = project({
    'pages/[id].vue': '',
    'pages/index.vue': '',
    'keys/[ie].pem': '',
    'keys/e.pem': 'SECRET',
    'odd/[.]env': '',
    'blank/[a] b.vue': '',
    'star/[a]*.vue': '',
  });

  it.each([
    ["wc -l $(find pages -name '*.vue')", 'fs.read pages/[id].vue pages/index.vue (wc)'],
    ['for f in $(find pages -type f); do wc -l "$f"; done', 'fs.read pages/[id].vue pages/index.vue (wc)'],
    ["x=$(find pages -name '[[]*.vue'); wc -l $x", 'fs.read pages/[id].vue (wc)'],
    [
      'touch pages/d.vue; wc -l $(find pages -type f)',
      'fs.read pages/[id].vue pages/d.vue pages/index.vue (wc)',
    ],
    ["cat $(find keys -name '[[]*')", 'secret.read keys/[ie].pem keys/e.pem (cat)'],
    ['ln -s ../keys/e.pem pages/d.vue; cat $(find pages -type f)', 'secret.read keys/e.pem (cat)'],
    ["cat $(find odd -name '[[].*')", 'fs.read odd/[.]env (cat)'],
  ])('are themselves, and what they match: `%s`', async (line, expected) => {
    const said = await pages.says(line);
    expect(said).toContain(expected);
    expect(said.filter((each) => /others|opaque/.test(each))).toEqual([]);
  });

  it.each([
    'cat $(find blank -type f)',
    'cat $(find star -type f)',
    'find pages > list; cat $(cat list)',
    "sh -c 'cat $(find pages -type f)'",
    'shopt -s extglob; cat $(find pages -type f)',
  ])('are any where they split, or what they match is unknown: `%s`', async (line) => {
    expect((await pages.says(line)).join('\n')).toMatch(/secret\.read and others|opaque/);
  });
});
