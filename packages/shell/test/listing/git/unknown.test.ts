import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Changes } from '../../../src/world.js';
import { describedOf, emptyFolder, touched } from '../context.js';
import { commit, describeGit, git, repositoryOf, write } from './repository.js';

const files = { 'src/a.ts': 'a\n', 'b.txt': 'b\n' };

/** Why a git command is opaque in a repository with this set-up; null if it is described. */
function whyOf(command: string, prepare: (folder: string) => void): string | null {
  const folder = repositoryOf(files);
  write(folder, { 'src/a.ts': 'changed\n' });
  prepare(folder);
  const described = describeGit(folder, command);
  return typeof described === 'string' ? described : null;
}

const set =
  (key: string, value = './tool') =>
  (folder: string) => {
    git(folder, 'config', key, value);
  };

const hook =
  (name: string, place = '.git/hooks') =>
  (folder: string) => {
    write(folder, { [`${place}/${name}`]: '#!/bin/sh\n' });
    chmodSync(join(folder, place, name), 0o755);
  };

describe('git with a path of its own process', () => {
  it.each(['grep -n a /proc/self/cwd/b.txt', 'add /proc/self/cwd/b.txt', 'diff -- /proc/123/cwd/b.txt'])(
    'is opaque, because it goes to the top of the work tree first: `git %s`',
    (command) => expect(whyOf(command, () => undefined)).toContain('another file for git'),
  );
});

