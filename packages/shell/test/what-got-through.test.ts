import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capability } from '@ambit/core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { shellAt } from '../src/index.js';
import { makeProject } from './deep/fixture.js';

/** Lines that an earlier analyser described as harmless, with their effects in bash. */
const rows = readFileSync(new URL('deep/found.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((row) => row !== '')
  .map((row) => JSON.parse(row) as { readonly line: string; readonly does: string });

const home = realpathSync(mkdtempSync(join(tmpdir(), 'got-through-')));
const project = join(home, 'project');
makeProject(home, project);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const [tool] = shellAt(project, { home, guarded: [] }).tools;

async function described(command: string): Promise<readonly Capability[]> {
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  return (await tool?.describe({ command }, context))?.capabilities ?? [];
}

/** The capabilities that a policy permits if it allows reading in the root and starting programs by name. */
const permitted: ReadonlySet<string> = new Set(['fs.read', 'fs.list', 'proc.exec']);

describe('a policy that permits only reading files and starting programs', () => {
  it.each(rows.map(({ line, does }) => [line, does]))('does not permit `%s`, which %s', async (line) => {
    const capabilities = await described(line);
    expect(capabilities.length).toBeGreaterThan(0);
    expect(capabilities.filter(({ name }) => !permitted.has(name))).not.toEqual([]);
  });

  it.each(['ls', 'cat a.txt', 'head -n 1 src/main.js | wc -l', 'cd src && cat main.js'])(
    'permits `%s`',
    async (line) => {
      expect((await described(line)).filter(({ name }) => !permitted.has(name))).toEqual([]);
    },
  );
});

const isOpen = ({ path }: Capability) =>
  typeof path === 'object' && path !== null && 'open' in path && path.open === true;
const covers = (path: string) => (each: Capability) =>
  isOpen(each) || JSON.stringify(each.path).includes(JSON.stringify(path));

describe('a listing after or beside commands that create files', () => {
  const read = async (command: string) =>
    (await described(command)).filter(({ name, by }) => name.startsWith('fs.read') && by === 'cat');

  it.each([
    'cat cmd.txt | sh; find . -type f -exec cat {} +',
    'sh -c "$(cat cmd.txt)"; find . -type f -exec cat {} +',
    'python3 -c "open(1)"; find . -type f -exec cat {} +',
    'python3 tool.py; find . -type f -exec cat {} +',
    'npm test; find . -type f -exec cat {} +',
    'sh run.sh; find . -type f -exec cat {} +',
    'unknown-program; find . -type f -exec cat {} +',
    'find . -type f -exec unknown-program {} \\; -exec cat {} +',
    'find . -name "*.txt*" -exec cp {} {}.x \\; -exec cat {} +',
  ])('is open in `%s`', async (line) => {
    expect((await read(line)).some(isOpen)).toBe(true);
  });

  it('contains the files that the commands of find create, if they are known', async () => {
    const line = 'find . -name "*.txt" -exec cp {} made.txt \\; -o -name "made.txt" -exec cat {} +';
    expect((await read(line)).some(covers(join(project, 'made.txt')))).toBe(true);
  });

  it('is complete if the commands of find change nothing', async () => {
    const line = 'find . -name "*.txt" -exec head {} \\; -exec cat {} +';
    expect((await read(line)).some(isOpen)).toBe(false);
  });
});

describe('a link that the line may have replaced', () => {
  it.each([
    ['sed -i s/a/b/ docs/up/link.txt; cat docs/up/link.txt', 'fs.read'],
    ['sed -i s/a/b/ link.txt && cat <docs/up/link.txt', 'fs.read'],
    ['rm link.txt; cp b.txt link.txt; cat docs/up/link.txt', 'fs.read'],
    ['for i in 1 2; do cat docs/up/link.txt; rm link.txt; cp b.txt link.txt; done', 'fs.read'],
    ['rm docs/up/link.txt; echo x >>docs/up/link.txt', 'fs.write'],
  ])('is a file of its own in `%s`', async (line, name) => {
    const link = join(project, 'link.txt');
    const found = (await described(line)).filter((each) => each.name === name && each.by !== 'sed');
    expect(found.some(covers(link))).toBe(true);
  });

  it('is only a link in a line that changes nothing', async () => {
    const read = (await described('echo >new; cat docs/up/link.txt')).find(({ name }) => name === 'fs.read');
    expect(read?.path).toEqual({ paths: [join(project, 'a.txt'), join(project, 'docs/up/link.txt')] });
  });
});

describe('git after a command that removes a file of ignore rules', () => {
  it.each([
    'rm -f .gitignore; git add .',
    'x=$(rm .gitignore); git status',
    'mv .gitignore x; git add .',
    'chmod 0 .gitignore; git add .',
    'rm docs/up/.gitignore; git add .',
  ])('reads files that were ignored in `%s`', async (line) => {
    const read = (await described(line)).filter(({ name, by }) => name.startsWith('fs.') && by === 'git');
    expect(JSON.stringify(read)).toContain(`"${join(project, 'node_modules/m')}"`);
  });

  it('knows its files if another file was removed', async () => {
    const all = await described('cd src && rm -rf main.js && git add .');
    expect(JSON.stringify(all.filter(({ name }) => name === 'fs.list'))).not.toContain('"open":true');
    expect(all.filter(({ name }) => name === 'proc.exec.opaque')).toEqual([]);
  });
});

describe('git in a repository within another', () => {
  const opaque = async (line: string) =>
    (await described(line)).filter(({ name, program }) => name === 'proc.exec.opaque' && program === 'git');
  const inner = join(project, 'inner');
  const repository = (name: string) => execFileSync('git', ['init', '-q', join(inner, name)]);
  afterEach(() => rmSync(inner, { recursive: true, force: true }));

  it.each(['git add inner && git status', 'git add . && git diff', 'git add "./$(cat a.txt)"; git status'])(
    'runs what its settings say, once it is in the index: %s',
    async (line) => {
      repository('.');
      expect(await opaque(line)).not.toEqual([]);
    },
  );

  it.each([
    'mv inner/a/.git inner/.git; git -C inner status',
    'cp -r inner/a/.git inner/b/.git; cd inner/b && git diff',
    'mv inner/a inner/c && cd inner/c && git status',
    'cp -r inner/a/.git/* inner/b; cd inner/b && git status',
    'ln -s a/.git inner/.git && git -C inner status',
    'tar xf archive.tar -C inner/b && git -C inner/b status',
  ])('may be another one than before the line: %s', async (line) => {
    repository('a');
    mkdirSync(join(inner, 'b'));
    expect(await opaque(line)).not.toEqual([]);
  });

  it.each([
    'mkdir -p inner/new && touch inner/new/a && git add inner && git status',
    'cd src && touch new.js && git add new.js && git diff --cached && git status',
    'mkdir inner && cd inner && git status',
  ])('is not opaque: %s', async (line) => expect(await opaque(line)).toEqual([]));
});

describe('git that deletes files which the line created', () => {
  it('deletes their folders too', async () => {
    const all = await described('git mv src lib; git stash');
    const deleted = all.filter(({ name, by }) => name === 'fs.delete' && by === 'git');
    expect(deleted.some(covers(join(project, 'lib')))).toBe(true);
    expect(deleted.some(covers(join(project, 'lib/util')))).toBe(true);
  });
});

describe('a stream that is named as a file', () => {
  it.each([
    'cat /dev/stderr 2>>.env',
    'head -c 3 /dev/fd/2 2>>.env',
    '{ cat /dev/stderr; } 2>>.env',
    "sed 'r /dev/stdout' a.txt >>.env",
    'grep foo /dev/stderr 2>>.env',
    'rg foo /dev/stderr 2>>.env',
    'cp /dev/stderr x 2>>.env',
    'sh /dev/stderr 2>>.env <<<ls',
  ])('may be any file if it is opened for reading: %s', async (line) => {
    const read = (await described(line)).filter(({ name }) => name.startsWith('fs.read'));
    expect(read.some(isOpen)).toBe(true);
  });

  it.each([
    'echo x >/dev/stderr',
    'cat /dev/stdin <a.txt',
    'cat a.txt | tee /dev/stderr | grep a /dev/stdin',
  ])('touches nothing more in its own direction: %s', async (line) => {
    expect(
      (await described(line)).filter(({ path }) => path !== join(project, 'a.txt')).filter(isOpen),
    ).toEqual([]);
  });
});

describe('git mv to a folder that the line makes or removes', () => {
  it.each([
    ['mkdir n; git mv src n', 'n/src/a.js'],
    ['rm -r docs; git mv src docs', 'docs/a.js'],
  ])('moves the files into it or to its name: %s', async (line, path) => {
    const written = (await described(line)).filter(({ name, by }) => name === 'fs.write' && by === 'git');
    expect(written.some(covers(join(project, path)))).toBe(true);
  });

  it('may follow a link that the line makes', async () => {
    const all = await described('ln -s src n; git mv a.txt n');
    expect(all.some(({ name }) => name === 'proc.exec.opaque')).toBe(true);
  });
});

describe('a search whose input may be a folder', () => {
  it('reads the working folder too', async () => {
    const read = (await described('rg foo < src')).filter(({ by }) => by === 'rg');
    expect(JSON.stringify(read)).toContain(join(project, 'a.txt'));
    for (const line of [
      'read -r x; rg foo',
      'IFS=: read -r x y; rg foo',
      'echo foo | xargs rg',
      'rg foo <&-',
    ])
      expect((await described(line)).filter(({ by }) => by === 'rg')).not.toEqual([]);
    const piped = (await described('cat a.txt | rg foo')).filter(({ by }) => by === 'rg');
    expect(piped.map(({ name }) => name)).toEqual([]);
  });
});

describe('a bracket with equal characters, a collating symbol or an odd class', () => {
  it.each([
    'rm [[=p=]]olicy.yaml',
    'rm [[.p.]]olicy.yaml',
    'rm [a[=p=]b]olicy.yaml',
    'rm [[:alpha:][=p=]]olicy.yaml',
    'rm [[:-:]p]olicy.yaml',
  ])('names the file that `%s` deletes, or is opaque', async (line) => {
    const known = await described(line);
    const isOpaque = known.some(({ name }) => name === 'proc.exec.opaque');
    const deleted = known.filter(({ name }) => name.startsWith('fs.delete'));
    expect(isOpaque || deleted.some(covers('policy.yaml'))).toBe(true);
  });
});
