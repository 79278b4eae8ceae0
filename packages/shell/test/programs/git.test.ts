import { describe, expect, test } from 'vitest';
import { programs } from '../../src/programs/entry/table.js';
import { text } from '../../src/word.js';
import { contextAt } from '../listing/context.js';
import { repositoryOf, write } from '../listing/git/repository.js';
import { perform } from '../perform.js';

const folder = repositoryOf({ 'src/a.ts': 'a\n', 'b.txt': 'b\n' });
write(folder, { 'src/a.ts': 'aa\n', 'new.txt': 'n\n' });

/** The kinds of effects of a line without quotes, with their objects. */
function doing(line: string): string {
  const [name = '', ...words] = line.split(' ');
  const described = perform(programs)(name, words.map(text), contextAt(folder));
  if (described === null) throw new Error(`the table does not have \`${name}\``);
  return described.effects
    .map((effect) => {
      if (effect.kind === 'files') return `${effect.access} files`;
      if (effect.kind === 'path')
        return `${effect.access} ${effect.word.kind === 'text' ? effect.word.text : '?'}`;
      return effect.kind === 'capability' ? effect.capability.name : effect.kind;
    })
    .join(', ');
}

describe('git', () => {
  test.each([
    'git --version',
    'git version',
    'git log --oneline -10',
    'git log -1 --format=%H',
    'git log --author=A --oneline',
    'git log --format=%an',
    'git --no-pager log --stat',
    'git -p log',
    'git rev-parse HEAD',
    'git rev-parse --abbrev-ref HEAD',
    'git describe --tags',
    'git branch',
    'git branch -a --contains HEAD',
    'git branch --show-current',
    'git tag -l v*',
    'git stash list',
    'git remote -v',
    'git ls-files',
    'git config --list',
    'git config --get user.name',
    'git rev-list --all',
    'git merge-base HEAD HEAD',
    'git -c color.ui=never log --oneline',
    'git -c commit.gpgSign=false log --oneline',
    'git worktree list',
    'git reflog -5',
    'git reflog',
    'git reflog HEAD',
    'git reflog --date=iso main -n 3',
    'git sparse-checkout list',
    'git bisect log',
    'git submodule',
    'git submodule status --recursive',
    'git patch-id --stable',
    'git stripspace -s',
    'git symbolic-ref --short HEAD',
    'git rev-parse --show-toplevel',
  ])('only reads names with `%s`', (line) => {
    expect(doing(line)).toBe('');
  });

  test.each([
    ['git status', /^read files/],
    ['git status --short', /^read files/],
    ['git diff', /^read files/],
    ['git diff --output=F', /write F/],
    ['git diff --no-index /etc/passwd b.txt', /read \/etc\/passwd/],
    ['git diff -O/etc/x', /read \/etc\/x/],
    ['git log -p --output=F', /write F/],
    ['git show HEAD:b.txt', /^vcs.read/],
    ['git log -p', /vcs.read/],
    ['git cat-file -p HEAD:b.txt', /vcs.read/],
    ['git blame -L 1,2 b.txt', /read b\.txt/],
    ['git grep -n b', /read files/],
    ['git grep -f /etc/x', /read \/etc\/x/],
    ['git add -A', /read files.*write files/],
    ['git add src/a.ts', /write files/],
    ['git commit -m x', /write files/],
    ['git restore src/a.ts', /write files/],
    ['git archive -o out.tar HEAD', /write out.tar/],
    ['git tag x', /^write files/],
    ['git branch x', /^write files/],
    ['git branch -l -D x', /^write files/],
    ['git checkout -b x', /write files/],
    ['git reset --hard', /write files/],
    ['git stash', /write files/],
    ['git clean -fdx', /delete files/],
    ['git rm --cached b.txt', /^read files, read files, vcs.discard, write files/],
    ['git push origin :main', /^vcs.push, connect, .*opaque$/],
    ['git push', /^vcs.push, connect, .*opaque$/],
    ['git pull', /^connect, .*opaque$/],
    ['git clone -u ./evil . x', /run/],
    ['git -c core.sshCommand=./evil fetch', /run/],
    ['git -c core.pager=./evil log', /run/],
    ['git config --global --list', /^read .*\.gitconfig$/],
    ['git update-index a.txt', /opaque/],
    ['git update-index -q --refresh *.md', /opaque/],
    ['git config -f F a.b c', /write F.*opaque|opaque.*write F/],
    ['git config --global a.b c', /opaque, write \/nonexistent\/.gitconfig/],
    ['git worktree add ../x main', /write ..\/x, opaque/],
    ['git format-patch --stdout --signature-file=a HEAD', /read a, opaque/],
    ['git format-patch -1 -o .git/hooks', /write .git\/hooks, opaque/],
    ['git apply --stat x.patch', /^read x\.patch$/],
    ['git apply --numstat --summary x.patch', /^read x\.patch$/],
    ['git apply x.patch', /^(?=.*read x\.patch)(?=.*write \.).*opaque/],
    ['git apply --check x.patch', /^(?=.*read x\.patch).*opaque/],
    ['git apply --stat --apply x.patch', /^(?=.*write \.).*opaque/],
    ['git apply --stat --check x.patch', /opaque/],
    ['git bundle create out.bundle HEAD', /write out.bundle, opaque/],
  ] as const)('describes `%s`', (line, what) => {
    expect(doing(line)).toMatch(what);
  });

  test.each([
    'git log --help',
    'git unknown',
    'git log --ext-diff',
    'git log --textconv -p',
    'git log --show-signature',
    'git log --format=%G?',
    'git log --pretty=format:%G?',
    'git log --format=%+G?',
    'git log --format=%-GG',
    'git log --format=%+(describe)',
    'git for-each-ref --format=%(signature)',
    'git log --form=%H',
    'git log --stdin',
    'git show --remerge-diff',
    'git grep -O./evil b',
    'git grep --open-files-in-pager=./evil b',
    'git cat-file --textconv HEAD:b.txt',
    'git cat-file --batch',
    'git cat-file --batch-check --batch',
    'git cat-file --batch-command',
    'git describe --broken',
    'git commit',
    'git commit -m x -e',
    'git commit -S -m x',
    'git commit -t F',
    'git add -p',
    'git add --pathspec-from-file=F',
    'git tag -s x -m x',
    'git tag -v x',
    'git branch --edit-description',
    'git rebase -x ./evil HEAD~1',
    'git rebase -i HEAD~1',
    'git status -v',
    'git status -sv',
    'git commit --dry-run --verbose',
    'git merge -s ./evil x',
    'git bisect run ./evil',
    'git bisect',
    'git bisect replay log',
    'git bisect visualize',
    'git reflog --format=%G?',
    'git difftool -x ./evil',
    'git submodule foreach ./evil',
    'git submodule update --init',
    'git submodule status --evil',
    'git submodule --quiet foreach ./evil',
    'git reflog expire --all',
    'git sparse-checkout set src',
    'git filter-branch --tree-filter ./evil',
    'git send-email --smtp-server=./evil x',
    'git archive --remote=ext::./evil HEAD',
    'git config core.fsmonitor ./evil',
    'git config --add core.fsmonitor ./evil',
    'git config --unset a.b',
    'git config -e',
    'git remote add x ext::./evil',
    'git remote set-url origin https://a.example',
    'git -c core.fsmonitor=./evil status',
    'git -c diff.external=./evil diff',
    'git -c core.hooksPath=x commit -m x',
    'git -c alias.x=!./evil x',
    'git -c core.worktree=/ status',
    'git -c core.excludesFile=x status',
    'git -c include.path=x status',
    'git --config-env=core.pager=X log',
    'git --git-dir=/tmp/x log',
    'git --work-tree=/tmp/x status',
    'git --exec-path=/tmp/x log',
    'git update-index --add b.txt',
    'git gc',
    'git instaweb',
    'git daemon',
  ])('does not describe `%s`', (line) => {
    expect(doing(line)).toMatch(/(?:^|, )opaque$|^opaque/);
  });
});
