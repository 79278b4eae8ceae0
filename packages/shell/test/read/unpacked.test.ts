import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const { root, says } = project({ 'in/a.txt': 'a', 'in/.git/hooks/x': '', 'in/sub/b.txt': 'b', 'out/': '' });
const run = (...words: readonly string[]) => execFileSync(words[0] ?? '', words.slice(1), { cwd: root });
run('tar', 'cf', 'a.tar', '-C', 'in', 'a.txt', 'sub');
run('tar', 'czf', 'a.tgz', '-C', 'in', 'a.txt', 'sub');
run('tar', 'czf', 'hook.tgz', '-C', 'in', '.git/hooks/x');
run('ln', '-s', '/etc/hostname', 'in/link');
run('tar', 'cf', 'link.tar', '-C', 'in', 'link');
run('tar', 'cPf', 'up.tar', 'in/../in/a.txt');
run('tar', 'cPf', 'root.tar', join(root, 'in/a.txt'));
run('tar', 'cf', 'long.tar', '--transform', `s/a/${'x'.repeat(120)}/`, '-C', 'in', 'a.txt');
run('tar', '--format=pax', '-cf', 'pax.tar', '--transform', `s/a/${'x'.repeat(200)}/`, '-C', 'in', 'a.txt');
const plain = readFileSync(join(root, 'a.tar'));
/** A header that tar skips, after which it looks for the next one; and one more archive behind the end. */
writeFileSync(
  join(root, 'sum.tar'),
  Buffer.from(plain.map((byte, index) => (index === 0 ? byte + 1 : byte))),
);
writeFileSync(join(root, 'twice.tar'), Buffer.concat([plain, readFileSync(join(root, 'up.tar'))]));
/** The archive with other texts in its first header. */
function changed(name: string, texts: Readonly<Record<number, string>>): void {
  const bytes = Buffer.from(plain);
  for (const [at, text] of Object.entries(texts)) bytes.write(text, Number(at));
  bytes.fill(' ', 148, 156);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  writeFileSync(join(root, name), bytes);
}
changed('filled.tar', { 156: '5' });
/** The same for old versions, and a name in two parts. */
changed('slash.tar', { 0: 'folder/' });
changed('version.tar', { 257: 'ustar\x0001', 345: '.git/hooks' });

/** A zip archive of one empty member, with these bytes in its header of the directory. */
function zip(name: string, changes: Readonly<Record<number, number>> = {}, extra = Buffer.alloc(0)): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(name.length, 26);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50);
  header[5] = 3;
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  for (const [at, byte] of Object.entries(changes)) header[Number(at)] = byte;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  const directory = [header, Buffer.from(name), extra];
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(30 + name.length, 16);
  return Buffer.concat([local, Buffer.from(name), ...directory, end]);
}
const zips: Readonly<Record<string, Buffer>> = {
  'a.zip': zip('sub/a.txt'),
  'up.zip': zip('../a.txt'),
  'root.zip': zip('/a.txt'),
  'back.zip': zip('..\\a.txt'),
  'link.zip': zip('a', { 41: 0xa0 }),
  'secret.zip': zip('a', { 8: 1 }),
  'name.zip': zip('a', {}, Buffer.from([0x75, 0x70, 0, 0])),
  'vms.zip': zip('a', { 5: 2 }),
  'more.zip': Buffer.concat([zip('a'), Buffer.from(' ')]),
  'first.zip': Buffer.concat([Buffer.from(' '), zip('a')]),
};
for (const [name, bytes] of Object.entries(zips)) writeFileSync(join(root, name), bytes);

