import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

async function described(command: string, at = home): Promise<readonly Capability[]> {
  const [tool] = shellAt(join(home, 'project'), { home: at, guarded: [] }).tools;
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
    ['sqlite3 a.txt "select 1"', '.config/sqlite3/sqliterc'],
    ['bat a.txt', '.config/bat/config'],
    ['telnet a.example', '.telnetrc'],
    ['tput cols', '.terminfo'],
    ['dpkg -l', '.dpkg.cfg'],
    ['cargo metadata --no-deps', '.cargo/config.toml'],
    ['cargo locate-project', 'project/.cargo/config'],
    ['cargo metadata --no-deps', 'project/rust-toolchain'],
    ['rustup show', 'rust-toolchain.toml'],
    ['pip list', '.config/pip/pip.conf'],
    ['pip list', 'Library/Application Support/pip/pip.conf'],
    ['python -m pip list', '.pip/pip.conf'],
    ['python -m pip list', 'project/pip.py'],
    ['python -m pip show a', 'project/pip'],
    ['python -m pip -V', 'project/keyring'],
    ['python -m pip list', 'project/json.py'],
    ['python -m json.tool a.txt', 'project/argparse/__init__.py'],
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
    'mvn -v, mvn --version, terraform version, terraform -v, helm version, helm version --short, npm prefix, npm root -g, pip list, pip inspect',
    'kotlinc -version, kotlin -version, protoc --version, rustfmt --version, rustfmt -V, vault -v, vault version, deno -V, bun -v',
    'pip list --format=json, python -m pip list, python3 -m pip show -f a, python -m pip --version, python -m pip -V',
    'mvn -version, gradle -v, gradle --version, meson --version, ant -version, ghc --version, stack --version, cabal -V, swift --version',
    'Rscript --version, julia -v, podman --version, tofu version, conda -V, pipx --version',
    'mkdocs --version, hugo version, isort --version, coverage --version, vagrant -v, rake --version',
  ].flatMap((text) => text.split(', '));
  it.each(lines)('has no effect in `%s`', async (line) => {
    expect((await described(line)).map(({ name }) => name)).toEqual(['proc.exec']);
  });

  it.each([
    ['{ "sdk": { "version": "8.0.100", "rollForward": "latestFeature" } }', 0],
    ['{ "sdk": { "version": "8.0.100", "paths": ["./x"] } }', 1],
    ['{ "sdk": { "paths": ["./x"] }, "sdk": {} }', 1],
    ['{ "sdk": { "p\\u0061ths": ["./x"] } }', 1],
    ['{ "sdk": { /* none */ } }', 1],
  ])('has, for `dotnet --version` with %s, %i unknown effects', async (settings, count) => {
    put('project/global.json', settings);
    expect((await described('dotnet --version')).filter(isOpaque)).toHaveLength(count);
  });

  it('is opaque in `aws --version` if settings name plug-ins, which it loads', async () => {
    for (const [text, count] of [
      ['[default]', 0],
      ['[plugins]', 1],
    ] as const) {
      put('.aws/config', text);
      expect((await described('aws --version')).filter(isOpaque)).toHaveLength(count);
    }
  });

  const more = [
    'kotlinc -version a.kt, kotlin a.jar, protoc --version a.proto, vault -v read, deno -V a, bun -v x, bun test -v',
    'cargo --version build, cargo --version --config x, cargo -v, docker --version run a, docker -v a, gcc -v a.c',
    'pnpm --version test, yarn -v x, go version ./x, make --version all, go env, cargo "$x", pnpm $x',
    'poetry --version, pytest --version, gradle --version build, mvn -v clean, mvn -version clean, terraform version -json, helm version x, helm list, jest --version, turbo --version, bundle --version',
    'eslint -v ., prettier --version ., vitest -v x, redis-cli -v flushall, psql -V, pg_dump --version, mysql --version, just --list, nox -s x',
    'git help log, git log --help, git log -h --, git foo -h, git $x -h, git -h log, git -c alias.x=y x -h',
    'ssh -V host, gpg --version --list-keys, aws --version s3, wget --version x',
    'latexmk --version, pylint --version, tox --version, bazel --version, mix --version, elixir --version, composer --version, kubectl version --client',
    'hugo version x, hugo --version, julia -v x, ghc --version A.hs, Rscript --version a.R, vagrant -v up, podman -v run a, swift --version x',
    'esbuild --version a.ts, ffmpeg -version -i x, cargo version x, rustup --version run, nvcc -V a.cu, nvcc -v',
  ].flatMap((text) => text.split(', '));
  it.each(more)('leaves `%s` opaque, because it has other words or runs plug-ins first', async (line) => {
    expect((await described(line)).filter(isOpaque)).toHaveLength(1);
  });

  it.each([
    ['cargo --version', 'rust-toolchain.toml'],
    ['rustc --version', 'project/rust-toolchain'],
    ['rustup --version', 'rust-toolchain.toml'],
    ['rustfmt --version', 'project/rust-toolchain.toml'],
    ['go version', 'project/go.mod'],
    ['go version', 'Library/Application Support/go/env'],
    ['dotnet --version', 'global.json'],
    ['pnpm --version', 'project/.pnpmfile.cjs'],
    ['pnpm --version', 'project/.pnpmfile.cjs.js'],
    ['pnpm --version', '.pnpmfile.cjs.node'],
    ['pnpm --version', 'pnpm-workspace.yaml'],
    ['pnpm --version', '.config/pnpm/rc'],
    ['pnpm --version', 'project/.npmrc'],
    ['yarn --version', 'project/.yarnrc.yml'],
    ['yarn --version', 'project/.yarnrc'],
    ['yarn --version', 'project/.corepack.env'],
    ['pnpm --version', '.corepack.env'],
    ['jc --version', '.local/share/jc/jcparsers/ls.py'],
    ['mvn -v', 'project/.mvn/jvm.config'],
    ['mvn -v', '.mvn/maven.config'],
    ['mvn --version', '.mavenrc'],
    ['ant -version', '.antrc'],
    ['tofu version', '.tofurc'],
    ['terraform version', '.terraformrc'],
    ['gpg --version', '.gnupg/gpg.conf'],
    ['gpg2 --version', '.gnupg/gpg.conf-2.2'],
  ])('makes `%s` opaque if ~/%s may name another program', async (line, file) => {
    put(file);
    expect((await described(line)).map(({ name }) => name)).toEqual(['proc.exec', 'proc.exec.opaque']);
  });

  it.each([
    ['pnpm --version', '.npmrc'],
    ['cargo locate-project', '.cargo/config.toml'],
  ])('makes `%s` opaque if ~/%s exists, also in a project outside of the home', async (line, file) => {
    put(`me/${file}`);
    expect((await described(line, join(home, 'me'))).filter(isOpaque)).toHaveLength(1);
  });

  it.each([
    ['package.yaml', 'packageManager: pnpm@9.0.0'],
    ['package.json5', '{packageManager: "pnpm@9.0.0"}'],
  ])('makes `pnpm --version` opaque if %s names a version', async (file, text) => {
    put(`project/${file}`, text);
    expect((await described('pnpm --version')).filter(isOpaque)).toHaveLength(1);
  });

  it.each(['setup.py', 'json/a.py'])(
    'lets a module of Python with another name stand here: %s',
    async (file) => {
      put(`project/${file}`);
      for (const line of ['python -m pip list', 'python -m json.tool a.txt'])
        expect((await described(line)).filter(isOpaque)).toEqual([]);
    },
  );

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

