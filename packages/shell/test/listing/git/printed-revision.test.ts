import { describe, expect, it } from 'vitest';
import { project } from '../../read/world.js';
import { commit, copyOf, describeGit, git, repositoryOf, write } from './repository.js';

function made(): string {
  const folder = repositoryOf({ a: 'a\n' });
  git(folder, 'tag', 'v1');
  commit(folder, { a: 'aa\n' });
  git(folder, 'tag', '-a', 'v2', '-m', 'x');
  git(folder, 'branch', 'side');
  commit(folder, { b: 'b\n' });
  git(folder, 'checkout', '-q', 'side');
  commit(folder, { c: 'c\n' });
  git(folder, 'checkout', '-q', 'main');
  return folder;
}

const original = made();

/** What a command prints as far as it is known: a text, or one of several or nothing; null if unknown. */
function outputOf(folder: string, command: string): string | readonly string[] | null {
  const described = describeGit(folder, command);
  if (typeof described === 'string') throw new Error(described);
  const { output } = described;
  if (output.kind === 'text') return output.text;
  return output.kind === 'names' && output.isOne === true && !output.names.open ? output.names.texts : null;
}

const real = (folder: string, command: string) => {
  try {
    return git(folder, ...command.split(' '));
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
};

describe('one name or id that git prints', () => {
  it.each([
    'rev-parse HEAD',
    'rev-parse HEAD~1',
    'rev-parse v2',
    'rev-parse v2^{commit}',
    'rev-parse --verify -q side~1',
    'rev-parse --verify HEAD^{tree}',
    'rev-parse @{-1}',
    'rev-list -1 HEAD',
    'rev-list -n 1 v2',
    'rev-list -1 --no-merges HEAD',
    'rev-list -1 HEAD -- a',
    'rev-list --max-count=1 side~1',
    'log -1 --format=%H',
    'log -n1 --pretty=tformat:%H v2',
    'rev-parse --abbrev-ref HEAD',
    'rev-parse --symbolic-full-name HEAD',
    'symbolic-ref HEAD',
    'symbolic-ref --short HEAD',
    'symbolic-ref -q --short HEAD',
    'branch --show-current',
  ])('knows the output of `git %s`', (command) => {
    const folder = copyOf(original);
    expect(outputOf(folder, command)).toBe(real(folder, command));
    git(folder, 'checkout', '-q', '--detach', 'HEAD~1');
    const detached = outputOf(folder, command);
    expect(typeof detached === 'string' ? detached : detached?.join('')).toBe(real(folder, command));
  });

  it.each(['tag', 'tag --sort=-creatordate', 'tag -l v*', 'branch --format=%(refname:short)'])(
    'knows the names that `git %s` prints',
    (command) => {
      const folder = copyOf(original);
      const described = describeGit(folder, command);
      const output = typeof described === 'string' ? null : described.output;
      const names = output?.kind === 'names' && !output.names.open ? output.names.texts : [];
      expect([...names].sort()).toEqual(real(folder, command).trim().split('\n').sort());
      git(folder, 'config', 'column.ui', 'always');
      const columns = describeGit(folder, command);
      expect(typeof columns === 'string' ? columns : columns.output.kind).toBe('unknown');
    },
  );

  it.each(['tag -n', 'tag --format=%(subject)', 'branch --format=%(subject)', 'branch -a'])(
    'does not know what `git %s` prints',
    (command) => {
      const described = describeGit(original, command);
      expect(typeof described === 'string' ? described : described.output.kind).toBe('unknown');
    },
  );

  it('does not know a branch that has the name of a tag', () => {
    const folder = copyOf(original);
    git(folder, 'branch', 'v1');
    const described = describeGit(folder, 'branch --format=%(refname:short)');
    expect(typeof described === 'string' ? described : described.output.kind).toBe('unknown');
  });

  it.each([
    'log --pretty=format:%H --all --no-merges',
    'rev-list --max-count=2 HEAD',
    'rev-list -1 HEAD side',
    'rev-list -1 side..HEAD',
    'rev-list -1 HEAD^@',
    'rev-list -1 --all',
    'rev-list --reverse --all',
  ])('knows that `git %s` prints ids', (command) => {
    const folder = original;
    const described = describeGit(folder, command);
    expect(typeof described === 'string' ? described : described.output).toEqual(
      expect.objectContaining({ kind: 'words', areIds: true }),
    );
    expect(real(folder, command)).toMatch(/^(?:[0-9a-f]{4,40}\n?)+$/);
  });

  it.each([
    'log --format=%h%n-x -1',
    'log --format=%h -p -1',
    'log --format=%h --name-only -1',
    'log --oneline',
    'rev-list --boundary HEAD~1..HEAD',
    'rev-list --objects HEAD',
    'rev-list --parents HEAD',
    'rev-list --left-right HEAD...side',
    'rev-list --format=%s HEAD',
  ])('does not take the output of `git %s` for ids', (command) => {
    const described = describeGit(original, command);
    expect(typeof described === 'string' ? described : described.output).not.toEqual(
      expect.objectContaining({ kind: 'words', areIds: true }),
    );
  });

  it.each([
    'rev-parse --short HEAD',
    'rev-parse --short=12 HEAD~1',
    'rev-parse --short --verify HEAD',
    'log -1 --format=%h HEAD~1',
    'merge-base HEAD side',
    'merge-base v1 v2',
    'describe --tags --abbrev=0',
    'describe --abbrev=0',
    'describe --tags --abbrev=0 HEAD~1',
    'describe --tags --exact-match v1',
  ])('knows one of several for `git %s`', (command) => {
    const folder = original;
    expect(outputOf(folder, command)).toContain(real(folder, command).trim());
  });

  it('knows how long a shortened id may be, unless a setting says it', () => {
    const folder = copyOf(original);
    const lengths = () =>
      [outputOf(folder, 'rev-parse --short HEAD') ?? []].flat().map(({ length }) => length);
    expect(lengths()).toEqual([7, 8, 9, 10, 11, 12, 13, 14]);
    git(folder, 'config', 'core.abbrev', '4');
    expect(lengths()).toHaveLength(37);
  });

  it.each([
    'rev-parse missing',
    'rev-parse HEAD side',
    'rev-parse HEAD..side',
    'rev-parse HEAD:a',
    'rev-parse --not HEAD',
    'rev-parse --abbrev-ref side',
    'merge-base --all HEAD side',
    'merge-base HEAD missing',
    'describe --tags',
    'describe --tags --abbrev=0 --long',
    'describe --all --abbrev=0',
    'describe --tags --abbrev=0 HEAD v1',
    'describe --always --tags --abbrev=0',
    'branch',
    'symbolic-ref refs/remotes/origin/HEAD',
  ])('knows nothing about the output of `git %s`', (command) => {
    expect(outputOf(original, command)).toBeNull();
  });

  it('knows no name of a tag if git prints another one', () => {
    const folder = copyOf(original);
    const inner = git(folder, 'cat-file', 'tag', 'v2').replace('tag v2', 'tag --output=x');
    write(folder, { '.git/made': inner });
    const id = git(folder, 'hash-object', '-t', 'tag', '-w', '--literally', '.git/made').trim();
    git(folder, 'update-ref', 'refs/tags/v2', id);
    expect(real(folder, 'describe --abbrev=0')).toMatch(/^--output=x/);
    expect(outputOf(folder, 'describe --abbrev=0')).toBeNull();
  });

  it('does not shorten the name of a branch if another reference has it too', () => {
    const folder = copyOf(original);
    git(folder, 'tag', 'main');
    expect(real(folder, 'rev-parse --abbrev-ref HEAD')).toBe('heads/main\n');
    expect(outputOf(folder, 'rev-parse --abbrev-ref HEAD')).toBeNull();
    expect(outputOf(folder, 'branch --show-current')).toBe('main\n');
  });
});

describe('a result of git, or of a command that runs where git fails', () => {
  const { root, says } = project({ a: 'a\n', '.gitignore': '.env\n', '.env': 'x=1' });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'one');
  git(root, 'tag', 'v1');

  it.each([
    ['git describe --tags --abbrev=0 || echo main', 'main v1'],
    ['git describe --tags --abbrev=0 2>/dev/null || echo ""', 'v1'],
    ['git rev-parse --abbrev-ref HEAD || git describe --tags --abbrev=0', 'main v1'],
    ['(git describe --tags --abbrev=0) || echo main', null],
    ['git describe --tags --abbrev=0 && false || echo main', null],
    ['! git describe --tags --abbrev=0 || echo main', null],
    ['{ git describe --tags --abbrev=0; false; } || echo main', null],
    ['if git describe --tags --abbrev=0; then false; fi || echo main', null],
    ['f() { git describe --tags --abbrev=0; return 1; }; f || echo main', null],
    ['f() if git describe --tags --abbrev=0; then false; fi; f || echo main', null],
    ['git describe --tags --abbrev=0 || printf "main\\nmain\\n"', null],
  ])('is one line or two: %s', async (line, names) => {
    const told = await says(`x=$(${line}); git log "$x..main"; ls "$x"`);
    if (names === null) expect(told).toContainEqual(expect.stringMatching(/^proc\.exec\.opaque git/));
    else expect(told).toEqual([`fs.list ${names} (ls)`]);
  });

  it('may be left out with what stands beside it', async () => {
    const line = 'x=$(git describe --tags --abbrev=0 || echo "")';
    expect(await says(`${line}; git log \${x:+$x..}HEAD`)).toEqual([]);
    expect(await says(`${line}; grep -r a \${x:+$x}`)).toContainEqual(expect.stringContaining('.env'));
    expect(await says(`${line}; git log \${x:+$(cat a)}`)).not.toEqual([]);
  });

  it('may be an id or the name of a reference', async () => {
    const line = 'x=$(git describe --tags --abbrev=0 || git rev-list --max-parents=0 HEAD | tail -1)';
    expect(await says(`${line}; git log "$x"..HEAD --oneline`)).toEqual([]);
    expect(await says(`${line}; cat "$x"`)).toContainEqual(expect.stringMatching(/^secret\.read/));
    expect(await says('x=$(echo -- --output=a || git rev-list HEAD); git log $x')).not.toEqual([]);
  });
});

describe('an id that git shortens', () => {
  const { root, says } = project({ a: 'a\n', '.env': 'x=1' });
  git(root, 'init', '-q', '-b', 'main');
  commit(root, {});
  git(root, 'rm', '-q', '.env');
  for (const a of ['b\n', 'c\n']) commit(root, { a });

  it('may be the name of a reference, which git prefers', async () => {
    const lines = [
      'git log -1 --format=%h | xargs git show',
      'git log -1 --format=%h main | while read -r c; do git show "$c"; done',
      'git rev-list -1 --abbrev-commit HEAD | xargs git show',
      'git show $(git rev-parse --short HEAD)',
      'git show $(git log -1 --format=%h)',
    ];
    const leaking = async () => {
      const told = await Promise.all(lines.map(says));
      return lines.filter((_, at) => told[at]?.some((each) => /^secret\.read|opaque/.test(each)));
    };
    expect(await leaking()).toEqual([]);
    const id = git(root, 'rev-parse', '--short', 'HEAD').trim();
    git(root, 'tag', id, 'HEAD~2');
    expect(git(root, 'show', id)).toContain('x=1');
    expect(await leaking()).toEqual(lines);
  });
});