describe('shell.run › an archive that is unpacked', () => {
  it.each([
    [
      'tar xf a.tar -C out',
      ['fs.write out/a.txt out/sub out/sub/b.txt (tar)', 'fs.write out (tar)', 'fs.read a.tar (tar)'],
    ],
    [
      'mkdir new && tar -xzf a.tgz -C new',
      [
        'fs.write new (mkdir)',
        'fs.write new/a.txt new/sub new/sub/b.txt (tar)',
        'fs.write new (tar)',
        'fs.read a.tgz (tar)',
      ],
    ],
    [
      'tar xzf hook.tgz',
      [
        'fs.write .git .git/hooks .git/hooks/x (tar)',
        'sys.persist .git .git/hooks .git/hooks/x',
        'fs.read hook.tgz (tar)',
      ],
    ],
    ['tar xzf a.tgz -O', ['fs.read a.tgz (tar)']],
    ['unzip -o a.zip -d out', ['fs.read a.zip (unzip)', 'fs.write out/sub out/sub/a.txt (argument)']],
    ['unzip -l a.zip', ['fs.read a.zip (unzip)']],
  ] as const)('names its members: %s', async (line, expected) => {
    const found = await says(line);
    for (const each of expected) expect(found).toContainEqual(each);
    expect(found.join()).not.toMatch(/others|opaque/);
  });

  it.each([
    ...['link', 'up', 'root', 'long', 'pax', 'sum', 'twice', 'filled', 'slash', 'version', 'missing'].map(
      (name) => `tar xf ${name}.tar`,
    ),
    'tar xf a.tgz --strip-components=1',
    'tar xf a.tar --transform=s/a/b/',
    'tar xf a.tar -C out -C ..',
    'tar xf a.tar a.txt -C out',
    'tar xf a.tar a.txt --directory=out sub',
    'tar xf missing.tar -T names -C out',
    'tar xf host:a.tar',
    'tar x < a.tar',
    'tar xPf a.tar',
    'cp up.tar a.tar; tar xf a.tar',
    ...Object.keys(zips)
      .filter((name) => name !== 'a.zip')
      .map((name) => `unzip -o ${name} -d out`),
    'unzip -o a.zip -d out -d in',
    'unzip -o a.zip -x b',
    'unzip -oj a.zip -d out',
    'mkdir -p sub && touch sub/a.txt && unzip a.zip',
  ])('may write any file where its members are not plain: %s', async (line) => {
    expect((await says(line)).join()).toMatch(/fs\.write\S* .*others|opaque/);
  });
});

describe('a secret in an archive', () => {
  const { root: folder, says: told } = project({
    'a.txt': 'a',
    'sub/.env': 'KEY=1',
    'b/c.txt': 'c',
    'x.xz': '',
  });
  execFileSync('tar', ['czf', 's.tgz', 'a.txt', 'sub', 'b'], { cwd: folder });
  writeFileSync(join(folder, 's.zip'), zip('sub/.env'));
  copyFileSync(join(folder, 's.tgz'), join(folder, 'packed.gz'));
  writeFileSync(join(folder, 'a.zip'), zip('a.txt'));
  it.each([
    ['tar -xOf s.tgz', 'secret.read s.tgz/sub/.env (tar)'],
    ['tar xzOf s.tgz sub/.env', 'secret.read s.tgz/sub/.env (tar)'],
    ['tar -xOf s.tgz ./sub', 'secret.read s.tgz/sub/.env (tar)'],
    ["tar -xOf s.tgz --wildcards '*env'", 'secret.read s.tgz/sub/.env (tar)'],
    ['tar -xOf s.tgz --no-anchored .env', 'secret.read s.tgz/sub/.env (tar)'],
    ['tar -xOf s.tgz --ignore-case SUB/.ENV', 'secret.read s.tgz/sub/.env (tar)'],
    ['tar -xOf s.tgz sub/', 'secret.read s.tgz/sub/.env (tar)'],
    ['tar --to-stdout --extract --file=s.tgz b', undefined],
    ['tar -xOf s.tgz a.txt', undefined],
    ['tar -tf s.tgz', undefined],
    ['tar -xf s.tgz --transform=s/.env/x/', 'secret.read s.tgz/sub/.env (tar)'],
    ['tar -xf s.tgz --xform=s/a/x/ a.txt', undefined],
    ['tar -xOf x.xz', 'proc.exec.opaque tar'],
    ['cat s.tgz | tar xzO', 'proc.exec.opaque tar'],
    ...['zcat', 'zcat b s.tgz |', 'gzip -dc', 'gunzip -c', 'xzcat a.txt', 'gzip --stdout --decompress'].map(
      (begin): [string, string] => [
        `${begin.replace(' |', '')} s.tgz`,
        `secret.read s.tgz/sub/.env (${begin.split(' ')[0]})`,
      ],
    ),
    ['zgrep -a KEY s.tgz', 'secret.read s.tgz/sub/.env (zgrep)'],
    ['zegrep -e KEY a.txt s.tgz', 'secret.read s.tgz/sub/.env (zegrep)'],
    ['zgrep KEY a.txt', undefined],
    ['zcat packed', 'secret.read packed.gz/sub/.env (zcat)'],
    ['zcat a.txt.gz', undefined],
    ['gzip -c s.tgz', undefined],
    ['gzip -d s.tgz', undefined],
    ['bzcat x.tar.bz2', 'proc.exec.opaque bzcat'],
    ['zstd -dc x.tzst', 'proc.exec.opaque zstd'],
    ['xz -dc x.xz', undefined],
    ['gzip -dcr b', 'proc.exec.opaque gzip'],
    ['unzip -p s.zip sub/.env', 'secret.read s.zip/sub/.env (unzip)'],
    ['unzip -c s.zip', 'secret.read s.zip/sub/.env (unzip)'],
    ['unzip -pC s.zip SUB/.ENV', 'secret.read s.zip/sub/.env (unzip)'],
    ['unzip -p s.zip a.txt', undefined],
    ['unzip -p a.zip', undefined],
    ['unzip -l s.zip', undefined],
    ['unzip -p x.xz', 'proc.exec.opaque unzip'],
    ['7z x -so s.zip', 'secret.read s.zip (7z)'],
    ['ar -p s.a .env', 'proc.exec.opaque ar'],
  ])('is read if it is printed: %s', async (line, wanted) => {
    const found = (await told(line)).find((each) => /^(?:secret\.read|proc\.exec\.opaque)/.test(each));
    expect(found).toBe(wanted);
  });
});

