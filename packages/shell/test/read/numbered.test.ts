// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { writeFileSync } from 'node:fs';
import { fileSetOf } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const { says, describe: described } = project({
  f: 'x\n',
  'a1.txt': 'a',
  'a22.txt': '-> /etc/hostname',
  'ab.txt': 'not one of them',
  '.env.2': 'SECRET=1',
  'src/1.txt': '',
  'out/5/': '',
});
const n = 'n=$(wc -l < f)';
const [read, anywhere] = [
  'fs.read f (shell)',
  ['fs.read.outside and others (cat)', 'secret.read and others (cat)'],
];
const outside = 'fs.read.outside /etc/hostname (cat)';

describe('shell.run › a number within a name', () => {
  it.each([
    ['cat a$RANDOM.txt', ['fs.read a1.txt a22.txt (cat)', outside]],
    [`${n}; cat "a$n.txt"`, [read, 'fs.read a.txt a1.txt a22.txt (cat)', outside]],
    ['x=a$RANDOM; y=$x.txt; cat $y', ['fs.read a1.txt a22.txt (cat)', outside]],
    ['set -- $RANDOM; cat a$1.txt', ['fs.read a1.txt a22.txt (cat)', outside]],
    ['cat .env.$RANDOM', ['fs.read .env.1 .env.2 (cat)', 'secret.read .env.1 .env.2 (cat)']],
    ['cat src/$((3 - 2)).txt /tmp/$$', ['fs.read src/1.txt (cat)', 'fs.read.outside /tmp/1 (cat)']],
    ['cat out/$RANDOM/x', ['fs.read out/1/x out/5/x (cat)']],
    ['printf -v k a%02d.txt $RANDOM; cat $k', ['fs.read a1.txt a22.txt (cat)', outside]],
    ['cat "a$(printf %02d $RANDOM).txt"', ['fs.read a1.txt a22.txt (cat)', outside]],
    ['seq 1 300 | xargs -I{} cat src/{}.txt', ['fs.read src/.txt src/1.txt (cat)']],
    ['rm a$RANDOM.txt', ['fs.delete a1.txt a22.txt (rm)']],
    ['rm -r out/$RANDOM', ['fs.delete out/1 out/5 (rm)']],
    ['grep x src/$RANDOM.txt', ['fs.read src/1.txt (grep)']],
    ['ln -s /etc a7; cat a$RANDOM/passwd', expect.arrayContaining(['fs.read.outside /etc/passwd (cat)'])],
  ])('is read as the files that are there, and an example: %s', async (line, expected) => {
    expect(await says(line)).toEqual(expected);
  });

  it.each([
    ['echo x > out/$(date +%Y).md', 'out/1.md', 'out'],
    ['echo x > "out/v$(date +%Y-%m-%d).md"', 'out/v1-1-1.md', 'out'],
    ['mkdir out/b-$(date +%s)', 'out/b-1', 'out'],
    ['cp f out/b_$RANDOM', 'out/b_1', 'out'],
    ['tar czf out/$(date +%F).tgz src', 'out/1-1-1.tgz', 'out'],
    ['curl -o out/c$RANDOM http://h/', 'out/c1', 'out'],
    ['gzip out/c$RANDOM', 'out/c1.gz', 'out'],
    ['dd if=f of=out/d$RANDOM', 'out/d1', 'out'],
  ])('is written as an example, and another one in its folder: %s', async (line, example, folder) => {
    const said = (await says(line)).filter((each) => each.startsWith('fs.write')).join('\n');
    expect(said).toContain(` ${example}`);
    expect(said).toContain(`and others under ${folder} `);
    expect(said).not.toMatch(/outside/);
  });

  it.each([
    ['echo x > out/l$RANDOM', true],
    ['cp f out/l$RANDOM', true],
    ['mkdir -p out/$RANDOM/b', true],
    ['cp -r src out/l$RANDOM', undefined],
    ['mv src out/l$RANDOM', undefined],
    ['mv f out/l$RANDOM', true],
    ['rm f; mkdir f; mv f out/l$RANDOM', undefined],
    ['mv f src out/l$RANDOM', undefined],
    ['cp -a a22.txt out/l$RANDOM', undefined],
    ['rm -r src/* && cp -r src out/$RANDOM', undefined],
    ['ln -s f out/l$RANDOM', undefined],
    ['ln -s /etc out/l; echo x > out/l$RANDOM', undefined],
    ['./unknown; echo x > out/l$RANDOM', undefined],
    ['tar xf f; echo x > out/l$RANDOM', undefined],
    ['echo x > out/$RANDOM/../../l', undefined],
  ])('has other files of which only numbers are unknown, and no links: %s is %s', async (line, numbered) => {
    const open = (await described(line)).filter(({ name, path }) => {
      const set = fileSetOf(path);
      return name.startsWith('fs.write') && set?.open === true && set.paths.length === 0;
    });
    expect(open).not.toEqual([]);
    expect(new Set(open.map((each) => each.numbered))).toEqual(new Set([numbered]));
  });

  it.each([
    ['echo x > .github/workflows/ci-$RANDOM.yml', 'sys.persist .github/workflows/ci-1.yml'],
    ['echo x > package.json$RANDOM', 'sys.persist package.json5'],
    ['cp f out/$RANDOM', 'fs.write out/1 out/5/f (cp)'],
    ['mkdir out/b$RANDOM; cat out/*', 'secret.read and others under out (cat)'],
    ['ln -s /etc out/b$RANDOM; cat out/b7/x', 'fs.read.outside and others (cat)'],
  ])('may be a place where something runs later, a folder or a link: %s', async (line, expected) => {
    expect(await says(line)).toContain(expected);
  });

  it('is read back without fear of secrets where nothing else made files there', async () => {
    const written = ['fs.write out/l1 (shell)', 'fs.write and others under out (shell)'];
    const back = ['fs.read out/l1 (cat)', 'fs.read and others under out (cat)'];
    expect(await says('echo x > out/l$RANDOM; cat out/l$RANDOM')).toEqual([...written, ...back]);
    const fear = 'secret.read and others under out (cat)';
    expect(await says('echo x > out/l$RANDOM; x=$(mktemp out/mXXX); cat out/l$RANDOM')).toContain(fear);
    expect(await says('x=$(mktemp out/mXXX); echo x > out/l$RANDOM; cat out/l$RANDOM')).toContain(fear);
    expect(await says('echo x > out/l$RANDOM; ln -s /etc out/l7; cat out/l$RANDOM')).toEqual(
      expect.arrayContaining(anywhere),
    );
  });

  it('may be a secret where the folder cannot be listed', async () => {
    const { root, says: said } = project({ 'd/': '' });
    // A name that is not UTF-8 may be a link.
    writeFileSync(Buffer.from(`${root}/d/\xff`, 'latin1'), '');
    expect(await said('cat d/$RANDOM')).toEqual(['fs.read d/1 (cat)', ...anywhere]);
    expect(await said('cat d/*')).toEqual(['fs.read d/* (cat)', ...anywhere]);
  });

  it.each([
    `${n}; cat $n/etc/passwd`,
    `${n}; cat src/..$n`,
    'cat a$RANDOM/../../x',
    'x=a$RANDOM/..; cat $x/../y',
    'cat /proc/$RANDOM/environ',
    'cat a$RANDOM*',
    'x="a b$RANDOM"; cat $x',
    "x=a$RANDOM$'\\n'b; cat $x",
    'x="*$RANDOM"; cat $x',
    'x=a$RANDOM; cat ${x/a/..\\/}',
    'x=$(date +%F); cat ${x//-/\\/}',
    'cat "a$(date +%F | tr - /)"',
    'cat "a$(date +%N)" "$(date +%D)"',
    'printf -v k %d/%d $RANDOM; cat $k',
    'printf -v k %4d $RANDOM; cat a$k',
    'n=$(seq -s/ 1 300); cat "a$n"',
    'n=$(wc -l f); cat "a$n"',
    'read -N 3 n < f; cat a$n',
    "sh -c 'cat a$RANDOM'",
    'cat a$RANDOM/x & ln -s /etc a7',
  ])('may be anywhere: %s', async (line) => {
    expect(await says(line)).toEqual(expect.arrayContaining(anywhere));
  });

  it.each([
    'echo x > /dev/tcp/h/$RANDOM',
    'echo x > /dev/fd/$RANDOM',
    'echo x > "$(date +%D)"',
    'IFS=1; cat a$RANDOM',
    'declare -n n=x; x=../y; cat a$n',
    'RANDOM=../x; cat a$RANDOM',
    'printf() { echo /../x; }; cat "a$(printf %d $RANDOM)"',
    "sh -c 'grep -r $RANDOM src'",
  ])('is not described: %s', async (line) => {
    expect(await says(line)).toContainEqual(expect.stringMatching(/^proc\.exec\.opaque/));
  });
});

