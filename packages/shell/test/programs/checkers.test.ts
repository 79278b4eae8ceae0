import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Capability } from '@ambit/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellAt } from '../../src/index.js';
import { effectsOf } from './context.js';

const doing = (line: string) => effectsOf(line.split(' ')[0] ?? '', line.split(' ').slice(1));

describe('a program that checks or formats code', () => {
  it.each([
    ['shellcheck -S warning -f gcc a.sh', ['read a.sh']],
    ['shellcheck -x a.sh', ['opaque']],
    ['shellcheck -a a.sh', ['opaque']],
    ['shellcheck -P /x a.sh', ['opaque']],
    ['shfmt -d -i 2 -ci scripts', ['read scripts/**']],
    ['shfmt -w a.sh', ['read a.sh/**', 'write a.sh/**']],
    ['shfmt --apply-ignore a.sh', ['opaque']],
    ['clang-format --dry-run -Werror a.c', ['read a.c']],
    ['clang-format-14 -i -style=Google a.c', ['read a.c', 'write a.c']],
    ['clang-format -style=file:/x a.c', ['read /x', 'read a.c']],
    ['clang-format -style file:/x a.c', ['opaque']],
    ['clang-format --files=x', ['opaque']],
    ['clang-format @x', ['opaque']],
    ['hadolint --ignore DL3006 -c h.yaml Dockerfile', ['read h.yaml', 'read Dockerfile']],
    ['pyflakes3 a.py', ['read a.py/**']],
    ['pycodestyle --max-line-length=100 a.py', ['read a.py/**']],
    ['pycodestyle --config=/x a.py', ['opaque']],
    ['pycodestyle --filename=*.env .', ['opaque']],
    ['flake8 --select E,F', ['read ./**']],
    ['flake8 --output-file x a.py', ['opaque']],
    ['flake8 --append-config x a.py', ['opaque']],
    ['yamllint -s a.yaml', ['read a.yaml/**']],
    ['yamllint -d relaxed a.yaml', ['opaque']],
    ['yamllint -c x a.yaml', ['opaque']],
    ['gofmt -s -w a.go', ['read a.go/**', 'write a.go/**']],
    ['gofmt -cpuprofile x -l a.go', ['write x by argument', 'read a.go/**']],
    ['csvcut -c 1,3 a.csv', ['read a.csv']],
    ['csvlook --max-rows 5 a.csv', ['read a.csv']],
    ['csvgrep -c 1 -f b a.csv', ['read b', 'read a.csv']],
    ['csvcut -f b a.csv', ['opaque']],
    ['csvcut --delim , a.csv', ['opaque']],
    ['csvstat a.csv b.csv', ['opaque']],
    ['csvjson -i 2 --stream a.csv', ['read a.csv']],
    ['csvjoin -c id --left a.csv b.csv', ['read a.csv', 'read b.csv']],
    ['csvstack -n a.csv b.csv', ['read b.csv']],
    ['csvformat -T a.csv', ['read a.csv']],
    ['in2csv -f fixed -s s.csv a', ['read s.csv', 'read a']],
    ['in2csv --write-sheets - a.xls', ['opaque', 'read a.xls']],
    ['sh -n a.sh', ['read a.sh']],
    ['dash -n a.sh', ['read a.sh']],
    ['sh -n -c ls', ['code sh ls']],
    ['sh -n', ['code sh ? from input']],
    ['eslint .', ['read .', 'opaque']],
    ['prettier --check .', ['read .', 'opaque']],
    ['prettier .', ['read ./**', 'opaque']],
    ['python3 -m json.tool --indent 2 a.json b.json', ['opaque', 'read a.json', 'write b.json']],
    ['python3 -m json.tool --sort a.json', ['opaque']],
    ['python3 -m json.tools a.json', ['opaque']],
    ['python3 -m http.server --help', ['opaque']],
  ])('does what is described: %s', (line, effects) => {
    expect([...doing(line)].sort()).toStrictEqual([...effects].sort());
  });
});

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'checkers-')));
  for (const name of ['a.sh', 'a.go', 'in/b.go', 'in/a.sh', 'in/a.py', '.env', 'a.json']) put(name);
});
afterEach(() => rmSync(home, { recursive: true }));

