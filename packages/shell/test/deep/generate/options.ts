import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { programs as table } from '../../../src/programs/entry/table.js';
import { usualSearchPath } from '../../../src/run/search-path.js';
import type { Random } from '../random.js';
import { glob, paths, pathWord, variables } from './words.js';

interface Listed {
  /** What is written as an option in the entry, and in those that it is like. */
  readonly options: readonly string[];
  readonly commands: ReadonlyMap<string, Listed>;
  /** Whether the entry is opaque, so that there is nothing to compare. */
  readonly isOpaque: boolean;
}

const nothing: Listed = { options: [], commands: new Map(), isOpaque: false };

type Entry = Pick<Exclude<(typeof table)[string], undefined>, 'commands' | 'like' | 'opaque'>;

function listed({ commands = {}, like, ...own }: Entry): Listed {
  const above = like === undefined ? nothing : listed(table[like] ?? {});
  const below = Object.entries(commands).flatMap(([names, entry]) =>
    names.split('|').map((name) => [name, listed(entry)] as const),
  );
  return {
    options: [
      ...above.options,
      ...(JSON.stringify(own).match(/(?<=^|[\s'"|{,])--?[A-Za-z0-9][\w-]*/g) ?? []),
    ],
    commands: new Map([...above.commands, ...below.filter(([name]) => name !== '*')]),
    isOpaque: above.isOpaque || own.opaque !== undefined,
  };
}

let found: ReadonlyMap<string, Listed> | null = null;

function programs(): ReadonlyMap<string, Listed> {
  found ??= new Map(
    [...new Set([...Object.keys(table), ...usual])]
      .filter((name) => isInstalled(name) && !passedOver.has(name))
      .map((name) => [name, listed(table[name] ?? {})]),
  );
  return found;
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

/** A command of an entry, and the options that it has there. */
function commandOf(
  random: Random,
  { commands, options }: Listed,
): { readonly commands: readonly string[]; readonly own: readonly string[] } {
  if (commands.size === 0 || random.chance(0.05)) return { commands: [], own: options };
  const [name, entry] = random.pick([...commands]);
  const below = commandOf(random, entry);
  return { ...below, commands: [name, ...below.commands] };
}

/** A program of the table with some of its options and operands. */
export function optionLine(random: Random): string {
  const all = programs();
  const isRare = random.chance(0.04);
  const names = [...all.keys()].filter((name) => all.get(name)?.isOpaque === isRare).sort();
  const program =
    random.chance(0.12) && all.has('git') ? 'git' : random.pick(names.length > 0 ? names : usual);
  const { commands, own } = commandOf(random, all.get(program) ?? nothing);
  const words = random.several(0, 2, () => option(random, { own, program, command: commands[0] ?? null }));
  const operands = random.several(0, 2, () => operand(random));
  const mixed = random.chance(0.75) ? [...words, ...operands] : [...operands, ...words];
  const line = [program, ...commands, ...mixed].join(' ');
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
    [0.5, () => `${random.pick(variables)}=${pathWord(random)} ${line}`],
    [1, () => `cd ${random.pick(['src', 'docs/up', '~', '..', 'etc.link'])} && ${line}`],
  ])();
}

interface Options {
  readonly own: readonly string[];
  readonly program: string;
  readonly command: string | null;
}

function option(random: Random, { own, program, command }: Options): string {
  const from = random.weighted<() => readonly string[]>([
    [own.length === 0 ? 0 : 16, () => own],
    [2, () => helpOf(program, command)],
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