describe('shell.run › a loop that counts from a number to a number', () => {
  const reads = (...files: readonly string[]) => [`fs.read ${files.join(' ')} (cat)`];

  it.each([
    ['for ((i=1; i<=3; i++)); do cat x$i; done', reads('x1', 'x2', 'x3')],
    [
      'for ((i = 0; i < 2; ++i)); do cat x$i; done; cat y$i',
      [...reads('x0', 'x1'), ...reads('y0', 'y1', 'y2')],
    ],
    ['for ((i=1; i<3; i++)); do (i=7; cat x$i); cat y$i; done', [...reads('x7'), ...reads('y1', 'y2')]],
    ['for ((i=1; i<3; i++)); do ((i += 5)); cat x$i; done', reads('x1')],
    ['for ((i=1; i<3; i++)); do [ $i = 2 ] && i=9 && break; done; cat x$i', reads('x1')],
    ['for ((i=1; i<=300; i++)); do cat x$i; done', reads('x1')],
  ])('has these numbers, unless its body assigns one: %s', async (line, expected) => {
    expect(await says(line)).toEqual(expected);
  });

  it.each(['read i < f', 'i=../x', 'for i in ../x; do :; done', 'f() { i=../x; }; f', 'printf -v i %s ../x'])(
    'does not count where its body sets another text: %s',
    async (command) => {
      const said = await says(`for ((i=1; i<3; i++)); do ${command}; done; rm a`);
      expect(said).toContainEqual(expect.stringMatching(/^proc\.exec\.opaque/));
    },
  );
});
