import { describe, expect, it } from 'vitest';
import { programs } from '../../../src/programs/entry/table.js';
import { text } from '../../../src/word.js';
import { perform } from '../../perform.js';
import { project } from '../../read/world.js';
import { contextAt } from '../context.js';
import { commit, describeGit, git, repositoryOf } from './repository.js';

function made(): string {
  const folder = repositoryOf({ 'a.ts': 'a\n' });
  commit(folder, { 'b.ts': 'b\n' });
  git(folder, 'branch', 'side');
  git(folder, 'branch', 'other/one', 'HEAD~1');
  git(folder, 'tag', 'v1');
  return folder;
}

const folder = made();
const outputOf = (command: string, at = folder) => {
  const described = describeGit(at, command);
  return typeof described === 'string' ? described : described.output;
};
const printed = (command: string, at = folder) =>
  git(at, ...command.split(' '))
    .split('\n')
    .filter((line) => line !== '');

/** A merge of two branches that stopped at a conflict. */
function stopped(): string {
  const other = repositoryOf({ 'src/a.ts': 'a\n', 'b.ts': 'b\n' });
  git(other, 'branch', 'side');
  commit(other, { 'src/a.ts': 'ours\n' });
  git(other, 'checkout', '-q', 'side');
  commit(other, { 'src/a.ts': 'theirs\n' });
  expect(() => git(other, 'merge', 'main')).toThrow();
  return other;
}

