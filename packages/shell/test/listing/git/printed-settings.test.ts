import { describe, expect, it } from 'vitest';
import { touched } from '../context.js';
import { describeGit, git, repositoryOf } from './repository.js';

const header = ['http.https://github.com/.extraheader', 'AUTHORIZATION: basic abcdefgh'] as const;
const address = ['remote.origin.url', 'https://me:hunter2@github.com/acme/app.git'] as const;
const other = ['url.https://me:hunter2@github.com/.insteadof', 'https://github.com/'] as const;

/** Whether git reads the repository's settings, to print them. */
function isRead([key, value]: readonly [string, string], command: string): boolean {
  const folder = repositoryOf({ 'a.ts': 'a\n' });
  git(folder, 'config', 'remote.origin.url', 'https://github.com/acme/app.git');
  git(folder, 'config', key, value);
  const described = describeGit(folder, command);
  if (typeof described === 'string') throw new Error(described);
  return touched(described.effects, 'read').paths.includes(`${folder}/.git/config`);
}

describe('git that prints settings with a password', () => {
  it.each([
    [header, 'config --list'],
    [header, 'config -l --show-origin'],
    [header, 'config list'],
    [header, 'config --get-regexp extraheader'],
    [header, 'config --get-urlmatch http https://github.com/'],
    [header, `config ${header[0]}`],
    [header, 'config --get HTTP.https://github.com/.EXTRAHEADER'],
    [address, 'config remote.origin.url'],
    [address, 'remote -v'],
    [address, 'remote --verbose'],
    [address, 'remote get-url origin'],
    [address, 'ls-remote --get-url'],
    [other, 'ls-remote --get-url origin'],
    [other, 'remote get-url --push origin'],
    [other, 'config --list --name-only'],
  ])('reads %j: `git %s`', (setting, command) => expect(isRead(setting, command)).toBe(true));

  it.each([
    [header, 'config user.name'],
    [header, 'config core.bare'],
    [header, 'config --list --name-only'],
    [address, 'config --name-only --get-regexp url'],
    [header, 'remote -v'],
    [header, 'ls-remote -q --get-url origin'],
    [header, 'status'],
    [address, 'remote'],
    [address, 'config --global --get user.name'],
    [['user.name', 'A'], 'config --list'],
    [['remote.origin.url', 'git@github.com:acme/app.git'], 'remote -v'],
  ] as const)('does not print %j: `git %s`', (setting, command) =>
    expect(isRead(setting, command)).toBe(false),
  );
});
