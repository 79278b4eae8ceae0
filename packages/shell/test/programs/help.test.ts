import { remembered } from '@ambit/core';
import { afterAll, describe, expect, test } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { programs } from '../../src/programs/entry/table.js';
import { type Program, programOf } from '../../src/programs/program.js';
import { repositoryOf } from '../listing/git/repository.js';
import { started } from '../starter.js';

const gitCommands = [
  'log',
  'show',
  'status',
  'blame',
  'grep',
  'ls-files',
  'ls-tree',
  'show-ref',
  'for-each-ref',
  'merge-base',
  'name-rev',
  'describe',
  'cherry',
  'show-branch',
  'check-ignore',
  'check-attr',
  'count-objects',
  'hash-object',
  'fsck',
  'add',
  'commit',
  'restore',
  'branch',
  'tag',
  'checkout',
  'switch',
  'reset',
  'merge',
  'rebase',
  'cherry-pick',
  'revert',
  'clean',
  'rm',
  'mv',
  'apply',
  'init',
  'config',
  'clone',
  'fetch',
  'pull',
  'push',
  'ls-remote',
  'gc',
  'archive',
  'diff',
  'diff-files',
  'diff-index',
  'format-patch',
  'rev-list',
  'rev-parse',
  'shortlog',
  'cat-file',
];
const opensslCommands = [
  'rand',
  'dgst',
  'enc',
  'x509',
  'req',
  'genrsa',
  'genpkey',
  'pkey',
  'asn1parse',
  'crl',
  'verify',
  'pkcs12',
  's_client',
  'passwd',
  'version',
  'ciphers',
  'prime',
];
const userPrograms = [
  'useradd',
  'usermod',
  'userdel',
  'groupadd',
  'groupmod',
  'groupdel',
  'gpasswd',
  'passwd',
  'chage',
  'chsh',
];
const others = [
  'wget',
  'node',
  'psql',
  'pg_dump',
  'make',
  'systemctl',
  'journalctl',
  'dpkg-query',
  'bash',
  'netstat',
  'ss',
  'pkg-config',
  'tokei',
  'difft',
  'hexyl',
  'hyperfine',
];

/** Manuals of the options that `git log` and related commands share. */
const shared = ['git-log', 'git-diff', 'git-rev-list'].map((page) => `man ${page}`);
const walking = new Set(['log', 'show', 'format-patch', 'rev-list', 'shortlog']);

/** Entries, and the commands that print all their long options. */
const helps: readonly (readonly [entry: string, ...commands: readonly string[]])[] = [
  ['curl', 'curl --help all'],
  ['python', 'python3 --help'],
  ['ast-grep', 'ast-grep run --help'],
  ['pip install', 'pip install --help'],
  ...[...others, ...userPrograms].map((name) => [name, `${name} --help`] as const),
  ...opensslCommands.map((name) => [`openssl ${name}`, `openssl ${name} -help`] as const),
  ...gitCommands.map(
    (name) =>
      [
        `git ${name}`,
        `git ${name} -h`,
        `git ${name} --git-completion-helper-all`,
        `man git-${name}`,
        ...(walking.has(name) ? shared : []),
      ] as const,
  ),
];

/** Options that the manual lists and the help does not. */
const inManual: Readonly<Record<string, string>> = {
  wget: '--retry-on-host-error',
  // Options of V8 are in another list.
  node: '--max-old-space-size --stack-trace-limit',
  'pip install': '--dest',
  systemctl: '--after --before',
  journalctl: '--full',
};

const folder = repositoryOf({});
const missing: Record<string, number> = {};
const absent: string[] = [];

/** What was printed: several commands share a manual. */
const printed = new Map<string, string | null>();

/** The help text of a program; null if it is not installed. */
function helpOf(command: string): string | null {
  return remembered(printed, command, () => run(command));
}

function run(command: string): string | null {
  const { status, stdout, stderr } = started(folder, 'timeout', '20', ...command.split(' '));
  return status === 127 ? null : `${stdout}\n${stderr}`;
}

function entryOf(path: string): Program {
  const [name = '', ...commands] = path.split(' ');
  let program = programOf(programs, name);
  for (const each of commands) program = program?.command(each) ?? null;
  if (program === null) throw new Error(`the table does not have \`${path}\``);
  return program;
}

/** Long options, and those with one dash where options are words. */
function optionsOf({ options, spec }: Program): readonly string[] {
  const isLong = (name: string) => name.startsWith('--') || (spec.dashed === true && name.length > 2);
  return [...options.keys()].filter(
    (name) => isLong(name) && !['--help', '--version', '-help'].includes(name),
  );
}

function saidIn(help: string): ReadonlySet<string> {
  const words = help.match(/--?(?:\[no-\])?[A-Za-z0-9][\w.-]*/g) ?? [];
  return new Set(
    words.flatMap((word) =>
      word.includes('[no-]') ? [word.replace('[no-]', ''), word.replace('[no-]', 'no-')] : [word],
    ),
  );
}

describe('options of the table', () => {
  test.each(helps)('exist in the program: %s', (path, ...commands) => {
    const claimed = optionsOf(entryOf(path));
    const known = new Set((inManual[path] ?? '').split(' '));
    const said = new Set<string>();
    const unsaid = () => claimed.filter((option) => !said.has(option) && !known.has(option));
    for (const [at, command] of commands.entries()) {
      // To print a manual takes longer than all else.
      if (at > 0 && unsaid().length === 0 && !isDeep) break;
      const text = helpOf(command);
      if (at === 0 && text === null) absent.push(path);
      for (const each of saidIn(text ?? '')) said.add(each);
    }
    if (absent.at(-1) === path) return;
    expect(unsaid()).toStrictEqual([]);
    missing[path] = [...said].filter((each) => each.startsWith('--') && !claimed.includes(each)).length;
  });

  afterAll(() => {
    const table = Object.entries(missing).map(([path, count]) => `${path} ${count}`);
    console.info(`Options of programs that make a command opaque, by their help: ${table.join(', ')}`);
    if (absent.length > 0) console.info(`${absent.length} programs are not installed: ${absent.join(', ')}`);
  });
});
