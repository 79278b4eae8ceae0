import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from '../../read/world.js';
import { describeGit, git, repositoryOf, write } from './repository.js';

const hunk = '@@ -1 +1 @@\n-a\n+b\n';
const plain = `diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n${hunk}`;

/** What is said of the files of the work tree, or `opaque`. */
function said(command: string, patch: string): readonly string[] {
  const folder = repositoryOf({ 'a.ts': 'a\n', 'src/b.ts': 'a\n' });
  write(folder, { 'p.diff': patch });
  symlinkSync('a.ts', join(folder, 'link'));
  const described = describeGit(folder, command);
  if (typeof described === 'string') return ['opaque'];
  return described.effects.flatMap((effect) => {
    if (effect.kind === 'files')
      return effect.files.paths.map((path) => `${effect.access} ${path.slice(folder.length + 1)}`);
    return effect.kind === 'opaque' ? ['opaque'] : [];
  });
}

describe('`git apply`', () => {
  it.each<[string, string, readonly string[]]>([
    ['apply p.diff', plain, ['read a.ts', 'write a.ts']],
    ['apply --check p.diff', plain, ['read a.ts']],
    ['apply --stat p.diff', plain, []],
    ['apply --reject p.diff', plain, ['read a.ts', 'write a.ts', 'write a.ts.rej']],
    [
      'apply p.diff',
      `text\n${plain}--- a/src/b.ts\n+++ /dev/null\n${hunk}`,
      [
        'read a.ts',
        'read src/b.ts',
        'write a.ts',
        'write src/b.ts',
        'delete a.ts',
        'delete src/b.ts',
        'delete src',
      ],
    ],
    [
      'apply --check p.diff',
      `${plain}--- a/src/b.ts\t\u2028\n+++ b/src/b.ts\t\u2028\n${hunk}`,
      ['read a.ts', 'read src/b.ts'],
    ],
    [
      'apply --check p.diff',
      'diff --git a/a.ts b/a.ts\nrename from a.ts\nrename to n/c.ts\n',
      ['read a.ts', 'read n/c.ts'],
    ],
  ])('says which files it touches: %s %j', (command, patch, expected) => {
    expect(said(command, patch)).toEqual(expected);
  });

  it.each([
    ['apply p.diff', ''],
    ['apply p.diff missing.diff', plain],
    ['apply -', plain],
    ['apply', plain],
    ['apply -p2 p.diff', plain],
    ['apply --directory=src p.diff', plain],
    ['apply p.diff', plain.replaceAll(' a/', ' ').replaceAll(' b/', ' ')],
    ['apply p.diff', `${plain}${plain.replaceAll('a.ts', '../c.ts')}`],
    ['apply p.diff', `${plain}${plain.replaceAll('a.ts', '.git/hooks/x')}`],
    ['apply p.diff', `${plain}${plain.replaceAll('a.ts', 'src/.gitattributes')}`],
    ['apply p.diff', `${plain}${plain.replaceAll('a.ts', 'link')}`],
    ['apply p.diff', `${plain}--- "a/c\\056ts"\n+++ "b/c\\056ts"\n${hunk}`],
    ['apply p.diff', `${plain}--- a/c d.ts\n+++ b/c d.ts\n${hunk}`],
    ['apply p.diff', `diff --git a/n b/n\nnew file mode 120000\n--- /dev/null\n+++ b/n\n${hunk}`],
    ['apply p.diff', plain.replaceAll('\n', '\r\n')],
    ['apply p.diff', `${plain}--- a/src/b.ts\r\n+++ b/src/b.ts\r\n${hunk}`],
    ['apply p.diff', `diff --git a/n b/n\nnew file mode \r120000\n--- /dev/null\n+++ b/n\n${hunk}`],
    ...['GIT binary patch', 'Binary files a/n and b/n differ', 'Files '].map((line) => [
      'apply p.diff',
      `diff --git a/n b/n\nnew file mode 100644\nindex ${'0'.repeat(40)}..${'1'.repeat(40)}\n${line}\n`,
    ]),
  ])('stays opaque where the files are not certain: %s %j', (command, patch) => {
    expect(said(command, patch)).toContain('opaque');
  });
});

describe('`git apply` from its input', () => {
  const { root, says } = project({ 'a.ts': 'a\n' });
  git(root, 'init', '-q');
  const touched = ['fs.read a.ts (git)', 'fs.write a.ts (git)'];

  it.each(['apply', 'apply -', 'apply --verbose'])('reads a here-document: git %s', async (command) => {
    expect(await says(`git ${command} <<'EOF'\n${plain}EOF`)).toEqual(touched);
  });

  it.each([
    'cat p.diff | git apply',
    `git apply - p.diff <<'EOF'\n${plain}EOF`,
    `git apply <<EOF\n${plain.replaceAll('a.ts', '$(cat a.ts)')}EOF`,
    `git apply <<'EOF'\n${plain.replaceAll('a.ts', '../a.ts')}EOF`,
  ])('is opaque where the patch is unknown: %s', async (line) => {
    expect((await says(line)).some((each) => each.startsWith('proc.exec.opaque'))).toBe(true);
  });
});

describe('`git am`', () => {
  const head = `From ${'1'.repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: a <a@b.example>\nSubject: [PATCH] x\n`;
  const mail = `${head}\n---\n a.ts | 2 +-\n\n${plain}-- \n2.39.5\n`;
  const isKnown = (command: string, patch: string) => said(command, patch).includes('write a.ts');

  it.each([
    ['am p.diff', mail],
    ['am -q -s p.diff', mail],
    [
      'am p.diff',
      mail.replace('\n\n', '\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n'),
    ],
  ])('names the files of a mail from `git format-patch`: %s', (command, patch) => {
    expect(isKnown(command, patch)).toBe(true);
  });

  it.each([
    ['am', mail],
    ['am --continue', mail],
    ['am --abort', mail],
    ['am -3 p.diff', mail],
    ['am p.diff missing.diff', mail],
    ['am p.diff', plain],
    ['am p.diff', `# HG changeset patch\n${mail}`],
    ['am p.diff', mail.replace('\n\n', '\nContent-Transfer-Encoding: base64\n\n')],
    ['am p.diff', mail.replace('\n\n', '\nContent-Transfer-Encoding:\n quoted-printable\n\n')],
    ['am p.diff', mail.replace('\n\n', '\nContent-Transfer-Encoding: 8bit\n base64\n\n')],
    ['am p.diff', mail.replace('\n\n', '\nContent-Type: text/plain; charset=UTF-8\n ; charset=utf-7\n\n')],
    ['am p.diff', `${mail}--- a/src/b.ts\r\n+++ b/src/b.ts\r\n${hunk}`],
    ['am p.diff', mail.replace('\n\n', '\nContent-Type: multipart/mixed; boundary=x\n\n')],
    ['am p.diff', mail.replace('\n\n', '\nContent-Type: text/plain; charset=utf-7\n\n')],
    ['am p.diff', `${mail}${plain.replaceAll('a.ts', '../c.ts')}`],
  ])('touches unknown files otherwise: %s %j', (command, patch) => {
    expect(isKnown(command, patch)).toBe(false);
  });
});