function put(name: string, content = ''): void {
  const path = join(home, 'project', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

async function described(command: string): Promise<readonly Capability[]> {
  const [tool] = shellAt(join(home, 'project'), { home, guarded: [] }).tools;
  const context = { chain: ['main'] as const, signal: new AbortController().signal };
  return (await tool?.describe({ command }, context))?.capabilities ?? [];
}

const isOpaque = async (line: string) =>
  (await described(line)).some(({ name }) => name === 'proc.exec.opaque');

describe('settings of checkers', () => {
  it.each([
    ['shellcheck a.sh', '.shellcheckrc', 'external-sources=true', 'disable=SC1091'],
    ['shellcheck in/a.sh', 'in/.shellcheckrc', 'external-sources=true', 'disable=SC1091'],
    ['shellcheck in/*.sh', 'in/shellcheckrc', 'external-sources=true', ''],
    ['flake8 in', 'setup.cfg', '[flake8:LOCAL-PLUGINS]', '[flake8]\nselect = E'],
    ['flake8 in', '.flake8', '[flake8]\noutput_file = .git/config', '[flake8]\nmax-line-length = 100'],
    ['flake8 in', 'tox.ini', '[flake8]\nfilename = *.env', '[tox]'],
    ['colordiff a.sh a.go', '../.colordiffrc', 'diff_cmd=./in/a.sh', 'plain=off'],
    ['ast-grep run -p x in', 'sgconfig.yml', 'customLanguages: {}', 'ruleDirs: [in]'],
    ['ast-grep -p x', '../sgconfig.yaml', '"custom\\u004canguages": {}', 'ruleDirs: [in]'],
    ['tokei', 'tokei.toml', 'hidden = true', 'columns = 80'],
    ['tokei in', '../.tokeirc', 'no_ignore_vcs = true', 'columns = 80'],
    ['pycodestyle in', 'in/setup.cfg', '[pycodestyle]\nfilename = *', '[metadata]\nname = a'],
  ])('make `%s` opaque: %s', async (line, file, harmful, harmless) => {
    expect(await isOpaque(line)).toBe(false);
    put(file, harmless);
    expect(await isOpaque(line)).toBe(false);
    put(file, harmful);
    expect(await isOpaque(line)).toBe(true);
    put(file, harmless);
    expect(await isOpaque(`echo x > ${file}; ${line}`)).toBe(true);
  });

  it('are found beside the file that a link leads to, and beside any file if the name is unknown', async () => {
    put('other/.shellcheckrc', 'external-sources=true');
    put('other/c.sh');
    symlinkSync('../other/c.sh', join(home, 'project/in/link.sh'));
    expect(await isOpaque('shellcheck in/link.sh')).toBe(true);
    expect(await isOpaque('shellcheck "./$(cat a.json)"')).toBe(true);
  });

  it.each(['.yamllint', '.yamllint.yml', 'in/.yamllint.yaml'])('of yamllint may be any: %s', async (file) => {
    expect(await isOpaque('yamllint in')).toBe(false);
    put(file, 'extends: default');
    expect(await isOpaque('yamllint in')).toBe(true);
  });
});

describe('a module of Python', () => {
  const line = 'python3 -m json.tool a.json';
  it.each(['re.py', 'json.pyc', 'json.so', 'json/__init__.py', 'argparse/__init__.pyc'])(
    'may be a file in the folder: %s',
    async (file) => {
      expect(await isOpaque(line)).toBe(false);
      put(`in/${file}`);
      expect(await isOpaque(`cd in && python3 -m json.tool ../a.json`)).toBe(true);
      expect(await isOpaque(`mkdir -p json argparse; touch ${file}; ${line}`)).toBe(true);
      expect(await isOpaque(`tar xf x.tar; ${line}`)).toBe(true);
      put(file);
      expect(await isOpaque(line)).toBe(true);
    },
  );

  it('may be in a folder that a link leads to', async () => {
    put('lib/x/__init__.py');
    expect(await isOpaque(line)).toBe(false);
    symlinkSync('lib/x', join(home, 'project/json'));
    expect(await isOpaque(line)).toBe(true);
  });
});

describe('files with some suffixes below a folder', () => {
  const paths = async (line: string, name: string) =>
    (await described(line)).filter((each) => each.name === name).map(({ path }) => path);
  const at = (...names: readonly string[]) => ({ paths: names.map((name) => join(home, 'project', name)) });

  it('are all that is read or written', async () => {
    expect(await paths('gofmt -w .', 'fs.read')).toEqual([join(home, 'project'), at('a.go', 'in/b.go')]);
    expect(await paths('gofmt -w .', 'fs.write')).toEqual([join(home, 'project'), at('a.go', 'in/b.go')]);
    expect(await paths('gofmt -w .', 'secret.read')).toEqual([]);
    expect(await paths('flake8', 'fs.read')).toEqual([join(home, 'project'), join(home, 'project/in/a.py')]);
    expect(await paths('gofmt -l .env', 'secret.read')).toEqual([join(home, 'project/.env')]);
  });

  it('count as unknown if one is a link', async () => {
    symlinkSync('../.env', join(home, 'project/in/c.md'));
    expect(await paths('gofmt -l .', 'fs.read.outside')).toEqual([]);
    symlinkSync('../.env', join(home, 'project/in/c.go'));
    expect(await paths('gofmt -w .', 'fs.read.outside')).toEqual([{ paths: [], open: true }]);
    expect(await paths('gofmt -w .', 'fs.write.outside')).toEqual([{ paths: [], open: true }]);
  });

  it('are followed by later commands of the line', async () => {
    expect(await paths('echo x > in/new.go; gofmt -w .', 'fs.write')).toContainEqual(
      at('a.go', 'in/b.go', 'in/new.go'),
    );
  });
});
