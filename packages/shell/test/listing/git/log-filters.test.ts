import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { firstSeed, isDeep, tries } from '../../../../../test/depth.js';
import { linesIn } from '../../../src/outputs.js';
import { Random } from '../../deep/random.js';
import { emptyFolder } from '../context.js';
import { commit, describeGit, git, repositoryOf } from './repository.js';

const people = ['A Person <a@example.com>', 'Bob <bob@example.com>', 'Zoë <zoe@example.com>'];
const messages = ['fix: the cart', 'feat: a cart', 'Fix it\n\nThe cart was lost', 'docs', 'feature [x] (y)'];
const files = ['a.ts', 'b.ts', 'src/c.ts', 'one.pem', 'two.pem', 'three.pem'];
const contents = [
  'token\n',
  'token token\n',
  'x\n',
  'Token\ny\n',
  `${'long line\n'.repeat(9)}token\n`,
  'tökén\n',
];

/** A history with branches, merges, equal dates and wrong clocks. */
function drawn(random: Random): string {
  const folder = emptyFolder();
  git(folder, 'init', '-q', '-b', 'main');
  const lines: string[] = [];
  const count = 4 + random.below(12);
  let time = 1_000_000_000;
  for (let mark = 1; mark <= count; mark += 1) {
    time += random.pick([0, 1, 86_400, 86_400 * 40, -100]);
    const person = `${random.pick(people)} ${time} +0000`;
    const message = `${random.pick(messages)}\n`;
    const first = mark === 1 ? null : random.chance(0.7) ? mark - 1 : 1 + random.below(mark - 1);
    lines.push('commit refs/heads/main', `mark :${mark}`, `author ${random.pick(people)} ${time} +0000`);
    lines.push(`committer ${person}`, `data ${Buffer.byteLength(message)}`, message);
    if (first !== null) lines.push(`from :${first}`);
    const other = first === null ? null : 1 + random.below(mark - 1);
    if (other !== null && other !== first && random.chance(0.3)) lines.push(`merge :${other}`);
    for (let change = random.below(3); change >= 0; change -= 1) {
      const text = random.pick(contents);
      const path = random.pick(files);
      if (random.chance(0.25)) lines.push(`D ${path}`);
      else lines.push(`M 100644 inline ${path}`, `data ${Buffer.byteLength(text)}`, text);
    }
  }
  for (const name of ['heads/topic', 'heads/fix/one', 'tags/v1', 'remotes/origin/main'])
    if (random.chance(0.7)) lines.push(`reset refs/${name}`, `from :${1 + random.below(count)}`, '');
  execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: folder, input: `${lines.join('\n')}\n` });
  return folder;
}

const options = [
  ['', '-1', '-2', '-n 3', '-2 --skip=1', '--reverse -2', '--graph -1', '--first-parent -2', '--date-order'],
  [
    '',
    '',
    '--author=Person',
    '--author=^Bob',
    '--author=person -i',
    '--committer=Zo',
    '--author=A --grep=cart',
  ],
  ['', '', '--grep=cart', '--grep=^fix', '--grep=fix -i', '--grep=fix --grep=docs', '--grep=fix\\|docs'],
  [
    '',
    '',
    '--grep=a|c -E',
    '--grep=[x] -F',
    '--merges',
    '--no-merges',
    '--since=2001-12-01',
    '--until=2002-01-20',
  ],
  [
    '',
    '',
    '-S token',
    '-Stoken -i',
    '-G t.k',
    '-S long --pickaxe-regex',
    '--since=2.weeks',
    '--before=yesterday',
  ],
  ['', '', '', '-M', '-C', '-m', '--cc', '-c', '--pickaxe-all', '-B'],
  ['', '', '', '-- a.ts one.pem', 'main~2', 'main~3..', '-- src two.pem'],
];

const starts = [
  [
    '',
    'main',
    'main~1',
    '--all',
    '--all',
    '--branches',
    '--tags',
    '--remotes',
    '--branches=fix --branches=t*',
  ],
  [
    '',
    '',
    '',
    'main~2',
    'main~1 main~3',
    '--not',
    '--not main~2',
    '--not --remotes',
    '^main~3',
    '--not --branches=fix/*',
  ],
  ['-1', '-1', '-2', '-2', '-3', '-2 --skip=1', '--reverse -2', '--first-parent -2', ''],
  ['', '--graph', '--topo-order', '--date-order', '--graph --date-order', '--author-date-order'],
  [
    '',
    '',
    '',
    '--author=Bob',
    '--no-merges',
    '--since=2001-12-01',
    '--since=1990-01-01',
    '--until=2002-01-20',
  ],
  ['', '-m', '-m', '-W --minimal', '--left-right', '--cherry-pick', '--boundary', '--simplify-by-decoration'],
];