describe('git that runs programs from its settings', () => {
  it.each([
    ['core.fsmonitor', 'status'],
    ['core.fsmonitor', 'diff'],
    ['core.fsmonitor', 'log'],
    ['core.pager', 'log'],
    ['pager.log', 'log'],
    ['diff.external', 'diff'],
    ['diff.external', 'show'],
    ['gpg.program', 'unheard-of'],
    ['commit.gpgsign', 'commit -m x'],
    ['log.showsignature', 'log'],
    ['log.showsignature', 'reflog --format=%h'],
    ['trailer.x.command', 'commit -m x'],
    ['core.attributesFile', 'status', '~root/attributes'],
    ['alias.whatchanged', 'whatchanged'],
    ['format.pretty', 'log -1', '%h %G?'],
    ['format.pretty', 'show', '%+GG'],
    ['pretty.mine', 'log --pretty=mine', '%h %G?'],
    ['rebase.instructionFormat', 'rebase other', '%G?'],
    ['mailmap.file', 'log', '~root/names'],
    ['commit.verbose', 'commit --dry-run', 'true'],
    ['merge.x.driver', 'merge other'],
    ['merge.x.driver', 'cherry-pick HEAD'],
    ['core.worktree', 'status'],
    ['extensions.partialclone', 'log'],
    ['extensions.refstorage', 'log'],
    ['unheard.of', 'status'],
    ['core.unheardof', 'status'],
    ['remote.x.promisor', 'show'],
    ['core.splitIndex', 'status'],
    ['gc.recentObjectsHook', 'commit -m x'],
    ['merge.verifySignatures', 'merge other'],
    ['branch.main.mergeOptions', 'merge other'],
    ['diff.submodule', 'diff'],
    ['diff.default.textconv', 'diff'],
    ['diff.default.textconv', 'blame b.txt'],
    ['log.diffMerges', 'show -m', 'remerge'],
    ['branch.sort', 'branch', 'signature'],
    ['tag.sort', 'tag', '-*signature:key'],
    ['pull.twohead', 'merge other', 'subtree'],
    ['merge.renormalize', 'merge-tree main other', 'true'],
    ['gc.repackFilterTo', 'commit -m x', '/tmp/x'],
    ['tar.tgz.command', 'archive -o a.tgz HEAD'],
    ['include.path', 'status'],
  ] as const)('is opaque with `%s` in its settings: `git %s`', (key, command, value?: string) => {
    const prepare = (folder: string) => {
      write(folder, { '.git/tool': '[core]\n\tfsmonitor = ./evil\n' });
      set(key, value)(folder);
    };
    expect(whyOf(command, prepare)).not.toBeNull();
  });

  it.each([
    ['alias.st', '!./evil', 'status'],
    ['core.editor', './evil', 'log'],
    ['credential.helper', './evil', 'status'],
    ['core.sshCommand', './evil', 'diff'],
    ['core.fsmonitor', 'false', 'status'],
    ['core.pager', 'less -R', 'log'],
    ['commit.gpgsign', 'false', 'commit -m x'],
    ['url.x.insteadOf', 'y', 'status'],
    ['user.name', 'A # B', 'commit -m x'],
    ['branch.main.remote', 'origin', 'status'],
    ['filter.lfs.clean', 'git-lfs clean -- %f', 'status'],
    ['filter.lfs.clean', 'git-lfs clean -- %f', 'add .'],
    ['diff.x.textconv', './evil', 'log --oneline'],
    ['log.diffMerges', 'first-parent', 'show -m'],
    ['branch.sort', '-committerdate', 'branch'],
    ['pretty.mine', '%h %an %s', 'log --pretty=mine'],
    ['filter.lfs.smudge', 'git-lfs smudge -- %f', 'archive HEAD'],
  ])('is described with harmless settings: `%s = %s`, `git %s`', (key, value, command) => {
    expect(whyOf(command, set(key, value))).toBeNull();
  });

  it.each([
    ['*.ts filter=lfs\n', 'status'],
    ['* diff=x\n', 'diff'],
    ['* diff=x\n', 'log -p'],
    ['* diff=x\n', 'show'],
    ['* diff=x\n', 'log -S x'],
    ['[attr]big filter=lfs\n', 'add .'],
    ['*.ts filter=lfs\n', 'ls-files -m'],
    ['*.ts filter=lfs\n', 'rm --cached b.txt'],
    ['*.ts filter=lfs\n', 'mv b.txt c.txt'],
  ])('is opaque if attributes name a program from the settings: %j, `git %s`', (attributes, command) => {
    for (const place of [
      '.gitattributes',
      'src/.gitattributes',
      '.git/info/attributes',
      'fresh/.gitattributes',
    ]) {
      const why = whyOf(command, (folder) => {
        git(folder, 'config', 'filter.lfs.clean', './evil');
        git(folder, 'config', 'diff.x.textconv', './evil');
        write(folder, { [place]: attributes });
      });
      // A folder that git does not track matters where its files are added.
      if (place !== 'fresh/.gitattributes' || command === 'add .')
        expect([place, why]).not.toEqual([place, null]);
    }
  });

  it.each([
    'log -p',
    'diff main~1 main',
    'show main~1:old/a.ts',
    'blame main~1 -- old/a.ts',
    'diff --no-index old/x old/y',
    'hash-object --path=old/x b.txt',
    'apply p.diff',
  ])('is opaque if attributes of a folder without tracked files name one: `git %s`', (command) => {
    const folder = repositoryOf({ ...files, 'old/a.ts': 'a\n' });
    git(folder, 'rm', '-q', '-r', 'old');
    commit(folder, {});
    const patch = '--- a/old/x\n+++ b/old/x\n@@ -1 +1 @@\n-x\n+y\n';
    write(folder, { 'old/x': 'x\n', 'old/y': 'y\n', 'p.diff': patch });
    for (const driver of ['filter.x.clean', 'diff.x.textconv']) git(folder, 'config', driver, './evil');
    expect(describeGit(folder, command)).not.toBeTypeOf('string');
    write(folder, { 'old/.gitattributes': '* filter=x diff=x\n' });
    expect(describeGit(folder, command)).toBeTypeOf('string');
  });

  it('is opaque if attributes in the index name one, and a file has the place of their folder', () => {
    const folder = repositoryOf(files);
    commit(folder, { 'old/a.ts': 'a\n', 'old/.gitattributes': '* diff=x\n' });
    git(folder, 'config', 'diff.x.textconv', './evil');
    rmSync(join(folder, 'old'), { recursive: true });
    write(folder, { old: 'a file\n' });
    expect(describeGit(folder, 'diff')).toMatch(/textconv/);
  });

  it('is opaque if attributes in what is archived name one', () => {
    const folder = repositoryOf(files);
    git(folder, 'checkout', '-q', '-b', 'other');
    commit(folder, { '.gitattributes': '*.ts filter=x\n' });
    git(folder, 'checkout', '-q', 'main');
    git(folder, 'config', 'filter.x.smudge', './evil');
    expect(describeGit(folder, 'archive main')).not.toBeTypeOf('string');
    for (const revision of ['other', 'other:src', '$v'])
      expect(describeGit(folder, `archive ${revision}`)).toMatch(/filter/);
  });

  it('is opaque without a work tree, where some versions take the attributes of a commit', () => {
    const folder = repositoryOf(files);
    git(folder, 'config', 'diff.x.textconv', './evil');
    expect(describeGit(folder, 'show')).not.toBeTypeOf('string');
    expect(describeGit(join(folder, '.git'), 'show')).toMatch(/textconv/);
  });

  it('is opaque where it merges a signed tag', () => {
    const folder = repositoryOf(files);
    const head = git(folder, 'rev-parse', 'HEAD').trim();
    const text = `object ${head}\ntype commit\ntag v1\ntagger A <a@example.com> 0 +0000\n\nx\n`;
    for (const [name, end] of Object.entries({ plain: '', signed: '-----BEGIN PGP SIGNATURE-----\n' })) {
      write(folder, { [`.git/${name}`]: text + end });
      const id = git(folder, 'hash-object', '-t', 'tag', '-w', `.git/${name}`).trim();
      git(folder, 'update-ref', `refs/tags/${name}`, id);
    }
    expect(describeGit(folder, 'merge plain')).not.toBeTypeOf('string');
    expect(describeGit(folder, 'merge signed')).toMatch(/signature/);
  });

  it.each([
    'branch --sort=signature',
    'tag --sort -v:signature',
    'for-each-ref --sort=*signature:key',
    'shortlog --group=format:%G? HEAD',
  ])('is opaque where it orders by signatures: `git %s`', (command) =>
    expect(whyOf(command, () => undefined)).toMatch(/signatures/),
  );

  it.each(['config edit', 'config --global edit'])('may start an editor: `git %s`', (command) =>
    expect(whyOf(command, () => undefined)).toMatch(/editor/),
  );

  it.each([
    ['commit.verbose', 'commit --dry-run'],
    ['stash.showPatch', 'stash show'],
  ])('does not take the last value of `%s` from a file that git may not read', (key, command) => {
    const prepare = (folder: string) => {
      git(folder, 'config', key, 'true');
      git(folder, 'config', '--file', '.git/more', key, 'false');
      git(folder, 'config', 'includeIf.gitdir:/nowhere/.path', 'more');
    };
    expect(whyOf(command, prepare)).toContain(key.toLowerCase());
  });

  it('takes a blank that is text for git for a part of a name', () => {
    const prepare = (folder: string) => {
      appendFileSync(join(folder, '.git/config'), '[core]\n\thooksPath = \u00A0h\u00A0\n');
      hook('post-commit', '\u00A0h\u00A0')(folder);
    };
    expect(whyOf('commit -m x', prepare)).toContain('post-commit');
  });

  it.each(['core.hooksPath = a\tb', 'core.attributesFile = a\rb', 'include.path = a\tb'])(
    'does not know the name in which some versions replace a blank: %j',
    (setting) => {
      const [, section, line] = /^(\w+)\.(.*)$/s.exec(setting) ?? [];
      const prepare = (folder: string) =>
        appendFileSync(join(folder, '.git/config'), `[${section}]\n\t${line}\n`);
      expect(whyOf('commit -m x', prepare)).toContain(`\`${section}.`);
    },
  );

  it('ignores files by rules in the other case where the settings say so', () => {
    const folder = repositoryOf({ '.gitignore': '.env*\n!.ENV.local\n' });
    write(folder, { '.env.local': 'S=1\n' });
    expect(JSON.stringify(describeGit(folder, 'add -A'))).not.toContain('/.env.local');
    git(folder, 'config', 'core.ignoreCase', 'true');
    expect(JSON.stringify(describeGit(folder, 'add -A'))).toContain('/.env.local');
  });

  it('reads settings as git writes them', () => {
    const odd = '[core] fsmonitor = ./evil\n';
    expect(whyOf('status', (folder) => appendFileSync(join(folder, '.git/config'), odd))).toMatch(
      /fsmonitor/,
    );
    const continued = '[a "b"]\n\tc = x \\\n[core]\n[CORE]\n\tFsMonitor = "./e\\\nvil"\n';
    expect(
      whyOf('status', (folder) => appendFileSync(join(folder, '.git/config'), continued)),
    ).not.toBeNull();
    expect(
      whyOf('status', (folder) => appendFileSync(join(folder, '.git/config'), '[core\n')),
    ).not.toBeNull();
  });
});

