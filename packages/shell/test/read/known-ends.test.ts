// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines

import { describe, expect, it } from 'vitest';
import { project } from './world.js';

const files = { 'package.json': '{}', 'a.txt': 'a', '.env': 'SECRET=1' };
const unknown = 'fs.read.outside and others (cat)';

/** The effects of a line that knows of `$x` only that jq prints it. */
async function says(line: string): Promise<readonly string[]> {
  const { describe: described } = project(files);
  const found = await described(`x=$(jq -r .a package.json); ${line}`);
  return found.flatMap(({ name, path, by, why }) => {
    if (typeof why === 'string') return [why];
    return typeof path === 'object' && typeof by === 'string' ? [`${name} and others (${by})`] : [];
  });
}

const question = [unknown, 'which files it reads is unknown, and one may be a link to a secret'];
const secret = [unknown, 'secret.read and others (cat)'];

describe('a deletion of listed files', () => {
  it.each([
    'find . -name "*.orig" | xargs -r rm -v',
    'rm $(find . -name "*.orig")',
    'for f in $(find . -name "*.orig"); do rm "$f"; done',
    'find . -name "*.orig" | while read -r f; do rm "$f"; done',
  ])('is described although no file matches yet: %s', async (line) => {
    expect(await says(line)).toEqual(['fs.delete.outside and others (rm)']);
    expect(await says(line.replaceAll('rm ', 'cat '))).toEqual([]);
  });
});

describe('a file of unknown name', () => {
  it.each([
    'cat "node_modules/$x/package.json"',
    'cat "src/$x.ts"',
    'cat "$x.test.ts"',
    'f="src/$x.ts"; cat "$f"',
    'for y in $x; do cat "$y/package.json"; done',
    'jq -r .b package.json | while read -r y; do cat "src/$y.md"; done',
  ])('is a question where its end is that of a source: %s', async (line) => {
    expect(await says(line)).toEqual(question);
  });

  it.each([
    'cat "$x"',
    'cat "$x/config"',
    'cat "package.json/$x"',
    'cat "src/$x.ts.env"',
    'f="src/$x.ts"; cat "$f.env"',
    'f="src/$x.ts"; cat "${f%.ts}"',
    'f="src/$x.ts"; cat $f',
    'cat src/$x.ts',
    'f="$x.ts"; [ -e a.txt ] && f="$x"; cat "$f"',
    'a=("$x.ts" "$x"); cat "${a[@]}"',
    'a=("$x.ts"); a+=("$x"); for f in "${a[@]}"; do cat "$f"; done',
    'set -- "$x.ts" "$x"; for f; do cat "$f"; done',
    'f="$x.ts"; for i in 1 2; do cat "$f"; f="$x"; done',
    'read -r a b <<< "$x b.ts"; cat "$a"',
  ])('may be a secret elsewhere: %s', async (line) => {
    expect(await says(line)).toEqual(expect.arrayContaining([secret[1]]));
  });

  it('may have secrets below it if it is a folder', async () => {
    for (const program of ['grep -r a', 'diff -r a.txt'])
      expect(await says(`${program} "src/$x.ts"`)).toContain(
        `secret.read and others (${program.split(' ')[0]})`,
      );
  });
});
