import { describe, expect, it } from 'vitest';
import { programs } from '../../../src/programs/entry/table.js';
import { text } from '../../../src/word.js';
import { perform } from '../../perform.js';
import { contextAt } from '../context.js';
import { git, repositoryOf } from './repository.js';

const remotes = {
  origin: 'https://github.com/acme/ledger.git',
  ssh: 'git@example.com:acme/x.git',
  long: 'ssh://git@example.org:2222/x.git',
  here: '/srv/x.git',
  helper: 'ext::./evil',
};

/** The hosts that a command connects to, and the branches that it publishes. */
function reached(command: string, settings: Readonly<Record<string, string>> = {}): unknown {
  const folder = repositoryOf({ 'a.ts': 'a\n' });
  for (const [name, url] of Object.entries(remotes)) git(folder, 'remote', 'add', name, url);
  for (const [key, value] of Object.entries(settings)) git(folder, 'config', key, value);
  const described = perform(programs)('git', command.split(' ').map(text), contextAt(folder));
  return described?.effects.flatMap((effect): unknown[] => {
    if (effect.kind === 'connect') return [effect.to === null ? 'anywhere' : effect.to];
    if (effect.kind === 'path') return [effect.word];
    if (effect.kind === 'opaque') return ['opaque'];
    return effect.kind === 'capability' ? [effect.capability] : [];
  });
}

describe('remote repositories of git', () => {
  it.each([
    ['fetch', [text(remotes.origin), 'opaque']],
    ['fetch ssh', [text('example.com'), 'opaque']],
    ['pull long main', [text(remotes.long), 'opaque']],
    ['fetch here', [text('/srv/x.git'), 'opaque']],
    ['fetch file:///srv/x.git', [text('/srv/x.git'), 'opaque']],
    ['fetch helper', ['anywhere', 'opaque']],
    ['fetch https://a.example/x', [text('https://a.example/x'), 'opaque']],
    ['fetch nobody', ['anywhere', 'opaque']],
    ['ls-remote ssh', [text('example.com'), 'opaque']],
    ['ls-remote .', [text('./.git'), 'opaque']],
    ['ls-remote ssh --get-url', [text('example.com'), 'opaque']],
    ['fetch ./.git', [text('./.git'), 'opaque']],
    ['push', [{ name: 'vcs.push', remote: 'origin' }, text(remotes.origin), 'opaque']],
    ['push ssh main', [{ name: 'vcs.push', remote: 'ssh', branch: 'main' }, text('example.com'), 'opaque']],
    [
      'push origin +a:b',
      [{ name: 'vcs.push', remote: 'origin', branch: 'b' }, text(remotes.origin), 'opaque'],
    ],
  ])('reports the connections of `git %s`', (command, wanted) => {
    expect(reached(command)).toEqual(wanted);
  });

  it('uses the remote of the branch, and knows no host when a setting replaces its address', () => {
    expect(reached('fetch', { 'branch.main.remote': 'ssh' })).toEqual([text('example.com'), 'opaque']);
    expect(reached('push', { 'remote.origin.pushurl': 'https://b.example/y' })).toContainEqual(
      text('https://b.example/y'),
    );
    for (const key of ['branch.main.pushRemote', 'remote.pushDefault'])
      expect(reached('push', { 'branch.main.remote': 'here', [key]: 'ssh' }), key).toEqual([
        { name: 'vcs.push', remote: 'ssh' },
        text('example.com'),
        'opaque',
      ]);
    expect(reached('push --all', { 'branch.main.remote': 'ssh' })).toContainEqual(text('example.com'));
    expect(reached('fetch', { 'url.https://evil.example/.insteadOf': 'https://github.com/' })).toEqual([
      'anywhere',
      'opaque',
    ]);
    expect(reached('fetch', { 'core.fsmonitor': './evil' })).toEqual(['anywhere', 'opaque']);
    expect(reached('push', { 'core.fsmonitor': './evil' })).toEqual([
      { name: 'vcs.push' },
      'anywhere',
      'opaque',
    ]);
  });
});
