import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/effect.js';
import { perhapsNumber } from '../../../src/number.js';
import { namesWord, onlyNames, text, unknown, type Word, writtenAs } from '../../../src/word.js';
import type { Described } from '../../../src/world.js';
import { project } from '../../read/world.js';
import { emptyFolder } from '../context.js';
import { commit, describeGit, git, repositoryOf, write } from './repository.js';

function capabilitiesOf(described: Described | string): readonly unknown[] {
  if (typeof described === 'string') throw new Error(described);
  return described.effects.flatMap((effect: Effect) =>
    effect.kind === 'capability' ? [effect.capability] : [],
  );
}

/** Names of the secrets that the command reads, relative to the folder. */
function secretsOf(folder: string, command: string | readonly Word[]): unknown {
  return capabilitiesOf(describeGit(folder, command)).flatMap((capability) => {
    const { name, path, secret } = capability as {
      name: string;
      path?: string | { paths: string[] };
      secret?: string;
    };
    if (name !== 'secret.read') return [];
    if (secret !== undefined) return [secret];
    const paths = typeof path === 'string' ? [path] : (path?.paths ?? []);
    return paths.map((each) => each.slice(folder.length + 1));
  });
}

function stage(folder: string): void {
  write(folder, { 'keys/.env': 'SECRET=2\n' });
  git(folder, 'add', 'keys/.env');
}

/** Git compares a file with the index that is not older than the index. */
function normalize(folder: string): void {
  for (const text of ['c', 'd']) commit(folder, { 'src/a.ts': text, 'keys/.env': 'SECRET=1\r\n' });
  write(folder, { '.gitattributes': '.env text\n' });
  utimesSync(join(folder, '.git/index'), 1, 1);
}

/** Git does not follow the link, so the file behind it is deleted, but it has the same metadata. */
function link(folder: string): void {
  git(folder, 'update-index', '-q', '--refresh');
  renameSync(join(folder, 'keys'), join(folder, 'moved'));
  symlinkSync('moved', join(folder, 'keys'));
}

function leaky(): string {
  const folder = repositoryOf({ 'src/a.ts': 'a\n', 'package.json': '{}\n' });
  commit(folder, { '.env': 'SECRET=1\n', 'src/a.ts': 'b\n' });
  git(folder, 'rm', '-q', '.env');
  commit(folder, { 'src/a.ts': 'c\n' });
  commit(folder, { 'src/a.ts': 'd\n' });
  commit(folder, { 'src/b.ts': 'e\n' });
  return folder;
}