describe('a secret in an archive that shows it as it is', () => {
  const { root: folder, says: told } = project({
    'a.txt': 'a',
    'sub/.env': 'KEY=1',
    'in/b.txt': 'b',
    'x.rar': 'x',
    'docx.txt': 'PK',
    '.npmrc': '',
  });
  const pack = (...words: readonly string[]) => execFileSync('tar', words, { cwd: folder });
  pack('cf', 's.tar', 'a.txt', 'sub');
  pack('cf', 'long.tar', '--transform', `s,^,${'x'.repeat(120)}/,`, 'sub');
  pack('--format=pax', '-cf', 'pax.tar', '--transform', `s,^,${'x'.repeat(200)}/,`, 'sub');
  pack('cf', 'in/tar', 's.tar');
  pack('cf', 'home.tar', '--transform', 's,.*,.aws/credentials,', 'a.txt');
  pack('cf', 'plain.tar', 'a.txt', 'in/b.txt');
  pack('czf', 's.tgz', 'sub');
  copyFileSync(join(folder, 's.tar'), join(folder, 'in/text.txt'));
  writeFileSync(join(folder, 's.zip'), zip('sub/.env'));
  writeFileSync(join(folder, 'deflated.zip'), zip('sub/.env', { 10: 8 }));
  writeFileSync(join(folder, 'odd.zip'), Buffer.concat([zip('a'), Buffer.from(' ')]));
  it.each([
    ...[
      'cat',
      'strings',
      'xxd',
      'base64',
      'head -c 99',
      'more',
      'grep -a KEY',
      'grep -c KEY',
      'cut -b 1-',
    ].map((begin) => [`${begin} s.tar`, `secret.read s.tar (${begin.split(' ')[0]})`] as const),
    ['cp s.tar x.txt && cat x.txt', 'secret.read s.tar (cp)'],
    ['base64 < s.tar', 'secret.read s.tar (shell)'],
    ['grep -ar KEY in', 'secret.read in/tar in/text.txt (grep)'],
    ['cat in/*', 'secret.read in/tar in/text.txt (cat)'],
    ['cat long.tar', 'secret.read long.tar (cat)'],
    ['cat pax.tar', 'secret.read pax.tar (cat)'],
    ['cat home.tar', 'secret.read home.tar (cat)'],
    ['cat s.zip', 'secret.read s.zip (cat)'],
    ['cat odd.zip x.rar', 'proc.exec.opaque cat'],
    ['tar -xOf in/tar s.tar', 'proc.exec.opaque tar'],
    ['tar -cf o.txt s.tar && cat o.txt', 'secret.read s.tar (tar)'],
    ['zip -0 o.zip s.tar && cat o.zip', 'secret.read s.tar (zip)'],
    ['7z a -mx0 o.7z s.tar && cat o.7z', 'secret.read s.tar (7z)'],
    ['cat plain.tar | wc -c', undefined],
    ['cp plain.tar deflated.zip out', undefined],
    ['strings deflated.zip s.tgz missing.tar', undefined],
    ['tar -tf s.tar', undefined],
    ['tar -xf s.tar', undefined],
    ['unzip -l s.zip', undefined],
    ['wc -c s.tar', undefined],
    ['sha256sum s.tar', undefined],
    ['file s.tar', undefined],
    ['ls -l s.tar', undefined],
    ['stat s.tar', undefined],
    ['rm s.tar', undefined],
    ['grep -r KEY in', undefined],
    ['rg KEY in', undefined],
  ] as const)('is read with it: %s', async (line, wanted) => {
    const found = (await told(line)).find((each) => /^(?:secret\.read|proc\.exec\.opaque)/.test(each));
    expect(found).toBe(wanted);
  });
});
