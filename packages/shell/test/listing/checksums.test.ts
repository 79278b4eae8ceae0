import { describe, expect, it } from 'vitest';
import { project } from '../read/world.js';

const sum = '0123456789abcdef0123456789abcdef';
const { says } = project({
  'a.txt': 'a',
  'src/b c.txt': 'b',
  '.env': 'x',
  sums: `# made by hand\n${sum}  a.txt\n\n${sum} *src/b c.txt\n`,
  tagged: `MD5 (a.txt) = ${sum}\nMD5(src/b c.txt)= ${sum}\n`,
  secret: `${sum}  .env\n`,
  reversed: `${sum} a.txt\n${sum}  .env\n`,
  escaped: `\\${sum}  a\\n.env\n`,
  windows: `${sum}  a.txt\r\n`,
  other: `${sum}  a.txt\nsee also ${sum}  .env\n`,
});

const both = 'fs.read a.txt src/b c.txt';

describe('shell.run › a list of checksums', () => {
  it.each([
    ['md5sum -c sums', ['fs.read a.txt src/b c.txt sums (md5sum)']],
    ['shasum -a 256 --check sums', ['fs.read a.txt src/b c.txt sums (shasum)']],
    ['md5sum -c --quiet tagged', ['fs.read a.txt src/b c.txt tagged (md5sum)']],
    ['md5sum -c < sums', ['fs.read sums (shell)', `${both} (md5sum)`]],
    ['cat sums | md5sum -c -', ['fs.read sums (cat)', `${both} (md5sum)`]],
    [`echo '${sum}  a.txt' | md5sum -c`, ['fs.read a.txt (md5sum)']],
    ['cd src && md5sum -c ../tagged', ['fs.read src/a.txt src/src/b c.txt tagged (md5sum)']],
  ])('names the files that are read: %s', async (line, expected) => {
    expect([...(await says(line))].sort()).toEqual([...expected].sort());
  });

  it('may name a secret', async () => {
    expect(await says('md5sum -c secret')).toContain('secret.read .env (md5sum)');
    expect(await says('md5sum -c sums secret')).toContain('secret.read .env (md5sum)');
  });

  it.each([
    'md5sum -c reversed',
    'md5sum -c escaped',
    'md5sum -c windows',
    'md5sum -c other',
    'md5sum -c missing',
    'md5sum -c sums "$(cat list)"',
    'md5sum "$(cat list)" sums',
    'md5sum -c "$(cat list)"',
    'md5sum -c -- "$(cat list)" < sums',
    'git show HEAD:sums | md5sum -c',
    'make sums; md5sum -c sums',
    `echo '${sum}  .env' > sums; md5sum -c sums`,
    'ln -sf secret sums; md5sum -c sums',
    'md5sum -c <(cat sums)',
    'cat sums sums | md5sum -c',
  ])('is otherwise a question: %s', async (line) => {
    expect(await says(line)).toContainEqual(expect.stringMatching(/^proc\.exec\.opaque .*sum/));
  });
});