describe('git with a sparse checkout', () => {
  it.each([
    ['checkout other', true],
    ['stash', true],
    ['reset --hard', true],
    ['merge other', true],
    ['status', false],
    ['commit -m x', false],
  ])('removes and writes files besides those that change: `git %s`', (command, isOpaque) => {
    const prepare = (folder: string) => git(folder, 'sparse-checkout', 'set', 'src');
    expect(whyOf(command, prepare) !== null).toBe(isOpaque);
  });
});

describe('git that continues with a rebase', () => {
  it.each([
    ['pick 1234567 a\n# b\n', 'rebase --skip', false],
    ['pick 1234567 a\nexec ./evil\n', 'rebase --skip', true],
    ['fixup -c 1234567\n', 'rebase --skip', true],
    ['exec ./evil\n', 'rebase --abort', false],
    ['', 'rebase --show-current-patch', true],
  ])('is opaque if what is left may start a program: %j, `git %s`', (todo, command, isOpaque) => {
    const why = whyOf(command, (folder) => write(folder, { '.git/rebase-merge/git-rebase-todo': todo }));
    expect(why !== null).toBe(isOpaque);
  });
});

describe('git that runs git in a submodule', () => {
  const module = (folder: string) => git(folder, 'submodule', '--quiet', 'add', repositoryOf(files), 'sub');
  it.each([
    'status',
    'add .',
    'diff',
    'diff main',
    'diff-files',
    'describe --dirty',
    'diff --cached --stat x',
    'submodule',
    'submodule status --recursive',
  ])('is opaque, since settings are there too: `git %s`', (command) =>
    expect(whyOf(command, module)).toMatch(/runs git in the submodule/),
  );

  it('is opaque where the line may put a repository', () => {
    const folder = repositoryOf(files);
    module(folder);
    rmSync(join(folder, 'sub/.git'));
    expect(describeGit(folder, 'diff')).not.toBeTypeOf('string');
    expect(describeGit(folder, 'diff', { created: new Set([join(folder, 'sub/.git')]) })).toMatch(
      /submodule/,
    );
  });

  it.each(['diff --cached', 'diff HEAD main', 'log -p', 'ls-files', 'show'])(
    'is described where it stays outside: `git %s`',
    (command) => expect(whyOf(command, module)).toBeNull(),
  );
});