describe('a command of npm that only reads', () => {
  const lines = [
    'npm ls',
    'npm list --depth=0 -a --json a',
    'npm explain a',
    'npm root',
    'npm pkg get name',
    'npm run',
  ];
  const names = async (line: string) => (await described(line)).map(({ name }) => name);
  const known = ['audit=false', `//a.example/:_authToken=$\{TOKEN}`, ' save-exact = true', 'fund'];

  it.each(lines)('reads manifests and settings in `%s`', async (line) => {
    put('project/package.json', '{}');
    put('project/node_modules/a/package.json', '{}');
    put('project/node_modules/a/secret.key');
    put(
      'project/.npmrc',
      `; text\n\n# x=y\r\n${known.join('\n')}\nhoist-pattern[]=*\n@a:registry=https://a.example\n`,
    );
    put('.npmrc', 'logs-dir=/x');
    const said = await described(`cd docs && ${line}`);
    expect(said.filter(isOpaque)).toEqual([]);
    expect(JSON.stringify(said)).toContain(join(home, 'project/package.json'));
    const files = JSON.stringify(await described(line));
    if (/ls|list|explain/.test(line)) expect(files).toContain('node_modules/a/package.json');
    expect(files).not.toContain('secret.key');
  });

  it.each(['package-lock.json', 'npm-shrinkwrap.json', 'node_modules/.package-lock.json'])(
    'reads `%s`, whose text an error may show',
    async (name) => {
      put(`project/${name}`);
      const said = JSON.stringify(await described('cd docs; npm ls --loglevel=silly'));
      expect(said).toContain(join(home, 'project', name));
    },
  );

  it('reads installed packages of the project, which may be above', async () => {
    const read = async (line: string) =>
      [...JSON.stringify(await described(line)).matchAll(/[^"]*\/node_modules\/[^"]*\.json/g)].map(([path]) =>
        path.slice(home.length + 1),
      );
    put('node_modules/z/package.json', '{}');
    put('project/package.json', '{"workspaces": ["packages/*"]}');
    put('project/packages/a/package.json', '{}');
    for (const each of ['', 'packages/a/']) put(`project/${each}node_modules/a/package.json`, '{}');
    const [own, nested] = ['', 'packages/a/'].map((each) => `project/${each}node_modules/a/package.json`);
    expect(await read('npm ls')).toEqual([own]);
    expect(await read('cd docs && npm ls')).toEqual([own]);
    expect(new Set(await read('cd packages/a && npm ls'))).toEqual(new Set([own, nested]));
    put('project/package.json', '{}');
    expect(await read('cd packages/a && npm ls')).toEqual([nested]);
    expect(await read('rm package.json; cd docs && npm ls')).toContain(own);
  });

  const hostile = [
    'logs-dir=docs',
    'cache=/x',
    'registry=https://a.example/',
    'proxy=http://a.example',
    'long=true',
    'prefix=/x',
    'userconfig=x',
    'globalconfig=.env',
    '"global\\u0063onfig"=.env',
    '"cache"=x',
    '[a]',
    'save-exact[]=x',
    `$\{X}=y`,
    'fund=true\rcache=x',
  ];
  it.each(hostile)('is opaque where the project has `%s` among its settings', async (text) => {
    put('project/.npmrc', `${known.join('\n')}\n${text}\n`);
    for (const line of [...lines, 'npm --version', 'npx -v', ...lines.map((each) => `cd docs; ${each}`)])
      expect((await described(line)).filter(isOpaque)).toHaveLength(1);
  });

  it('is opaque in a project with workspaces that are missing, whose manifests may be links that an error shows', async () => {
    put('project/package.json', '{"workspaces": ["a"]}');
    for (const line of [...lines, ...lines.map((each) => `cd docs; ${each}`)])
      expect((await described(line)).filter(isOpaque)).toHaveLength(1);
  });

  const inWorkspaces = async (manifest = '{"workspaces": ["packages/*", "./one"]}') => {
    put('project/package.json', manifest);
    for (const each of ['packages/a', 'packages/b', 'one'])
      put(`project/${each}/package.json`, '{"name": "x"}');
    put('project/packages/readme.md');
    return described('npm ls');
  };

  it('reads the manifests of workspaces that are JSON', async () => {
    const said = await inWorkspaces();
    expect(said.filter(isOpaque)).toEqual([]);
    expect(JSON.stringify(said)).toContain(join(home, 'project/packages/b/package.json'));
  });

  it.each([
    ['{"workspaces": ["packages/*", "../other"]}'],
    ['{"workspaces": ["packages/*", "!one"]}'],
    ['{"workspaces": ["packages/**"]}'],
    ['{"workspaces": {"packages": ["packages/*"]}}'],
    ['{"workspaces": [["packages/*"]]}'],
    ['{"workspaces": "packages/*"}'],
  ])('is opaque with %s', async (manifest) => {
    expect((await inWorkspaces(manifest)).filter(isOpaque)).toHaveLength(1);
  });

  it('is opaque where a manifest of a workspace is not JSON, has workspaces, is a link, or lies behind one', async () => {
    const manifest = join(home, 'project/packages/b/package.json');
    for (const text of ['K=1', '"x"', '{"workspaces": []}']) {
      await inWorkspaces();
      writeFileSync(manifest, text);
      expect((await described('npm ls')).filter(isOpaque)).toHaveLength(1);
    }
    await inWorkspaces();
    rmSync(manifest);
    symlinkSync('../a/package.json', manifest);
    expect((await described('npm ls')).filter(isOpaque)).toHaveLength(1);
    rmSync(dirname(manifest), { recursive: true });
    symlinkSync('../one', dirname(manifest));
    expect((await described('npm ls')).filter(isOpaque)).toHaveLength(1);
    rmSync(dirname(manifest));
    expect((await described('npm ls')).filter(isOpaque)).toEqual([]);
    rmSync(join(home, 'project/one'), { recursive: true });
    symlinkSync('packages/a', join(home, 'project/one'));
    expect((await described('npm ls')).filter(isOpaque)).toHaveLength(1);
  });

  it.each([
    'mkdir packages/c',
    'cp .env packages/a/package.json',
    'ln -s .env one/package.json',
    'mv docs packages',
  ])('is opaque in workspaces behind `%s`', async (line) => {
    await inWorkspaces();
    put('project/.env', 'K=1');
    expect((await described(`${line}; npm ls`)).filter(isOpaque)).toHaveLength(1);
  });

  const others = [
    'npm -C docs ls, npm --prefix docs root, npm ls --prefix docs, npm ls -g, npm ls -l, npm la, npm --help, npm',
    'npm ls --cache=x, npm --logs-dir x ls, npm root --userconfig=x, npm pkg set a=b, npm pkg fix, npm help ls',
    'npm query a, npm fund a, npm ls "$(cat a.txt)", echo cache=x > .npmrc; npm ls, echo globalconfig=.env > .npmrc; npm -v',
  ].flatMap((text) => text.split(', '));
  it.each(others)('is opaque with other words, or with settings that the line writes: %s', async (line) => {
    expect(await names(line)).toContain('proc.exec.opaque');
  });
});
