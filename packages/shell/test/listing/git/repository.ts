import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programs } from '../../../src/programs/entry/table.js';
import { text, type Word } from '../../../src/word.js';
import type { Changes, Performed } from '../../../src/world.js';
import { perform } from '../../perform.js';
import { started } from '../../starter.js';
import { contextAt, emptyFolder } from '../context.js';

const settings = ['user.name=A', 'user.email=a@example.com', 'protocol.file.allow=always'];

/** Runs the real git without the user's settings. */
export function git(folder: string, ...args: readonly string[]): string {
  const command = ['git', ...settings.flatMap((each) => ['-c', each]), ...args];
  const { status, stdout, stderr } = started(folder, ...command);
  if (status !== 0) throw Object.assign(new Error(stderr), { stdout });
  return stdout;
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
  const described = perform(programs)('git', words, contextAt(folder, changes));
  if (described === null) throw new Error('git is missing in the table');
  const why = described.effects.flatMap((effect) => (effect.kind === 'opaque' ? [effect.why] : []))[0];
  return why ?? described;
}