describe('git that runs hooks', () => {
  it.each([
    ['pre-commit', 'commit -m x'],
    ['commit-msg', 'commit -m x'],
    ['post-checkout', 'checkout other'],
    ['post-checkout', 'restore src/a.ts'],
    ['post-index-change', 'status'],
    ['post-index-change', 'add .'],
    ['reference-transaction', 'branch x'],
    ['reference-transaction', 'tag x'],
    ['post-merge', 'merge other'],
    ['unheard-of', 'commit -m x'],
  ])('is opaque with the hook %s: `git %s`', (name, command) => {
    expect(whyOf(command, hook(name))).toMatch(/hook/);
  });

  it('is opaque with a hook of an index that cannot be read: it may be written', () => {
    const why = whyOf('diff', (folder) => {
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), '');
      git(folder, 'add', '.');
      hook('post-index-change')(folder);
    });
    expect(why).toMatch(/hook/);
  });

  it('searches hooks in the folder from the settings', () => {
    const prepare = (folder: string) => {
      hook('pre-commit', '.husky/_')(folder);
      git(folder, 'config', 'core.hooksPath', '.husky/_');
    };
    expect(whyOf('commit -m x', prepare)).toMatch(/hook/);
    expect(whyOf('log -p', prepare)).toBeNull();
  });

  it.each([
    ['.git/config.worktree', ''],
    ['.git/none', '[includeIf "gitdir:/elsewhere/"]\n\tpath = none\n'],
    [
      '.git/some',
      '[include]\n\tpath = some\n[core]\n\thooksPath = none\n[include]\n\tpath = some\n',
      'hooks',
    ],
  ])('searches them where git does although %s names another place', (file, more, place = 'none') => {
    const prepare = (folder: string) => {
      hook('pre-commit', 'hooks')(folder);
      git(folder, 'config', 'core.hooksPath', 'hooks');
      write(folder, { [file]: `[core]\n\thooksPath = ${place}\n` });
      appendFileSync(join(folder, '.git/config'), more);
    };
    expect(whyOf('commit -m x', prepare)).not.toBeNull();
  });

  it('takes those of a work tree with settings of its own', () => {
    const prepare = (folder: string) => {
      hook('pre-commit')(folder);
      set('extensions.worktreeConfig', 'true')(folder);
      write(folder, { '.git/config.worktree': '[core]\n\thooksPath = none\n' });
    };
    expect(whyOf('commit -m x', prepare)).toBeNull();
  });

  it('may write hooks itself, as earlier commands may', () => {
    const prepare = (folder: string) => {
      write(folder, { '.githooks/README': 'x\n' });
      git(folder, 'config', 'core.hooksPath', '.githooks');
    };
    expect(whyOf('commit -m x', prepare)).toBeNull();
    expect(whyOf('checkout other', prepare)).toMatch(/hooks/);
    const folder = repositoryOf(files);
    prepare(folder);
    const after = { created: new Set([join(folder, '.githooks/pre-commit')]) };
    expect(describeGit(folder, 'commit -m x', after)).toMatch(/hooks/);
  });

  it.each([
    ['.git/hooks', '../tools', 'tools/post-commit'],
    ['.git/hooks', '../tools', 'tools/pre-commit'],
    ['.git/hooks/pre-commit', '../../tools/post-commit', 'tools/post-commit'],
    ['.git/hooks/pre-commit', '../../tools/new', 'tools/new'],
  ])('knows no hooks where the line changed what the link %s to %s leads to: %s', (link, target, changed) => {
    const folder = repositoryOf({ 'tools/post-commit': '#!/bin/sh\n' });
    rmSync(join(folder, link), { recursive: true, force: true });
    symlinkSync(target, join(folder, link));
    expect(describeGit(folder, 'checkout main')).toMatch(/hook/);
    const after = (path: string) => ({ created: new Set([join(folder, path)]) });
    expect(describeGit(folder, 'commit -m x', after(changed))).toMatch(/hook/);
  });

  it('runs no samples and no file that is not executable', () => {
    expect(whyOf('commit -m x', (folder) => write(folder, { '.git/hooks/pre-commit': '' }))).toBeNull();
    expect(whyOf('commit -m x', hook('pre-commit.sample'))).toBeNull();
  });
});