describe('the columns of what git prints', () => {
  it('are a mode, an id, a stage and a name in `git ls-files --stage`', () => {
    const other = stopped();
    for (const [command, names] of [
      ['ls-files -s', ['b.ts', 'src/a.ts']],
      ['ls-files --stage src', ['src/a.ts']],
      ['ls-files -u', ['src/a.ts']],
    ] as const) {
      const output = outputOf(command, other);
      const columns = ['number', 'text', 'number'];
      expect(output).toMatchObject({ columns, rest: { open: false }, separator: null, isTabbed: true });
      const rest = typeof output !== 'string' && output.kind === 'table' ? output.rest?.texts : [];
      expect([...new Set(rest)].sort()).toEqual(names);
      for (const line of printed(command, other))
        expect(line).toMatch(new RegExp(`^\\d{6} [0-9a-f]{40} [0-3]\\t(?:${names.join('|')})$`));
    }
    expect(outputOf('ls-files -u')).toEqual({ kind: 'text', text: '' });
    for (const command of ['ls-files -s -z', 'ls-files -u -t', 'ls-files -s --abbrev=4'])
      expect(outputOf(command, other), command).toMatchObject({ kind: 'unknown' });
  });

  it('are a mode, a kind, an id and a name in `git ls-tree`', () => {
    for (const command of ['ls-tree HEAD', 'ls-tree -r HEAD b.ts', 'ls-tree --abbrev=5 HEAD~1']) {
      const output = outputOf(command);
      expect(output).toMatchObject({ columns: ['number', 'text', 'text'], separator: null, isTabbed: true });
      const names = typeof output !== 'string' && output.kind === 'table' ? (output.rest?.texts ?? []) : [];
      expect(printed(command).map((line) => line.replace(/^\d{6} blob [0-9a-f]+\t/, ''))).toEqual(names);
    }
    for (const command of ['ls-tree -l HEAD', 'ls-tree -z HEAD', 'ls-tree HEAD b.ts', 'ls-tree nothing'])
      expect(outputOf(command), command).toMatchObject({ kind: 'unknown' });
  });

  it('has a name behind the only tab of a line', async () => {
    const { root, says } = project({ 'a.ts': 'a', '.env': 'a=1' });
    git(root, 'init', '-q');
    git(root, 'add', 'a.ts');
    for (const cut of ['cut -f2', 'cut -f 2-', "awk '{print $4}'"])
      expect(await says(`git ls-files -s | ${cut} | xargs wc`)).toContain('fs.read a.ts (wc)');
    expect(await says('git ls-files -s | cut -f1 | xargs wc')).toContain('secret.read and others (wc)');
    expect(await says('git ls-files -u | cut -f2 | xargs wc')).not.toContainEqual(
      expect.stringMatching(/wc/),
    );
  });

  it.each([
    'log --oneline',
    'log --oneline --decorate -2',
    'log --format=%h|%an|%s',
    'log --pretty=format:%H,%s -2 -- a.ts',
    'log --format=%h:%d --all',
    'reflog',
    'reflog -1',
    'reflog --format=%h|%gs',
  ])('begin with the id of a commit in `git %s`', (command) => {
    const output = outputOf(command);
    if (typeof output === 'string' || output.kind !== 'table') throw new Error(JSON.stringify(output));
    expect(output.columns).toEqual(['id']);
    const lines = printed(command).map((line) => line.split(output.separator ?? ' '));
    expect(lines.filter(([id = '']) => !/^[0-9a-f]{4,40}$/.test(id))).toEqual([]);
    expect(lines).not.toEqual([]);
  });

  it.each([
    'log --oneline --graph',
    'log --oneline -p',
    'log --oneline --stat',
    'log --format=%h|%b',
    'log --format=%h|%B',
    'log --format=%h%n%s',
    'log --format=%h|%N',
    'log --format=%h|%S',
    'log --format=%Cred%h|%s',
    'log --format=%s|%h',
    'log --format=x%h|%s',
    'log --format=%h|%w(9)%s',
    'log --format=%h --format=%s',
    'log',
    'log --date=format:%n--output=F --format=%h|%ad',
    'log --date=format:%5n --format=%h|%cd',
    'log --date=auto:format:%n --format=%h|%ad',
    'log --date=$d --format=%h|%ad',
    'reflog --date=format:%n',
    'branch --format=%(refname:short)|%0a.env',
    'branch --format=%(refname:short)|%(contents)',
    'branch --format=%(refname:short)|%(authordate:format:%n)',
    'for-each-ref --format=%(objectname)|%(trailers) refs/heads',
    '-c log.date=format:%n log --format=%h|%ad',
    '-c log.date=format:%n reflog',
    '-c color.ui=always log --oneline',
    '-c column.ui=always branch --format=%(refname:short)',
    '-c diff.renames=copies diff --name-status HEAD~1',
  ])('are unknown in `git %s`', (command) => {
    expect(outputOf(command)).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['log.date', 'format:%n', 'reflog'],
    ['log.date', 'format:%n', 'log --format=%h|%ad'],
    ['i18n.logOutputEncoding', 'UTF-16', 'log --format=%h|%s'],
    ['i18n.commitEncoding', 'UTF-7', 'log --oneline'],
  ])('are unknown where `%s` is `%s` in `git %s`', (key, value, command) => {
    const own = repositoryOf({ 'a.ts': 'a\n' });
    git(own, 'config', key, value);
    expect(outputOf(command, own)).toMatchObject({ kind: 'unknown' });
  });

  it.each(['-c core.quotePath=false diff --name-only HEAD~1', '-c color.ui=never ls-files'])(
    'leave the names known that settings on the line do not change: `git %s`',
    (command) => expect(outputOf(command)).toMatchObject({ kind: 'names' }),
  );

  it('are names and ids where a format says so', () => {
    const output = outputOf(
      'for-each-ref --sort=-committerdate --format=%(refname:short)|%(objectname:short) refs/heads',
    );
    const names = { texts: ['main', 'other/one', 'side'], open: false, under: null };
    if (typeof output === 'string' || output.kind !== 'table') throw new Error(JSON.stringify(output));
    expect(output.columns.map((each) => (typeof each === 'object' ? [...each.texts].sort() : each))).toEqual([
      names.texts,
      'id',
    ]);
    expect(outputOf('for-each-ref --format=%(constructor)|x refs/heads')).toMatchObject({ kind: 'unknown' });
    expect(outputOf('for-each-ref --format=%(contents)|%(refname:short) refs/heads')).toMatchObject({
      kind: 'unknown',
    });
  });

  it('holds the lines of `git branch`', () => {
    for (const command of ['branch', 'branch --merged', 'branch --sort=-committerdate']) {
      const output = outputOf(command);
      if (typeof output === 'string' || output.kind !== 'names') throw new Error(JSON.stringify(output));
      expect(output.names.texts).toEqual(expect.arrayContaining(printed(command)));
    }
    for (const command of ['branch -a', 'branch -v', 'branch -r', 'branch --column'])
      expect(outputOf(command)).toMatchObject({ kind: 'unknown' });
  });

  it('knows no lines of `git branch` without a current branch, or with a colour', () => {
    const other = made();
    git(other, 'config', 'color.branch', 'always');
    expect(outputOf('branch', other)).toMatchObject({ kind: 'unknown' });
    git(other, 'config', '--unset', 'color.branch');
    expect(outputOf('branch', other)).toMatchObject({ kind: 'names' });
    git(other, 'checkout', '-q', '--detach');
    expect(outputOf('branch', other)).toMatchObject({ kind: 'unknown' });
  });

  it('knows no lines of `git branch` where one branch is another name of one', () => {
    const other = made();
    git(other, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    expect(printed('branch', other)).toContain('  alias -> main');
    expect(outputOf('branch', other)).toMatchObject({ kind: 'unknown' });
  });

  it('skips no text that may be empty', () => {
    const format = '%(authordate:short) %(refname:short) %(objectname)';
    expect(outputOf(`for-each-ref --format=${format.replaceAll(' ', '|')} refs/heads`)).toMatchObject({
      columns: ['text', { open: false }, 'id'],
    });
    expect(describeGit(folder, ['for-each-ref', `--format=${format}`, 'refs/heads'].map(text))).toMatchObject(
      {
        output: { kind: 'unknown' },
      },
    );
    expect(describeGit(folder, ['log', '--format=%aI %h %s'].map(text))).toMatchObject({
      output: { kind: 'unknown' },
    });
  });

  it.each(['color.ui', 'color.diff'])('knows no ids where %s puts colours around them', (name) => {
    const other = made();
    git(other, 'config', name, 'auto');
    expect(outputOf('log --oneline', other)).toMatchObject({ columns: ['id'] });
    git(other, 'config', name, 'always');
    expect(printed('log --oneline', other)[0]?.startsWith('\u001b')).toBe(true);
    for (const command of ['log --oneline', 'reflog'])
      expect(outputOf(command, other)).toMatchObject({ kind: 'unknown' });
  });

  it('are unknown in `git grep` where a setting changes how it prints names', () => {
    for (const [name, value] of [
      ['color.ui', 'always'],
      ['color.grep', 'always'],
      ['grep.fullName', 'true'],
    ] as const) {
      const other = made();
      expect(outputOf('grep -n a', other)).toMatchObject({ kind: 'table' });
      git(other, 'config', name, value);
      for (const command of ['grep -n a', 'grep -l a'])
        expect(outputOf(command, other)).toMatchObject({ kind: 'unknown' });
    }
  });

  it('name a binary file in the line that `git grep` prints for it', () => {
    const other = repositoryOf({ 'a.ts': 'a\n', bin: 'a\n\0\n' });
    const lines = printed('grep -n a', other).map((line) => line.replace(/:.*/, ''));
    expect(lines).toEqual(['a.ts', 'Binary file bin matches']);
    for (const command of ['grep -n a', 'grep a', 'grep -c a']) {
      const output = outputOf(command, other);
      if (typeof output === 'string' || output.kind !== 'table') throw new Error(JSON.stringify(output));
      const [names] = output.columns;
      expect(names).toMatchObject({ texts: expect.arrayContaining(lines) });
    }
    expect(outputOf('grep -nI a', other)).toMatchObject({ columns: [{ texts: ['a.ts', 'bin'] }, 'number'] });
  });
});

describe('what git prints', () => {
  it.each([
    'status -s',
    'diff --name-only HEAD',
    'diff --name-status HEAD~1 HEAD',
    'log --name-only --format=',
    'show --name-status --format=',
    'diff-tree -r --name-only HEAD~1 HEAD',
    'branch',
    'branch --show-current',
    'for-each-ref --format=%(refname:short) refs/heads',
    'tag',
    'describe --tags --abbrev=0',
    'merge-base HEAD side',
    'rev-parse HEAD',
  ])('is not looked up where nothing reads it: `git %s`', (command) => {
    const words = command.split(' ').map(text);
    const [read, unread] = [true, false].map((isRead) =>
      perform(programs)('git', words, { ...contextAt(folder), isRead }),
    );
    expect(read?.output.kind).not.toBe('unknown');
    expect(unread).toEqual({ ...read, output: { kind: 'unknown' } });
  });
});

describe('what git prints in a line', () => {
  const { root, says } = project();
  git(root, 'init', '-q');
  commit(root, { 'a.ts': 'a\n', '.env': 'a=1\n' });
  commit(root, { 'b.ts': 'b\n' });
  const names = 'git diff --name-only HEAD~1 HEAD';

  it.each([
    `${names} | xargs cat`,
    `cat $(${names})`,
    `cat \`${names}\``,
    `x=$(${names}); cat $x`,
    `while read -r f; do cat "$f"; done < <(${names})`,
    `mapfile -t x < <(${names}); cat "\${x[@]}"`,
    `xargs cat < <(${names})`,
    `f() { ${names}; }; f | xargs cat`,
    `{ cd . && ${names}; } | xargs cat`,
    `find . -name a.ts -exec ${names} \\; | xargs cat`,
    `for f in $(if [ -f a.ts ]; then ${names}; fi); do cat "$f"; done`,
  ])('is known where something reads it: %s', async (line) => {
    expect((await says(line)).filter((each) => each.endsWith('(cat)'))).toEqual(['fs.read b.ts (cat)']);
  });

  it.each([
    ['ids=$(git log --format=%h)', 'git show $ids:a.ts'],
    ['ids=$(git log --format=%h); for i in "$ids"', 'do git show $i:a.ts; done'],
    ['ids=$(git log --format=%h); set -- "$ids:a.ts"', 'git show $1'],
  ])('are several commits with a file behind the last one: %s; %s', async (before, line) => {
    expect(await says(`${before}; ${line}`)).toContainEqual(expect.stringMatching(/^proc\.exec\.opaque/));
  });

  it.each([
    'id=$(git rev-list HEAD | tail -1); git show $id:a.ts',
    'id=$(git log --oneline | head -1 | cut -d" " -f1); git show $id:a.ts',
    'id=$(git log -1 --format=%h -- a.ts); git show $id:a.ts',
    'git log --format=%h | while read -r id; do git show $id:a.ts; done',
    'for id in $(git log --format=%h); do git show $id:a.ts; done',
  ])('is one commit with its file: %s', async (line) => {
    expect([...new Set(await says(line))]).toEqual(['vcs.read a.ts (git)']);
  });
});
