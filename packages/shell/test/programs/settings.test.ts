import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Capability } from '@ambit/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellAt } from '../../src/index.js';

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'settings-')));
  put('project/a.txt');
  put('project/docs/b.txt');
});
afterEach(() => rmSync(home, { recursive: true }));

function put(name: string, content = ''): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), content);
}

async function described(command: string): Promise<readonly Capability[]> {
  const [tool] = shellAt(join(home, 'project'), { home, guarded: [] }).tools;
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  return (await tool?.describe({ command }, context))?.capabilities ?? [];
}

const isOpaque = ({ name }: Capability) => name === 'proc.exec.opaque';

describe('a file of options that a program reads by itself', () => {
  it.each([
    ['jq . a.txt', '.jq'],
    ['curl http://a.example', '.curlrc'],
    ['curl http://a.example', '.config/curlrc'],
    ['rsync a.txt b.txt', '.popt'],
    ['less a.txt', '.lesskey'],
    ['ack x .', '.ackrc'],
    ['ack x .', 'project/.ackrc'],
    ['cd docs && ack x .', 'project/_ackrc'],
    ['sqlite3 a.txt "select 1"', '.sqliterc'],
    ['bat a.txt', '.config/bat/config'],
    ['telnet a.example', '.telnetrc'],
    ['tshark -n -r a.txt -q -z io,phs -Y telnet', '.config/wireshark'],
  ])('makes `%s` opaque if ~/%s exists', async (line, file) => {
    expect((await described(line)).filter(isOpaque)).toEqual([]);
    put(file);
    const capabilities = await described(line);
    expect(capabilities.filter(isOpaque)).toHaveLength(1);
    expect(JSON.stringify(capabilities)).toContain(join(home, file));
  });

  it('makes a program opaque if an earlier command of the line may have written it', async () => {
    expect((await described('echo x >../.jq; jq . a.txt')).filter(isOpaque)).toHaveLength(1);
    expect(
      (await described('mkdir -p ../.config/bat && cp a.txt ../.config/bat/config; bat a.txt')).filter(
        isOpaque,
      ),
    ).toHaveLength(1);
    expect((await described('jq . a.txt; echo x >../.jq')).filter(isOpaque)).toEqual([]);
  });
});

describe('a file of data that a program reads by itself', () => {
  it.each([
    ['file a.txt', '.magic'],
    ['less --version', '.lesshst'],
  ])('is named by `%s` if it exists', async (line, file) => {
    const said = async () => JSON.stringify(await described(line));
    expect(await said()).not.toContain(file);
    put(file);
    expect(await said()).toContain(join(home, file));
  });
});

describe('an option that only asks a program about itself', () => {
  const lines = [
    'cargo --version, cargo -V, rustc -vV, docker --version, docker -v, pnpm --version, pnpm -v, yarn --version',
    'yarn -v, go version, make --version, gcc -v, cmake --version, javac -version, dotnet --version',
    'gh --version, npm --version, eslint -v, prettier --version, vitest --version, vite -v, rollup -v, tsup -v',
    'esbuild --version, pre-commit -V, nox --version, wget -V, wget --version, ssh -V, gpg --version',
    'age --version, aws --version, git log -h, git commit -h, git stash -h, git submodule -h, git grep -h',
    'redis-cli -v, cargo version, rustup -V, nvcc --version, just --version, ninja --version, pandoc -v, ffmpeg -version',
  ].flatMap((text) => text.split(', '));
  it.each(lines)('has no effect in `%s`', async (line) => {
    expect((await described(line)).map(({ name }) => name)).toEqual(['proc.exec']);
  });

  const more = [
    'cargo --version build, cargo --version --config x, cargo -v, docker --version run a, docker -v a, gcc -v a.c',
    'pnpm --version test, yarn -v x, go version ./x, make --version all, go env, cargo "$x", pnpm $x',
    'poetry --version, pytest --version, gradle --version, mvn -v, jest --version, turbo --version, bundle --version',
    'eslint -v ., prettier --version ., vitest -v x, redis-cli -v flushall, psql -V, pg_dump --version, mysql --version, just --list, nox -s x',
    'git help log, git log --help, git log -h --, git foo -h, git $x -h, git -h log, git -c alias.x=y x -h',
    'ssh -V host, gpg --version --list-keys, aws --version s3, wget --version x',
    'esbuild --version a.ts, ffmpeg -version -i x, cargo version x, rustup --version run, nvcc -V a.cu, nvcc -v',
  ].flatMap((text) => text.split(', '));
  it.each(more)('leaves `%s` opaque, because it has other words or runs plug-ins first', async (line) => {
    expect((await described(line)).filter(isOpaque)).toHaveLength(1);
  });

  it.each([
    ['cargo --version', 'rust-toolchain.toml'],
    ['rustc --version', 'project/rust-toolchain'],
    ['rustup --version', 'rust-toolchain.toml'],
    ['go version', 'project/go.mod'],
    ['dotnet --version', 'global.json'],
    ['pnpm --version', 'project/.pnpmfile.cjs'],
    ['pnpm --version', 'pnpm-workspace.yaml'],
    ['pnpm --version', 'project/.npmrc'],
    ['yarn --version', 'project/.yarnrc.yml'],
    ['yarn --version', 'project/.yarnrc'],
    ['yarn --version', 'project/.corepack.env'],
    ['pnpm --version', '.corepack.env'],
    ['jc --version', '.local/share/jc/jcparsers/ls.py'],
  ])('makes `%s` opaque if ~/%s may name another program', async (line, file) => {
    put(file);
    expect((await described(line)).map(({ name }) => name)).toEqual(['proc.exec', 'proc.exec.opaque']);
  });

  it.each(['pnpm --version', 'yarn --version'])(
    'reads package.json in `%s`, because it may name a version to run',
    async (line) => {
      put('project/package.json', '{"name": "a"}');
      expect((await described(line)).map(({ name }) => name)).toEqual(['proc.exec', 'fs.read']);
      const named = ['{"package\\u004danager": "yarn@4"}', '{"packageManager": null}'];
      const inEngines = '{"devEngines": {"packageManager": {"name": "yarn"}}}';
      for (const text of [...named, inEngines, '{', 'null']) {
        put('project/package.json', text);
        expect((await described(line)).filter(isOpaque)).toHaveLength(1);
      }
      put('project/package.json', '{}');
      expect((await described(`echo '{}' > package.json; ${line}`)).filter(isOpaque)).toHaveLength(1);
      expect((await described(`cd "$(cat a.txt)"; ${line}`)).filter(isOpaque)).toHaveLength(1);
    },
  );
});
