import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/effect.js';
import type { Deed } from '../../../src/world.js';
import { commit, describeGit, git, repositoryOf } from './repository.js';

function capabilitiesOf(deed: Deed | string): readonly unknown[] {
  if (typeof deed === 'string') throw new Error(deed);
  return deed.effects.flatMap((effect: Effect) => (effect.kind === 'capability' ? [effect.capability] : []));
}

/** Names of the secrets that it reads, relative to the folder. */
function secretsOf(folder: string, command: string): unknown {
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

function leaky(): string {
  const folder = repositoryOf({ 'src/a.ts': 'a\n', 'package.json': '{}\n' });
  commit(folder, { '.env': 'SECRET=1\n', 'src/a.ts': 'b\n' });
  git(folder, 'rm', '-q', '.env');
  commit(folder, { 'src/a.ts': 'c\n' });
  commit(folder, { 'src/a.ts': 'd\n' });
  commit(folder, { 'src/b.ts': 'e\n' });
  return folder;
}

describe('content from the history of git', () => {
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
    ['show', []],
    ['show HEAD', []],
    ['show HEAD~2', ['.env']],
    ['show HEAD~3', ['.env']],
    ['show --stat HEAD~3', []],
    ['show HEAD~3:.env', ['.env']],
    ['show HEAD~1:package.json', []],
    ['show :/change', ['.env']],
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
    ['grep SECRET', []],
    ['grep SECRET HEAD~3', ['.env']],
    ['grep SECRET HEAD~1', []],
    ['grep SECRET HEAD~3 -- src', []],
    ['archive HEAD~3 .env', ['.env']],
    ['archive HEAD~3', ['.env']],
    ['archive HEAD', []],
    ['archive HEAD~3 src', []],
    ['blame src/a.ts', []],
    ['blame HEAD~3 -- .env', ['.env']],
  ])('says which well-known secrets `git %s` shows', (command, secrets) => {
    expect(secretsOf(folder, command)).toEqual(secrets);
  });
});