describe('content from the git history', () => {
  const folder = leaky();
  it.each([
    ['log --oneline -10', []],
    ['log -p', ['.env']],
    ['log -p -- .env', ['.env']],
    ['log -p -- src', []],
    ['log -p -2', []],
    ['log -p -3', ['.env']],
    ['log -p HEAD~2..', []],
    ['log -p HEAD~3..HEAD', ['.env']],
    ['log -p --all', ['.env']],
    ['log -S x --oneline -- src', []],
    // Which commits it names, or what it counts, says whether a secret has the text.
    ['log -S SECRET --oneline', ['.env']],
    ['log -G ^SECRET --format=%h --all', ['.env']],
    ['log -S SECRET -s -- .env', ['.env']],
    ['log -S absent --oneline', []],
    ['log -I SECRET --numstat', ['.env']],
    ['show --name-only -S SECRET HEAD~3', ['.env']],
    ['show --numstat --ignore-matching-lines=^S HEAD~3', ['.env']],
    ['show --stat -G x HEAD', []],
    ['diff --name-only -G ^S HEAD~3 HEAD', ['.env']],
    ['diff --quiet -S SECRET HEAD~3 HEAD~2', ['.env']],
    ['diff --stat -S SECRET HEAD~2 HEAD', []],
    ['diff-tree -r --raw -G ^S HEAD~3 HEAD', ['.env']],
    ['stash list -S SECRET', ['.env']],
    ['format-patch --stdout HEAD~2', []],
    ['format-patch --stdout HEAD~4', ['.env']],
    ['format-patch --stdout -2', []],
    ['format-patch --stdout -1 HEAD~2', ['.env']],
    ['format-patch --stdout -1 HEAD -- .env', ['.env']],
    ['format-patch --stdout HEAD~3..HEAD~2', ['.env']],
    ['show', []],
    ['show HEAD', []],
    ['show HEAD~2', ['.env']],
    ['show HEAD~3', ['.env']],
    ['show --stat HEAD~3', []],
    ['show HEAD~3:.env', ['.env']],
    ['show HEAD~1:package.json', []],
    ['show :/change', []],
    ['show :/change~3', ['.env']],
    ['diff', []],
    ['diff HEAD~1', []],
    ['diff HEAD~2 -- src', []],
    ['diff HEAD~3', ['.env']],
    ['diff HEAD~3 --stat', []],
    ['diff HEAD~3..HEAD', ['.env']],
    ['diff HEAD~3...HEAD', ['.env']],
    ['diff HEAD~2...HEAD', []],
    ['diff HEAD~3 HEAD -- src', []],
    ['diff --name-only HEAD~3', []],
    ['diff HEAD~3 HEAD~4 --stat -- . :(exclude)package.json', []],
    ['diff HEAD~2 -- . :!package.json', []],
    ['diff HEAD~3 HEAD -- . :!package.json', ['.env']],
    ['grep SECRET', []],
    ['grep SECRET HEAD~3', ['.env']],
    ['grep SECRET HEAD~1', []],
    ['grep SECRET HEAD~3 -- src', []],
    ['archive HEAD~3 .env', ['.env']],
    ['archive HEAD~3', ['.env']],
    ['archive HEAD', []],
    ['archive HEAD~3 src', []],
    ['show HEAD@{0}', []],
    ['show HEAD@{2}', ['.env']],
    ['show @{1}~1', ['.env']],
    ['show HEAD^{commit}', []],
    ['grep SECRET HEAD~3^{tree}', ['git history']],
    ['archive HEAD~3^{tree}', ['git history']],
    ['show HEAD~3:', []],
    ['show HEAD~3: HEAD~3', ['.env']],
    ['cat-file -p HEAD~3:', []],
    ['show HEAD~3^{tree}', []],
    ['grep SECRET HEAD~3:', ['.env']],
    ['archive HEAD~3:', ['.env']],
    ['diff HEAD~3: HEAD:', ['.env']],
    ['diff HEAD~1: HEAD:', []],
    ['show :/change:', ['.env']],
    ['diff HEAD~3:.env HEAD:package.json', ['.env']],
    ['diff HEAD~3:.env package.json', ['.env']],
    ['diff HEAD~3:src/../.env -- package.json', ['.env']],
    ['diff HEAD~1:package.json package.json', []],
    ['show --stat', []],
    ['log -p --follow -- src/a.ts', []],
    ['log -p --follow --full-diff -- src/a.ts', ['.env']],
    ['log -p --follow -- src', ['.env']],
    ['log -p --follow -- .env', ['.env']],
    ['log -p --follow --all -- src/a.ts', ['.env']],
    ['log -p --full-diff -- src', ['.env']],
    ['show --full-diff HEAD~3 -- src', ['.env']],
    ['show --full-diff HEAD~1 -- src', []],
    ['log -p --no-walk HEAD~3', ['.env']],
    ['log -L1,2:src/a.ts', []],
    ['log -L /a/,+1:src/a.ts --oneline HEAD~1', []],
    ['log -L1,2:src/b.ts', []],
    ['log -L1,2:src/b.ts -C', ['.env']],
    ['log -L1,2:src/a.ts --all', ['.env']],
    ['log -L1,2:src/a.ts -L1,2:src/b.ts', []],
    ['log -L1,2:x:src/a.ts', ['.env']],
    ['log -L1,2:.env HEAD~3', ['.env']],
    ['cat-file -p HEAD~3:.env', ['.env']],
    ['cat-file -t HEAD~3:.env', []],
    ['cat-file --batch-check', []],
    ['range-diff HEAD~3..HEAD~1 HEAD~3..HEAD', ['.env']],
    ['range-diff HEAD~2..HEAD~1 HEAD~2..', []],
    ['range-diff HEAD~2 HEAD~1 HEAD', []],
    ['range-diff HEAD~2...HEAD', []],
    ['range-diff HEAD~3...HEAD', ['.env']],
    ['range-diff HEAD~2..HEAD', ['.env']],
    ['range-diff -s HEAD~3..HEAD~1 HEAD~3..HEAD', ['.env']],
    ['range-diff -s -p HEAD~3..HEAD~1 HEAD~3..HEAD', ['.env']],
    ['merge-tree HEAD~3 HEAD HEAD~2', ['.env']],
    ['merge-tree HEAD~1 HEAD HEAD~1', []],
    ['merge-tree HEAD HEAD~3', []],
    ['merge-tree --write-tree HEAD HEAD~3', []],
    ['cat-file --batch-check=%(objectsize) --batch-all-objects', []],
    ['cat-file blob HEAD~3:./.env', ['.env']],
    ['show :.env', ['.env']],
    ['show HEAD~3:src/../.env', ['.env']],
    ['show HEAD~3 -- src', []],
    ['show HEAD HEAD~3', ['.env']],
    ['log -p HEAD~3..HEAD -- src', []],
    ['log -p HEAD~2 HEAD~3', ['.env']],
    ['log --stat --all', []],
    ['stash list -p', ['.env']],
    ['stash list -p -1', ['.env']],
    ['reflog show -p -1', ['.env']],
    ['reflog HEAD', []],
    ['reflog HEAD -p -1', ['.env']],
    ['diff --merge-base HEAD~1', []],
    ['diff --merge-base HEAD~3', ['.env']],
    ['diff --merge-base HEAD~1 HEAD', []],
    ['diff --merge-base HEAD HEAD~3', []],
    ['diff --merge-base HEAD~3 HEAD', ['.env']],
    ['diff HEAD~3:src/a.ts HEAD:src/a.ts', []],
    ['diff HEAD~3:src HEAD:src', []],
    ['diff HEAD~3: HEAD:src', ['.env']],
    ['diff HEAD:..', ['.env']],
    ['diff HEAD^!', []],
    ['diff HEAD~3^!', ['.env']],
    ['show HEAD~2..HEAD', []],
    ['show HEAD~3..HEAD', ['.env']],
    ['show HEAD~1 ^HEAD~4', ['.env']],
    ['show HEAD~4..HEAD~3 --stat', []],
    ['show HEAD~3:src HEAD~2..HEAD', ['.env']],
    ['log -p -2 --reverse', []],
    ['log -p -3 --reverse', ['.env']],
    ['grep c HEAD~3:src', []],
    ['grep c HEAD~3:', ['.env']],
    ['archive HEAD~3:src', []],
    ['archive HEAD~3:', ['.env']],
    ['diff-tree HEAD~3', []],
    ['diff-tree -p HEAD~3', ['.env']],
    ['diff-tree -p HEAD~1', []],
    ['diff-tree -p HEAD~3 HEAD', ['.env']],
    ['diff-tree -p HEAD~1 HEAD', []],
    ['diff-tree -p HEAD~4..HEAD~3', ['.env']],
    ['blame src/a.ts', []],
    ['blame HEAD src/a.ts', []],
    ['blame HEAD src/gone.ts', []],
    ['blame HEAD~3 -- .env', ['.env']],
  ])('reports the well-known secrets that `git %s` shows', (command, secrets) => {
    expect(secretsOf(folder, command)).toEqual(secrets);
  });

  it('looks into each file that a counted revision names', () => {
    const counted = (file: string, count: 'one' | 'many' = 'one') => {
      const word: Word = {
        kind: 'names',
        before: 'HEAD~',
        names: onlyNames(['1', '3']),
        after: `:${file}`,
        count,
      };
      return secretsOf(folder, [text('show'), word]);
    };
    expect([counted('src/a.ts'), counted('.env'), counted('src/a.ts', 'many')]).toEqual([
      [],
      ['.env'],
      ['.env'],
    ]);
  });

  it('looks at each commit that a counted revision names', () => {
    const counted = (command: string, texts: readonly string[], after = '') => {
      const word: Word = { kind: 'names', before: 'HEAD~', names: onlyNames(texts), after, count: 'one' };
      return secretsOf(folder, [...command.split(' ').map(text), word]);
    };
    expect([
      counted('show', ['0', '1']),
      counted('show', ['1', '3']),
      counted('show -s', ['1', '3']),
      counted('diff', ['1', '2'], '..HEAD'),
      counted('diff', ['1', '3'], '...HEAD'),
    ]).toEqual([[], ['.env'], [], [], ['.env']]);
  });

  it.each([
    ['diff HEAD -- src', true],
    ['diff --stat HEAD~1..HEAD', true],
    ['diff HEAD -', false],
    ['diff --no-index src/a.ts -', false],
  ])('knows whether `git %s` leaves the standard input', (command, leavesInput) => {
    expect(describeGit(folder, command)).toMatchObject({ leavesInput });
  });

  it.each<[string, boolean, (kept: string) => unknown]>([
    ['nothing', false, () => null],
    ['another file', false, (kept) => write(kept, { 'src/a.ts': 'c\n' })],
    ['its time, which git notes in the index', false, (kept) => utimesSync(join(kept, 'keys/.env'), 1, 1)],
    ['its content', true, (kept) => write(kept, { 'keys/.env': 'SECRET=2\n' })],
    ['its content, in the index too', true, (kept) => stage(kept)],
    ['that it is there', true, (kept) => rmSync(join(kept, 'keys/.env'))],
    ['that git tracks it', true, (kept) => git(kept, 'rm', '-q', '--cached', 'keys/.env')],
    ['the way to it', true, (kept) => link(kept)],
    ['how git reads its line ends', true, (kept) => normalize(kept)],
  ])('shows a committed secret to `git diff COMMIT` if something changed: %s', (_, isShown, change) => {
    const kept = repositoryOf({ 'src/a.ts': 'a\n', 'keys/.env': 'SECRET=1\n' });
    commit(kept, { 'src/a.ts': 'b\n' });
    change(kept);
    for (const command of ['diff HEAD~1', 'diff HEAD -- . :!src', 'diff --merge-base HEAD~1'])
      expect([git(kept, ...command.split(' ')).includes('SECRET'), secretsOf(kept, command)]).toEqual([
        isShown,
        isShown ? ['keys/.env'] : [],
      ]);
  });

  it('knows that `HEAD` is a commit, even if the line makes it', () => {
    const changes = {
      created: new Set([join(folder, '.git/HEAD')]),
      open: new Set([join(folder, '.git/refs')]),
    };
    const said = (command: string) => {
      const described = describeGit(folder, command, changes);
      return capabilitiesOf(described).some((each) => (each as { name: string }).name === 'secret.read');
    };
    expect(
      ['show --stat HEAD', 'show --stat', 'show -s HEAD~1', 'show HEAD', 'show --stat v1'].map(said),
    ).toEqual([false, false, false, true, true]);
  });

  it('knows that `HEAD~$n` names a commit, and no file', () => {
    const said = (...words: readonly Word[]) => {
      const described = describeGit(folder, words);
      if (typeof described === 'string') return described;
      const secrets = capabilitiesOf(described).filter(
        (each) => (each as { name: string }).name === 'secret.read',
      );
      const read = described.effects.flatMap((effect) =>
        effect.kind === 'path' && effect.access === 'read' ? [writtenAs(effect.word)] : [],
      );
      return [secrets.length, ...read];
    };
    const before = (start: string) => unknown(`${start}$n`, { start, shape: start + perhapsNumber });
    const words = ['diff', '--shortstat'].map(text);
    expect(said(...words, before('HEAD~'), before('HEAD~'))).toEqual([0]);
    expect(said(...words, before('a'), before('HEAD~'))).toEqual([0, 'a$n', 'HEAD~$n']);
    expect(said(...words, before('a'), before('.env'))).toEqual([0, 'a$n', '.env$n']);
    expect(said(text('diff'), before('HEAD~'))).toEqual([1]);
    expect(said(text('blame'), before('HEAD~'), text('src/a.ts'))).toEqual([1, 'HEAD~$n', 'src/a.ts']);
  });

  it('knows the lines that `git log -L` shows, unless the file had another name', () => {
    const renamed = repositoryOf({ 'src/a.ts': 'a\n', '.env': 'SECRET=1\nSECRET=2\n' });
    git(renamed, 'mv', '.env', 'src/c.ts');
    commit(renamed, { 'src/a.ts': 'b\n' });
    const shown = (file: string) =>
      spawnSync('git', ['log', `-L1,1:src/${file}`], { cwd: renamed, encoding: 'utf8' }).stdout.includes(
        'SECRET',
      );
    expect([shown('a.ts'), secretsOf(renamed, 'log -L1,1:src/a.ts')]).toEqual([false, []]);
    expect([shown('c.ts'), secretsOf(renamed, 'log -L1,1:src/c.ts')]).toEqual([true, ['.env']]);
    const ranged = (word: Word) => secretsOf(renamed, [text('log'), text('-L'), word]);
    const numbered = (file: string) => unknown('$n', { shape: `${perhapsNumber},+1:src/${file}` });
    const secret = ['.env'];
    expect([ranged(numbered('a.ts')), ranged(numbered('c.ts'))]).toEqual([[], secret]);
    const names = (...files: readonly string[]) =>
      namesWord(onlyNames(files.map((file) => `1,1:src/${file}`)));
    expect([ranged(names('a.ts')), ranged(names('a.ts', 'c.ts'))]).toEqual([[], secret]);
    expect(ranged(namesWord({ ...onlyNames(['1,1:src/a.ts']), open: true }))).toEqual(secret);
  });

  it('says that a file may have had another name, where an option or a setting follows it', () => {
    const reads = {
      name: 'vcs.read',
      path: { paths: [join(folder, 'src/a.ts')], open: true, under: folder },
    };
    const secret = { name: 'secret.read', path: join(folder, '.env') };
    const command = 'log -p -- src/a.ts';
    expect(capabilitiesOf(describeGit(folder, `log --follow -p -- src/a.ts`))).toEqual([reads]);
    git(folder, 'config', 'log.follow', 'true');
    expect(capabilitiesOf(describeGit(folder, command))).toEqual([reads, secret]);
    git(folder, 'config', '--unset', 'log.follow');
    expect(capabilitiesOf(describeGit(folder, command))).toEqual([{ ...reads, path: reads.path.paths[0] }]);
  });

  it.each([
    'show nosuch',
    'show -s nosuch~2',
    'show HEAD~3 nosuch^',
    'log -p origin/main..HEAD',
    'log -p ^nosuch HEAD~3',
    'diff main...v9.9.1',
    'diff nosuch HEAD~3',
    'show HEAD~9',
    'show main^2',
    'log -p HEAD~9..HEAD',
    'diff main~9',
    'stash show -p',
    'stash show -p stash@{0}',
  ])('shows nothing if git refuses a name: `git %s`', (command) => {
    const { status, stdout } = spawnSync('git', command.split(' '), { cwd: folder, encoding: 'utf8' });
    expect([status === 0, stdout]).toEqual([false, '']);
    expect(secretsOf(folder, command)).toEqual([]);
  });

  it.each([
    'log -p --ignore-missing nosuch',
    'cat-file blob nosuch',
    'grep SECRET HEAD~3 nosuch',
    'show nosuch-gabcd',
    'show abcdef1',
    'show worktrees/nosuch/HEAD',
    'show nosuch@{1}',
    'show NOSUCH',
    'show :/nosuch',
    'stash show -p stash@{1}',
  ])('does not decide by the name in `git %s`', (command) => {
    expect(secretsOf(folder, command)).not.toEqual([]);
  });

  it('does not count a name as missing if the line may create it, or if it is a file', () => {
    const after = (command: string, created: readonly string[]) =>
      describeGit(folder, command, { created: new Set(created.map((name) => join(folder, name))) });
    const holds = (described: unknown) => JSON.stringify(described).includes('/.env');
    expect(holds(after('show nosuch', ['.git/refs/heads/nosuch']))).toBe(true);
    expect(holds(after('log -p nosuch', ['nosuch']))).toBe(true);
    expect(holds(after('stash show -p', ['.git/refs/stash']))).toBe(true);
    expect(holds(after('show nosuch', []))).toBe(false);
    git(folder, 'branch', 'nosuch', 'HEAD~3');
    expect(holds(after('show nosuch', []))).toBe(true);
    git(folder, 'pack-refs', '--all');
    expect(holds(after('show nosuch', []))).toBe(true);
    git(folder, 'branch', '-D', 'nosuch');
  });

  it('names files in a folder of a revision from that folder', () => {
    const inner = repositoryOf({ 'in/.env': 'SECRET=1\n', 'a.ts': 'a\n', 'src/b.ts': 'b\n' });
    const patterns = ['diff HEAD:in HEAD: --', 'grep SECRET HEAD:in --', 'archive HEAD:in'];
    for (const command of patterns)
      for (const pattern of [':(glob)*', ':!in'])
        expect(secretsOf(inner, `${command} ${pattern}`), command).toEqual(['in/.env']);
    const whole = ['diff HEAD:src', 'diff HEAD:src -- in', 'diff HEAD:a.ts a.ts'].map((each) =>
      secretsOf(inner, each),
    );
    expect(whole).toEqual([['in/.env'], ['in/.env'], []]);
    expect(git(inner, 'diff', 'HEAD:src', '--', 'in')).toContain('SECRET');
    expect(git(inner, 'grep', 'SECRET', 'HEAD:in', '--', ':(glob)*')).toContain('.env');
  });

  it('finds secrets among the former names of the file of `git log -L`', () => {
    const renamed = repositoryOf({ 'a.ts': 'a\n', '.env': 'SECRET=1\nB=2\n' });
    git(renamed, 'mv', '.env', 'old.ts');
    commit(renamed, { 'a.ts': 'b\n' });
    git(renamed, 'mv', 'old.ts', 'new.ts');
    commit(renamed, { 'new.ts': 'SECRET=1\nB=3\n', 'big.ts': 'line\n'.repeat(9) });
    expect(git(renamed, 'log', '-L1,1:new.ts')).toContain('b/.env');
    expect(secretsOf(renamed, 'log -L1,1:new.ts')).toEqual(['.env']);
    expect(secretsOf(renamed, 'log -L1,1:big.ts')).toEqual([]);
    git(renamed, 'config', 'diff.renames', 'copies');
    expect(secretsOf(renamed, 'log -L1,1:big.ts')).toEqual(['.env']);
  });

  it('finds secrets among the files of which that of `git log --follow` is a copy', () => {
    const text = 'SECRET=1\nB=2\nC=3\n';
    const copied = repositoryOf({ 'a.ts': 'a\n', '.env': text });
    commit(copied, { 'b.ts': text.replace('2', '3') });
    commit(copied, { 'c.ts': 'const a = 1;\nconst b = 2;\n' });
    git(copied, 'rm', '-q', '.env');
    commit(copied, { 'b.ts': 'b\n' });
    expect(git(copied, 'log', '-p', '--follow', 'b.ts')).toContain('b/.env');
    expect(git(copied, 'log', '-p', '--follow', 'c.ts')).not.toContain('SECRET');
    expect(secretsOf(copied, 'log -p --follow b.ts')).toEqual(['.env']);
    expect(secretsOf(copied, 'log -p --follow c.ts')).toEqual([]);
    expect(secretsOf(copied, 'log -p --follow -C30% c.ts')).toEqual(['.env']);
  });

  it('follows a name that was also a folder, or a link', () => {
    const folder = repositoryOf({ conf: 'a\n', 'link.ts': 'b\n', '.env': 'SECRET=1\n' });
    git(folder, 'rm', '-q', 'conf', '.env');
    symlinkSync('link.ts', join(folder, '.env'));
    commit(folder, { 'conf/.env': 'SECRET=2\n' });
    git(folder, 'mv', '.env', 'new.ts');
    commit(folder, { 'link.ts': 'c\n' });
    expect(git(folder, 'log', '-p', '--follow', 'conf')).toContain('SECRET=2');
    expect(secretsOf(folder, 'log -p --follow conf')).toContain('conf/.env');
    expect(git(folder, 'log', '-L1,1:new.ts')).toContain('SECRET=1');
    expect(secretsOf(folder, 'log -L1,1:new.ts')).toEqual(['.env']);
  });

  it('shows nothing where the base of a merge is empty', () => {
    const merge = (base: string) => ['merge-tree', base, 'HEAD', 'HEAD~2'].map((each) => text(each));
    expect([secretsOf(folder, merge('HEAD~3')), secretsOf(folder, merge(''))]).toEqual([['.env'], []]);
  });

  it('shows no content in a list of commits, wherever their ids come from', () => {
    const id = unknown('$c', { isPlain: true, afterId: '' });
    const shown = (...words: readonly (string | Word)[]) =>
      JSON.stringify(
        describeGit(
          folder,
          ['show', ...words].map((each) => (typeof each === 'string' ? text(each) : each)),
        ),
      );
    expect(shown('-s', '--format=%h %s', id)).not.toContain('secret.read');
    expect(shown('--stat', id)).not.toContain('secret.read');
    expect(shown(id)).toContain('secret.read');
    expect(shown('-s', unknown('$c'))).toContain('may be any option');
  });

  it('knows that an id has no secret content only if no path of it is a secret', () => {
    const plain = git(folder, 'rev-parse', 'HEAD:src/a.ts').trim();
    const secret = git(folder, 'rev-parse', 'HEAD~3:.env').trim();
    expect(secretsOf(folder, `cat-file -p ${plain}`)).toEqual([]);
    expect(secretsOf(folder, `show ${plain.slice(0, 8)}`)).toEqual([]);
    expect(secretsOf(folder, `cat-file -p ${secret}`)).toEqual(['git history']);
    write(folder, { 'never-committed': 'S=2\n' });
    const dangling = git(folder, 'hash-object', '-w', 'never-committed').trim();
    expect(secretsOf(folder, `show ${dangling}`)).toEqual(['git history']);
  });

  it('finds them in packs with deltas, and in a shallow clone', () => {
    const big = repositoryOf({ 'a.txt': `${'line\n'.repeat(500)}end\n` });
    for (let i = 0; i < 30; i += 1)
      commit(big, { 'a.txt': `${'line\n'.repeat(500)}${i}\n`, [`dir/${i}.txt`]: `${i}\n` });
    commit(big, { 'dir/.env': 'S=1\n' });
    commit(big, { 'dir/.env': 'S=2\n' });
    git(big, 'rm', '-q', 'dir/.env');
    commit(big, { 'b.txt': 'b\n' });
    const wanted = secretsOf(big, 'log -p -- dir');
    git(big, 'gc', '-q', '--aggressive');
    git(big, 'repack', '-q', '-a', '-d', '-f', '--depth=50', '--window=50');
    expect(wanted).toEqual(['dir/.env']);
    expect(secretsOf(big, 'log -p -- dir')).toEqual(wanted);
    expect(secretsOf(big, 'log -p HEAD~1..')).toEqual(['dir/.env']);
    expect(secretsOf(big, 'show HEAD~10')).toEqual([]);
    const shallow = join(emptyFolder(), 'shallow');
    git(big, 'clone', '-q', '--depth', '1', `file://${big}`, shallow);
    expect(secretsOf(shallow, 'log -p')).toEqual([]);
    git(shallow, 'fetch', '-q', '--unshallow');
    expect(secretsOf(shallow, 'log -p')).toEqual(wanted);
  });

  it('finds them after a missing object came back', () => {
    const folder = repositoryOf({ 'a.ts': 'a\n' });
    commit(folder, { '.env': 'S=1\n' });
    const id = git(folder, 'rev-parse', 'HEAD').trim();
    git(folder, 'reset', '-q', '--hard', 'HEAD~1');
    git(folder, 'update-ref', '-d', 'ORIG_HEAD');
    const place = join(folder, '.git/objects', id.slice(0, 2), id.slice(2));
    renameSync(place, join(folder, 'kept'));
    expect(secretsOf(folder, 'log -p --reflog')).toEqual([]);
    renameSync(join(folder, 'kept'), place);
    expect(secretsOf(folder, 'log -p --reflog')).toEqual(['.env']);
  });
});

