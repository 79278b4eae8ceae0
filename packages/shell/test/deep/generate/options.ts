import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { usualSearchPath } from '../../../src/run/search-path.js';
import type { Random } from '../random.js';
import { glob, paths, pathWord } from './words.js';

/** Entries of the table, read as text: what is written as an option in the lines of each. */
const folder = new URL('../../shell/programs/', import.meta.url);

interface Listed {
  readonly options: string[];
  /** Whether the entry is opaque, so that there is nothing to compare. */
  isOpaque: boolean;
}

let table: ReadonlyMap<string, Listed> | null = null;

function programs(): ReadonlyMap<string, Listed> {
  if (table !== null) return table;
  const found = new Map<string, Listed>();
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : [];
  for (const file of files) {
    let current: Listed = { options: [], isOpaque: false };
    for (const line of readFileSync(new URL(file, folder), 'utf8').split('\n')) {
      const name = /^ {2}['"]?([\w.+[\]-]+)['"]?:/.exec(line)?.[1];
      if (name !== undefined) {
        current = { options: [], isOpaque: false };
        found.set(name, current);
      }
      if (/^ {4}opaque:/.test(line)) current.isOpaque = true;
      current.options.push(...(line.match(/(?<=^|[\s'"|{,])--?[A-Za-z0-9][\w-]*/g) ?? []));
    }
  }
  for (const name of usual) if (!found.has(name)) found.set(name, { options: [], isOpaque: false });
  table = new Map([...found].filter(([name]) => isInstalled(name) && !passedOver.has(name)));
  return table;
}

/** Programs whose options are tried even where the table is missing. */
const usual = (
  'cat ls head tail wc sort uniq cut tr grep rg find sed awk jq cp mv rm rmdir mkdir touch ln chmod stat file du tree diff ' +
  'cmp tee xargs md5sum sha256sum base64 od strings nl tac paste join comm split truncate dd install tar gzip xz zip unzip ' +
  'git curl wget env nice timeout date seq basename dirname realpath readlink rsync sqlite3 nm objdump readelf getent'
).split(' ');

/** Programs that only wait, or that end the processes of the namespace. */
const passedOver = new Set([
  'sleep',
  'yes',
  'watch',
  'kill',
  'pkill',
  'killall',
  'unshare',
  'nsenter',
  'strace',
  'top',
]);

function isInstalled(name: string): boolean {
  return usualSearchPath.some((each) => existsSync(`${each}/${name}`));
}

const helps = new Map<string, readonly string[]>();

/** The options that a program says it has. */
function helpOf(program: string, command: string | null): readonly string[] {
  const key = `${program} ${command ?? ''}`;
  const known = helps.get(key);
  if (known !== undefined) return known;
  const args = command === null ? ['--help'] : [command, '-h'];
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: '/tmp',
    env: { PATH: usualSearchPath.join(':'), HOME: '/tmp' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 1000,
    killSignal: 'SIGKILL',
    maxBuffer: 1_000_000,
    encoding: 'utf8',
  });
  const text = `${stdout}\n${stderr}`;
  const found = [...new Set(text.match(/(?<=[\s[,|(])--?[A-Za-z0-9][\w-]*/g) ?? [])].sort();
  helps.set(key, found);
  return found;
}

const invented = (
  '-o -f -i -x -e -c -n -r -R -a -l -v -q -0 -C -T -O -d -s -t -X -D -F -I -P --output --file --files-from --files0-from ' +
  '--from-file --exec --config --exclude-from --include --directory --target-directory --backup --suffix --reference ' +
  '--null --recursive --in-place --check --color --help --version --no-such-option --rcfile --init --append'
).split(' ');

const gitCommands = (
  'status diff log show add commit checkout switch restore stash branch tag ls-files ls-tree grep blame rm mv reset clean ' +
  'config rev-parse rev-list remote describe cat-file diff-tree diff-index archive apply merge rebase cherry-pick revert ' +
  'fetch pull push clone init notes reflog shortlog show-ref worktree submodule bisect gc fsck bundle format-patch am ' +
  'hash-object update-index update-ref for-each-ref count-objects name-rev merge-base symbolic-ref check-ignore mktag'
).split(' ');

/** A program of the table with some of its options and operands. */
export function optionLine(random: Random): string {
  const all = programs();
  const isRare = random.chance(0.08);
  const names = [...all.keys()].filter((name) => all.get(name)?.isOpaque === isRare).sort();
  const program =
    random.chance(0.12) && all.has('git') ? 'git' : random.pick(names.length > 0 ? names : usual);
  const command = program === 'git' && random.chance(0.95) ? random.pick(gitCommands) : null;
  const listed = all.get(program)?.options ?? [];
  const words = random.several(0, 2, () => option(random, { listed, program, command }));
  const operands = random.several(0, 2, () => operand(random));
  const mixed = random.chance(0.75) ? [...words, ...operands] : [...operands, ...words];
  const line = [program, ...(command === null ? [] : [command]), ...mixed].join(' ');
  return random.weighted<() => string>([
    [20, () => line],
    [2, () => `${line} <${pathWord(random)}`],
    [
      1,
      () =>
        `${random.pick(['ls', 'git ls-files', 'find . -type f', 'cat list.txt', 'grep -rl foo .'])} | xargs ${line}`,
    ],
    [1, () => `find ${pathWord(random)} -name '*.txt' -exec ${line} {} ${random.pick(['+', '\\;'])}`],
    [1, () => `for f in ${glob(random)}; do ${line} "$f"; done`],
    [1, () => `${random.pick(['ls', 'cat list.txt'])} | while read -r f; do ${line} "$f"; done`],
    [1, () => `cat ${pathWord(random)} | ${line}`],
    [1, () => `${line} | ${random.pick(['cat', 'head -1', 'xargs cat', 'sh', 'tee new.txt'])}`],
    [1, () => `${line} >${pathWord(random)}`],
    [1, () => `x=${pathWord(random)}; ${line} $x`],
    [1, () => `cd ${random.pick(['src', 'docs/up', '~', '..', 'etc.link'])} && ${line}`],
  ])();
}

interface Options {
  readonly listed: readonly string[];
  readonly program: string;
  readonly command: string | null;
}

function option(random: Random, { listed, program, command }: Options): string {
  const from = random.weighted<() => readonly string[]>([
    [listed.length === 0 ? 0 : program === 'git' ? 2 : 16, () => listed],
    [4, () => helpOf(program, command)],
    [0.5, () => invented],
  ])();
  const name = random.pick(from.length > 0 ? from : invented);
  const value = random.chance(0.75) ? operand(random) : random.pick(['1', 'x', 'foo', 'a=b', '', '%s']);
  return random.weighted<string>([
    [5, name],
    [3, `${name} ${value}`],
    [2, name.startsWith('--') ? `${name}=${value}` : `${name}${value}`],
    [0.1, name.slice(0, -1)],
  ]);
}

function operand(random: Random): string {
  return random.weighted<() => string>([
    [10, () => pathWord(random)],
    [2, () => glob(random)],
    [1, () => `@${random.pick(paths)}`],
    [
      1,
      () =>
        random.pick([
          'foo',
          '1',
          's/a/b/',
          'HEAD',
          'HEAD~1',
          'main',
          'a=b',
          '-',
          '--',
          'u+w',
          '.name',
          'http://example.com/x',
        ]),
    ],
    [0.5, () => random.pick(['"$x"', '$(ls)', '$(cat list.txt)', '"$(cat n.txt)"'])],
  ])();
}