describe('git in unusual repositories', () => {
  it.each([
    [
      'a git folder that is a link',
      (folder: string) => {
        rmSync(join(folder, '.git'), { recursive: true });
        symlinkSync('/nonexistent', join(folder, '.git'));
      },
    ],
    ['a git folder without HEAD', (folder: string) => rmSync(join(folder, '.git/HEAD'))],
    ['HEAD that is odd', (folder: string) => writeFileSync(join(folder, '.git/HEAD'), 'ref: x\n')],
    [
      'a git file that names nothing',
      (folder: string) => {
        rmSync(join(folder, '.git'), { recursive: true });
        write(folder, { '.git': 'gitdir: nowhere\n' });
      },
    ],
  ])('is opaque with %s', (_, prepare) => {
    expect(whyOf('status', prepare)).not.toBeNull();
  });

  it.each(['show HEAD:b.txt', 'log -p -1 -- b.txt', 'cat-file -p HEAD:b.txt', 'restore b.txt'])(
    'is opaque where other objects stand in for those of the history: `git %s`',
    (command) => {
      const replaced =
        (...more: readonly string[]) =>
        (folder: string) => {
          git(folder, 'replace', 'HEAD:b.txt', 'HEAD:src/a.ts');
          if (more.length > 0) git(folder, ...more);
        };
      expect(whyOf(command, replaced())).toContain('refs/replace');
      expect(whyOf(command, replaced('pack-refs', '--all'))).toContain('refs/replace');
      expect(whyOf(command, replaced('replace', '-d', 'HEAD:b.txt'))).toBeNull();
      const folder = repositoryOf(files);
      const made = { created: new Set([`${folder}/.git/refs/replace/${'0'.repeat(40)}`]) };
      expect(describeGit(folder, command, made)).toContain('refs/replace');
    },
  );

  it.each(['mailmap.file', 'diff.orderFile', 'blame.ignoreRevsFile'])(
    'is opaque where only git knows which file `%s` names',
    (key) => {
      for (const value of ['~root/x', '%(prefix)/x', ':(optional)x'])
        expect(whyOf('log', (folder) => void git(folder, 'config', key, value))).not.toBeNull();
      expect(whyOf('log', (folder) => void git(folder, 'config', key, '~/x'))).toBeNull();
    },
  );

  it('may hold any secret when the history is unknown', () => {
    const secrets = (prepare: (folder: string) => void) => {
      const folder = repositoryOf(files);
      prepare(folder);
      const described = describeGit(folder, 'log -p');
      return typeof described === 'string' ? described : JSON.stringify(described.effects);
    };
    expect(secrets(() => {})).not.toContain('secret.read');
    expect(secrets((folder) => write(folder, { '.git/objects/info/alternates': '/elsewhere\n' }))).toContain(
      'git history',
    );
    expect(
      secrets(
        (folder) =>
          rmSync(join(folder, '.git/objects'), { recursive: true }) ??
          mkdirSync(join(folder, '.git/objects')),
      ),
    ).toContain('git history');
  });

  it('finds secrets that only a log of a reference, a stash or a tag leads to', () => {
    const folder = repositoryOf(files);
    commit(folder, { '.env': 'S=1\n' });
    git(folder, 'reset', '-q', '--hard', 'HEAD~1');
    expect(JSON.stringify(describeGit(folder, 'log -p --reflog'))).toContain('/.env');
    git(folder, 'tag', 'kept', 'ORIG_HEAD');
    git(folder, 'reflog', 'expire', '--expire=now', '--all');
    rmSync(join(folder, '.git/ORIG_HEAD'));
    expect(JSON.stringify(describeGit(folder, 'log -p --all'))).toContain('/.env');
    git(folder, 'gc', '-q');
    expect(existsSync(join(folder, '.git/refs/tags/kept'))).toBe(false);
    expect(JSON.stringify(describeGit(folder, 'show kept'))).toContain('/.env');
  });
});