describe('a tag that the line makes', () => {
  const { root, says } = project({ 'a.ts': 'a\n' });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  commit(root, { '.env': 'SECRET=1\n' });
  git(root, 'rm', '-q', '.env');
  commit(root, { 'a.ts': 'b\n' });
  git(root, 'tag', 'old');
  commit(root, { 'a.ts': 'c\n' });
  const isSecret = async (line: string) => (await says(line)).some((each) => each.startsWith('secret.read'));

  it.each([
    'git tag v1 && git show v1',
    'git tag -a v1.3.0 -m Release HEAD && git show v1.3.0 --stat | head',
    'git tag v1; git show v1:a.ts; git log -p v1~0..v1',
  ])('shows no secret, because its commit is known: %s', async (line) => {
    expect(await isSecret(line)).toBe(false);
  });

  it.each([
    'git tag v1 HEAD~1 && git show v1',
    'git tag v1 HEAD~1; git tag v1; git show v1',
    'git tag -f v1; git show v1',
    'git tag old; git show old',
    'git tag v1; git tag -d v1; git show v1',
    'git tag v1; git branch v2 HEAD~1; git show v2',
    'git tag v1; cat .git/refs/tags/old > .git/refs/tags/v1; git show v1',
    'git tag v1; cp .git/refs/tags/old .git/refs/tags/v1; git show v1',
    'git tag v1; mv .git/refs/tags/old .git/refs/tags/v1; git show v1',
    'cp .git/refs/tags/old .git/refs/tags/v1; git tag v1; git show v1',
    'git reset --soft HEAD~1; git tag v1; git show v1',
    'git tag v1; git tag -d v1; git tag v1 HEAD~1; git show v1',
    'git tag v1; cp .git/refs/tags/old .git/v1; git show v1',
    'cp .git/refs/tags/old .git/main; git show main',
    'git tag v1; cp -r .git/refs/x/. .git/refs; git show v1',
  ])('may show a secret: %s', async (line) => {
    expect(await isSecret(line)).toBe(true);
  });

  it('is a file that may be read, and leaves the output of `git describe` unknown', async () => {
    expect(await says('git tag v1; cat .git/refs/tags/*')).toContainEqual(
      expect.stringMatching(/^fs.read .*tags\/v1/),
    );
    expect(await says('git tag v1; touch $(git describe --tags --abbrev=0).txt')).not.toContainEqual(
      expect.stringMatching(/^fs.write .*old.txt/),
    );
  });

  it('may show a secret if a setting keeps logs of tags', async () => {
    git(root, 'config', 'core.logAllRefUpdates', 'always');
    expect(await isSecret('git tag v1 && git show v1')).toBe(true);
    git(root, 'config', '--unset', 'core.logAllRefUpdates');
  });
});

describe('a branch that is merged', () => {
  it('writes only the changed files when no merge is needed', () => {
    const folder = repositoryOf({ 'a.ts': 'a\n', 'b.ts': 'b\n' });
    git(folder, 'checkout', '-q', '-b', 'next');
    commit(folder, { 'a.ts': 'aa\n', 'new/c.ts': 'c\n' });
    git(folder, 'checkout', '-q', 'main');
    const described = describeGit(folder, 'merge next');
    const written =
      typeof described === 'string'
        ? []
        : described.effects.flatMap((effect) =>
            effect.kind === 'files' && effect.access === 'write' ? [effect.files] : [],
          );
    const inTree = written.filter(({ paths, under }) => !`${paths[0] ?? under}`.includes('/.git/'));
    expect(inTree.some(({ open }) => open)).toBe(false);
    const paths = new Set(
      inTree.flatMap((files) => files.paths.map((path) => path.slice(folder.length + 1))),
    );
    expect([...paths].sort()).toEqual(['a.ts', 'new', 'new/c.ts']);
  });
});