describe('a commit that a revision names by its message or upstream', () => {
  const folder = repositoryOf({ 'a.ts': 'a\n' });
  commit(folder, { 'one.pem': 'x\n' });
  const upstream = git(folder, 'rev-parse', 'HEAD').trim();
  commit(folder, { 'b.ts': 'x\n' });
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'Plain one');
  commit(folder, { 'b.ts': 'y\n' });
  const says = (line: string) => secretsOf(folder, line).join();
  it.each([
    ['show :/Plain', ''],
    ['show :/change~2', 'one.pem'],
    ['show HEAD^{/Plain}', ''],
    ['show HEAD^{/Plain}~2', 'one.pem'],
    ['show HEAD^{/Pl.*n}', 'one.pem'],
    ['show main@{0}:a.ts', ''],
    ['show HEAD@{3}:one.pem', 'one.pem'],
    ['show @{u}', ''],
    ['diff main@{push}..', ''],
  ])('says of `git %s`: %s', (line, names) => expect(says(line)).toBe(names));

  it('is that of the remote with its usual settings', () => {
    git(folder, 'update-ref', 'refs/remotes/origin/main', upstream);
    git(folder, 'remote', 'add', 'origin', '.');
    git(folder, 'config', 'branch.main.remote', 'origin');
    git(folder, 'config', 'branch.main.merge', 'refs/heads/main');
    expect(git(folder, 'rev-parse', '@{u}').trim()).toBe(upstream);
    expect(says('show @{u}')).toBe('one.pem');
    expect(says('log -p @{u}..')).toBe('');
    git(folder, 'config', 'push.default', 'current');
    expect(says('log -p @{push}..')).toBe('one.pem');
  });
});

describe('commits that a log chooses', () => {
  it.each([
    ['with filters', options, 0.3],
    ['from several starts, in several orders', starts, 0.45],
  ])('are those of git in drawn histories, %s', (_, choices, least) => {
    let exact = 0;
    let all = 0;
    for (let index = 0; index < tries(30); index += 1) {
      const random = new Random(firstSeed, index);
      const folder = drawn(random);
      for (let line = 0; line < 12; line += 1) {
        const command = `log -p ${choices.map((each) => random.pick(each)).join(' ')}`;
        const real = shownByGit(folder, command);
        const told = secretsOf(folder, command);
        expect(told, `${index}: ${command}`).toEqual(expect.arrayContaining([...real]));
        all += 1;
        exact += told.length === real.length ? 1 : 0;
      }
    }
    // A few lines may all be of the kinds that are not known.
    expect(exact / all).toBeGreaterThan(isDeep ? least : 0);
  });

  it('begin with the one of several that has the newest date, even if another one leads to it', () => {
    const folder = emptyFolder();
    git(folder, 'init', '-q', '-b', 'main');
    const input = [300, 900, 500].flatMap((time, at) => [
      'commit refs/heads/main',
      `mark :${at + 1}`,
      `committer A <a@example.com> ${time} +0000`,
      'data 0',
      ...(at === 0 ? [] : [`from :${at}`]),
      `M 100644 inline ${files[2 + at]}`,
      'data 2',
      'x\n',
    ]);
    execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: input.join('\n') });
    for (const [command, shows] of [
      ['log -p -1 main main~1', ['one.pem']],
      ['log -p -1 main~1 main', ['one.pem']],
      ['log -p -1 --date-order main main~1', ['two.pem']],
      ['log -p -1 main', ['two.pem']],
    ] as const) {
      expect(shownByGit(folder, command), command).toEqual(shows);
      expect(secretsOf(folder, command), command).toEqual(shows);
    }
  });

  it('are those whose ids it prints', () => {
    for (let index = 0; index < tries(30); index += 1) {
      const random = new Random(firstSeed + 1, index);
      const folder = drawn(random);
      for (let line = 0; line < 8; line += 1) {
        const start = random.pick([
          'rev-list HEAD',
          'log --format=%H',
          'log --format=%H main~1',
          'rev-list main~1',
          'log --format=%h',
          'rev-list --all',
        ]);
        const more = [1, 2, 3].map((at) =>
          random.pick(options[at]?.filter((each) => !each.includes('--graph')) ?? []),
        );
        const path = random.pick([
          '',
          '-- a.ts',
          '-- src',
          '-- one.pem b.ts',
          '-- gone',
          '--first-parent -- a.ts',
        ]);
        const command = `${start} ${random.pick(['-1', '-1', '-2', '-3 main~1'])} ${random.pick(more)} ${path}`;
        const described = describeGit(folder, command);
        const output = typeof described === 'string' ? described : described.output;
        if (output instanceof Object && output.kind === 'text')
          expect(output.text, `${index}: ${command}`).toBe(gitOrNothing(folder, command));
        if (output instanceof Object && output.kind === 'words' && output.ids !== undefined)
          for (const id of linesIn(gitOrNothing(folder, command)))
            expect(
              output.ids.some((each) => each.startsWith(id)),
              `${index}: ${command}`,
            ).toBe(true);
      }
    }
  });
});

function gitOrNothing(folder: string, command: string): string {
  try {
    return git(folder, ...command.split(' ').filter((word) => word !== ''));
  } catch {
    return '';
  }
}

/** The secrets whose changes git shows. */
function shownByGit(folder: string, command: string): readonly string[] {
  const found = gitOrNothing(folder, command).matchAll(/^[ |*\\/]*diff --git a\/(\S+) b\/(\S+)$/gm);
  const names = [...found].flatMap(([, before = '', after = '']) => [before, after]);
  return [...new Set(names)].filter((name) => name.endsWith('.pem'));
}

function secretsOf(folder: string, command: string): readonly string[] {
  const described = describeGit(folder, command);
  if (typeof described === 'string') throw new Error(described);
  const paths = described.effects.flatMap((effect) => {
    if (effect.kind !== 'capability' || effect.capability.name !== 'secret.read') return [];
    const { path, secret } = effect.capability as { path?: string | { paths: string[] }; secret?: string };
    if (secret !== undefined) return files;
    return typeof path === 'string' ? [path] : (path?.paths ?? []);
  });
  return paths.map((path) => path.replace(`${folder}/`, ''));
}
