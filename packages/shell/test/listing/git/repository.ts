import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programs } from '../../../src/programs/entry/table.js';
import { text, type Word } from '../../../src/word.js';
import type { Changes, Performed } from '../../../src/world.js';
import { perform } from '../../perform.js';
import { emptyFolder, sceneAt } from '../scene.js';

/** Runs the real git without the user's settings. */
export function git(folder: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_AUTHOR_DATE: '1790000000 +0000',
    GIT_COMMITTER_DATE: '1790000000 +0000',
    LC_ALL: 'C',
  };
  const settings = [
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    '-c',
    'protocol.file.allow=always',
  ];
  return execFileSync('git', ['-C', folder, ...settings, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A repository with these files committed. */
export function repositoryOf(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder();
  git(folder, 'init', '-q', '-b', 'main');
  commit(folder, files);
  return folder;
}

/** A copy of a repository, which costs less than to make it again; like in the original, no time of a file tells of a change. */
export function copyOf(repository: string): string {
  const folder = emptyFolder();
  cpSync(repository, folder, { recursive: true, verbatimSymlinks: true });
  git(folder, 'update-index', '-q', '--refresh');
  return folder;
}

export function commit(folder: string, files: Readonly<Record<string, string>>): void {
  write(folder, files);
  git(folder, 'add', '-A', '-f');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'change');
}

/** The description of a git command by the table and the listers; a text if the command is opaque. */
export function describeGit(
  folder: string,
  command: string | readonly Word[],
  changes: Partial<Changes> = {},
): Performed | string {
  const words =
    typeof command === 'string'
      ? command
          .split(' ')
          .filter((word) => word !== '')
          .map(text)
      : command;
  const deed = perform(programs)('git', words, sceneAt(folder, changes));
  if (deed === null) throw new Error('git is missing in the table');
  const why = deed.effects.flatMap((effect) => (effect.kind === 'opaque' ? [effect.why] : []))[0];
  return why ?? deed;
}
