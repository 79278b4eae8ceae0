import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../test/depth.js';
import { project } from './read/world.js';

const { describe: described } = project({
  '.env': 'SECRET=1',
  '.gitignore': '.env\n',
  'package.json': '{"name":"a","version":"1.0.0"}',
  'certs/dev.key': '',
  'src/a.ts': '',
  // It does not name only files that exist, so what it names stays unknown.
  list: 'src/a.ts\nmissing.ts',
});

/** Which secrets may be read, and which programs are opaque for what the line writes. */
async function guessed(line: string): Promise<readonly string[]> {
  const found = await described(line);
  const all = found.flatMap(({ name, path, program, why }) => {
    if (name === 'secret.read') return [/\.env|dev\.key/.exec(JSON.stringify(path))?.[0] ?? 'any'];
    const isUnsure = typeof why === 'string' && why.startsWith('what the line writes');
    return isUnsure && typeof program === 'string' ? [`opaque ${program}`] : [];
  });
  return all.sort();
}

describe('a read of unknown files', () => {
  it.each([
    ['npm ci && grep -rn TODO src', ['opaque grep']],
    ['npm ci; for f in src/*.ts; do cat "$f"; done', ['opaque cat']],
    ['npm ci; find . -name "*.ts" | xargs cat', ['opaque cat']],
    ['./list | xargs cat', ['opaque cat']],
    ['npm ci; rg foo', ['opaque rg']],
    ['unzip a.zip -d out && grep -rn x out', ['opaque grep']],
    ['echo > /proc/self/cwd/z; grep -rn TODO src; cat src/*', ['opaque cat', 'opaque grep']],
    ['npm ci; (cd src && cat *)', ['opaque cat']],
  ])('is a question after an unknown write: %s', async (line, expected) => {
    expect(await guessed(line)).toEqual(expected);
  });

  it.each([
    ['cat $(cat list)', ['any']],
    ['cat list | xargs cat', ['any']],
    ['echo x > src/b; cat $(cat list)', ['any']],
    ['mkdir -p out; cp list out; cat $(cat list)', ['any']],
    ['grep "$x" list; cat $(cat list)', ['any']],
    ['chmod 600 src; cat src/*', ['any']],
    ['rm .gitignore; rg --hidden foo', ['.env']],
    ['npm ci; grep -rn x .', ['.env', 'opaque grep']],
    ['npm ci; rg -uu foo', ['.env', 'opaque rg']],
    ['npm ci; cat .env', ['.env']],
    ['cat o/wallets/x.json', []],
    ['unzip a.zip -d o && cat o/wallets/x.json', ['any', 'opaque cat']],
    ['mkdir o; echo > o/foundry.toml; cat o/wallets/x.json', ['any']],
    ['npm publish', ['dev.key']],
    ['npm pack', ['dev.key']],
  ])('stays one of secrets: %s', async (line, expected) => {
    expect(await guessed(line)).toEqual(expected);
  });

  it('names the run for an answer that is kept', async () => {
    const found = await described('npm ci && grep -rn TODO src');
    expect(
      found.find(({ name, program }) => name === 'proc.exec.opaque' && program === 'grep')?.argv,
    ).toEqual(['grep', '-rn', 'TODO', 'src']);
  });

  it.each(['npm publish --dry-run', 'npm pack --dry-run --json'])(
    'reads no secret that npm only measures: %s',
    async (line) => {
      const found = await described(line);
      expect(found.filter(({ name }) => name === 'secret.read')).toEqual([]);
      expect(found.filter(({ name }) => name === 'proc.exec.opaque')).toHaveLength(1);
      expect(JSON.stringify(found.find(({ name }) => name === 'fs.read'))).toContain('package.json');
    },
  );
});

describe('a command that find starts for files that are not there', () => {
  it.each([
    ['find . -name "*.go" -exec cat {} \\;', []],
    ['find . -name "*.go" -exec grep -Hn x {} + | cut -d: -f1 | xargs ls', []],
    ['find . -name "*.go" -exec sh -c \'cat "$1"\' _ {} \\;', []],
    ['find . -name "*.go" -exec rm {} +', ['fs.delete']],
    ['find . -name "*.go" -exec sed -i s/a/b/ {} +', ['fs.write', 'proc.exec.opaque']],
    ['find . -name "*.go" -exec cat {} .env \\;', ['fs.read', 'secret.read']],
    ['find . -name "*.go" -exec cat {} + -o -name list -exec cat {} +', ['fs.read']],
    ['cp .env a.go; find . -name "*.go" -exec cat {} +', ['fs.read', 'fs.write', 'secret.read']],
    ['./list; find . -name "*.go" -exec cat {} +', ['fs.read.outside', 'proc.exec.opaque']],
  ])('reads none of them: %s', async (line, expected) => {
    const found = new Set((await described(line)).map(({ name }) => name));
    const ordinary = /^(?:proc\.exec|fs\.list|code\.eval)$/;
    expect([...found].filter((name) => !ordinary.test(name)).sort()).toEqual(expected);
  });
});

describe('a line that doubles its files with each command', () => {
  it.skipIf(!isDeep)('becomes opaque at a limit', async () => {
    const whys = (await described('cp -r q two; mv two q; '.repeat(20))).flatMap(({ why }) => why ?? []);
    expect(whys).toEqual(['it makes too many files to list; this and everything after it is unknown']);
  });
});