describe('git with a name in its history that is not UTF-8', () => {
  it('writes unknown files', () => {
    const folder = repositoryOf(files);
    git(folder, 'checkout', '-q', '-b', 'odd');
    writeFileSync(Buffer.concat([Buffer.from(join(folder, 'c')), Buffer.from([0xff])]), 'c\n');
    commit(folder, {});
    git(folder, 'checkout', '-q', 'main');
    const { effects } = describedOf(describeGit(folder, 'checkout odd'));
    expect(touched(effects, 'write').open).toBe(true);
    expect(JSON.stringify(effects)).not.toContain('\uFFFD');
    expect(describeGit(folder, 'diff --name-only -z main odd')).toMatchObject({
      output: { kind: 'unknown' },
    });
  });
});

describe('git after commands that changed the repository', () => {
  const changed = (command: string, names: readonly string[], key: keyof Changes = 'created') => {
    const folder = repositoryOf(files);
    return describeGit(folder, command, {
      [key]: new Set(names.map((name) => (name === '/' ? '/' : join(folder, name)))),
    });
  };
  it.each([
    ['status', ['.git/config']],
    ['log', ['.git/config.worktree']],
    ['commit -m x', ['.git/hooks/pre-commit']],
    ['status', ['.git']],
    ['status', ['.git/info/attributes']],
    ['log -p', ['.git/commondir']],
  ])('is opaque: `git %s` after %j', (command, names) => {
    expect(typeof changed(command, names)).toBe('string');
  });

  it.each(['.git', '.git/hooks', '/'])('is opaque after unknown files in %s', (name) => {
    expect(typeof changed('status', [name], 'open')).toBe('string');
  });

  it('does not know the tracked files after another command changed the index', () => {
    expect(JSON.stringify(changed('grep x', ['.git/index']))).toContain('"open":true');
  });

  it('does not know the ignored files after the rules changed', () => {
    expect(JSON.stringify(changed('add .', ['.gitignore']))).toContain('"open":true');
  });

  it('adds files that earlier commands created', () => {
    expect(JSON.stringify(changed('add .', ['src/fresh.ts']))).toContain('src/fresh.ts');
    expect(JSON.stringify(changed('diff', ['src/a.ts']))).toContain('src/a.ts');
  });

  it('adds a file that replaces an ignored folder', () => {
    const folder = repositoryOf({ '.gitignore': 'out/\n' });
    write(folder, { 'out/a': 'a\n' });
    const out = join(folder, 'out');
    const { effects } = describedOf(
      describeGit(folder, 'add -A', { removed: new Set([out]), created: new Set([out]) }),
    );
    expect(touched(effects, 'read').paths).toContain(out);
  });

  it('may show any content of the history after a reference changed', () => {
    const folder = repositoryOf(files);
    commit(folder, { '.env': 'S=1\n' });
    commit(folder, { 'b.txt': 'bb\n' });
    expect(JSON.stringify(describeGit(folder, 'show HEAD'))).not.toContain('/.env"');
    const after = { created: new Set([join(folder, '.git/HEAD')]) };
    expect(JSON.stringify(describeGit(folder, 'show HEAD', after))).toContain('/.env"');
  });
});

describe('git outside a repository', () => {
  it.each(['add -A', 'commit -m x'])(
    'names the purpose of `git %s`, although the command fails',
    (command) => {
      const folder = emptyFolder();
      const described = describeGit(folder, command);
      expect(described).toMatchObject({
        effects: [{ access: 'write', files: { under: join(folder, '.git') } }],
      });
    },
  );

  it.each(['checkout .', 'stash', 'reset --hard', 'clean -f'])('does not describe `git %s`', (command) => {
    expect(describeGit(emptyFolder(), command)).toMatch(/no repository/);
  });

  it('prints the folder of a repository of this user', () => {
    const folder = repositoryOf(files);
    expect(describeGit(join(folder, 'src'), 'rev-parse --show-toplevel')).toMatchObject({
      output: { kind: 'text', text: `${git(join(folder, 'src'), 'rev-parse', '--show-toplevel')}` },
    });
  });
});
