import { describe, expect, it } from 'vitest';
import { project } from '../../read/world.js';
import { commit, git, write } from './repository.js';

/** A repository that committed a secret and deleted it, with the ids of contents by their names. */
function leaky() {
  const { root, says } = project();
  git(root, 'init', '-q', '-b', 'main');
  commit(root, { 'a.ts': 'a\n', '.env': 'KEY=1\n' });
  const at = (revision: string) => {
    const id = git(root, 'rev-parse', revision).trim();
    return `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`;
  };
  const objects = { secret: at('HEAD:.env'), plain: at('HEAD:a.ts'), commit: at('HEAD') };
  git(root, 'rm', '-q', '.env');
  commit(root, { 'b.ts': 'b\n' });
  const told = async (line: string) =>
    (await says(line)).filter((each) => /^(?:secret\.read|proc\.exec\.opaque)/.test(each));
  return { root, told, objects };
}

describe('files with the objects of git', () => {
  const { root, told, objects } = leaky();
  const { secret, plain } = objects;
  it.each([
    `cat ${secret}`,
    `printf x | cat - ${secret} | gzip -dc`,
    `tail -c +3 ${secret}`,
    `cp ${secret} docs`,
    `cat < ${secret}`,
    'cat .git/objects/*/*',
    `cd .git/objects && cat ${secret.slice('.git/objects/'.length)}`,
    `LC_ALL=C grep '' ${secret}`,
    "LC_ALL=C grep -r '' .git/objects/",
    "grep -ar '' .",
    "grep -rz '' .",
    "LC_ALL=C grep -rh '' .",
    "export LC_CTYPE=POSIX; grep -rhE 'a|$' .",
    "LANG= grep -r '^' .",
    "LC_ALL=C find . -type f -exec grep -h '' {} +",
    "find . -type f | LC_ALL=C xargs grep -h ''",
    "unset LANG; grep -rh '' .",
    "rg --hidden ''",
    'tar -cf ../x.tar .',
    'cp -r . ../x',
  ])('reads the secret: %s', async (line) => {
    expect(await told(line)).toContainEqual(expect.stringMatching(/^secret\.read .*\.env/));
  });

  it.each([
    `cat ${plain} ${objects.commit}`,
    'cat .git/HEAD .git/objects/00/00000000000000000000000000000000000000',
    'grep -r KEY .',
    "grep -rh '' .",
    'LC_ALL=C grep -rn "KEY = a.b" .',
    "LC_ALL=C.UTF-8 grep -rh '' .",
    'find . -type f | xargs grep KEY',
    'find . -type f -exec wc -c {} +',
    'rg --hidden KEY',
    'ls -R .git',
    'du -a .',
    'git status',
  ])('reads no secret: %s', async (line) => {
    expect(await told(line)).toEqual([]);
  });

  it('asks about a folder that is not a repository', async () => {
    expect(await told(`cat x/objects/ab/${'0'.repeat(38)}`)).toEqual([
      expect.stringMatching(/^proc\.exec\.opaque cat/),
    ]);
  });

  it('reads packs, also those of a bare repository', async () => {
    git(root, 'clone', '-q', '--bare', '.', 'bare.git');
    git(root, 'gc', '-q', '--prune=now');
    git(root, '-C', 'bare.git', 'gc', '-q');
    for (const folder of ['.git', 'bare.git'])
      expect(await told(`tail -c +9 ${folder}/objects/pack/*.pack`)).toEqual([
        expect.stringMatching(/^secret\.read .*\.env/),
      ]);
  });
});

describe('files with the objects of a repository without a secret', () => {
  it('are files like others', async () => {
    const { root, says } = project();
    git(root, 'init', '-q', '-b', 'main');
    commit(root, { 'a.ts': 'a\n' });
    write(root, { 'a.ts': 'b\n' });
    git(root, 'add', 'a.ts');
    for (const line of ['cat .git/objects/*/*', 'tar -cf ../x.tar .', 'cp -r . ../x'])
      expect((await says(line)).filter((each) => /^(?:secret|proc\.exec\.opaque)/.test(each))).toEqual([]);
    write(root, { lost: 'x' });
    git(root, 'hash-object', '-w', 'lost');
    // It may be a secret that was staged once.
    expect(await says('cat .git/objects/*/*')).toContainEqual(
      expect.stringMatching(/^proc\.exec\.opaque cat/),
    );
  });
});
