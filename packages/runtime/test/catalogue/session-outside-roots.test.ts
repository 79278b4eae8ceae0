import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { calls, callsIn, carriedBy, runAt, worker, workplace, write } from '../session.js';

/** Everything inside is permitted, and nothing outside. */
const policy = {
  version: 1,
  default: 'pre_approved',
  capabilities: {
    ...Object.fromEntries(
      ['read', 'list', 'write', 'delete'].map((access) => [`fs.${access}.outside`, 'blocked']),
    ),
    'proc.exec.opaque': 'blocked',
  },
};

/** A worker whose file names a folder beside the working folder, and makes this call. */
function placeOf(call: readonly [string, Json], root = '../beside') {
  const place = workplace({
    'policy.yaml': policy,
    'main.worker': worker({
      sandbox: { paths: { there: { root, mode: 'rw' } } },
      toolsets: { filesystem: {}, shell: { isolation: 'off' }, helper: {} },
    }),
    'helper.worker': worker(),
    'script.yaml': { main: [calls(call), { say: 'done' }], helper: [{ say: 'read' }] },
  });
  const beside = join(place.root, '../beside');
  mkdirSync(beside);
  writeFileSync(join(beside, 'a.txt'), 'alpha');
  symlinkSync('../beside', place.path('link'));
  return { place, beside };
}

const made: readonly (readonly [string, readonly [string, Json], readonly string[]])[] = [
  ['a read', ['read_file', { path: 'there/a.txt' }], ['fs.read.outside']],
  ['a list', ['list_files', { path: 'there' }], ['fs.list.outside']],
  ['a search', ['search_files', { path: 'there', pattern: 'alpha' }], ['fs.read.outside']],
  ['a write', write('there/b.txt'), ['fs.write.outside']],
  ['a write into a new folder', write('there/deep/b.txt'), ['fs.write.outside']],
  ['a deletion', ['delete_file', { path: 'there/a.txt' }], ['fs.delete.outside']],
  ['an attachment', ['helper', { input: 'read', attachments: ['there/a.txt'] }], ['fs.read.outside']],
  ['a command', ['run', { command: 'cat a.txt' }], ['fs.read.outside']],
];

describe('a root of a worker file outside the working folder', () => {
  it.each(made)('has `.outside` capabilities: %s', async (_, call, names) => {
    const { place } = placeOf(call);
    const { events } = await runAt(place, { open: true });
    const [first] = callsIn(events);
    expect(first?.slice(2)).toEqual(['blocked', 'blocked']);
    const carried = carriedBy(events, first?.[1] ?? '').map(({ name }) => name);
    for (const name of names) expect(carried).toContain(name);
    expect(carried.filter((name) => typeof name === 'string' && /^fs\.[a-z]+$/.test(name))).toEqual([]);
  });

  it.each(made)('has plain capabilities if a person gave it: %s', async (_, call) => {
    const { place, beside } = placeOf(call);
    const { events } = await runAt(place, { open: true, folders: { there: beside } });
    expect(callsIn(events)[0]?.slice(2)).toEqual(['pre_approved', 'completed']);
  });

  it.each(['../beside', './link', '~/beside'])('is recognised in any spelling: %s', async (root) => {
    const { place } = placeOf(['read_file', { path: 'there/a.txt' }], root);
    const { events } = await runAt(place, { open: true });
    expect(callsIn(events)[0]?.slice(2)).toEqual(['blocked', 'blocked']);
  });

  it('does not make system passwords readable as plain files', async () => {
    const { place } = placeOf(['read_file', { path: 'there/passwd' }], '/etc');
    const { events } = await runAt(place, { open: true });
    expect(carriedBy(events, 'filesystem.read_file')).toContainEqual(
      expect.objectContaining({ name: 'fs.read.outside', path: '/etc/passwd' }),
    );
    expect(callsIn(events)[0]?.[3]).toBe('blocked');
  });

  it('stays outside for a worker that is created with it', async () => {
    const { place } = placeOf([
      'worker_create',
      { name: 'made', description: 'd', instructions: 'Read.', toolsets: ['filesystem'] },
    ]);
    writeFileSync(
      place.path('main.worker'),
      worker({
        sandbox: { paths: { there: { root: '../beside', mode: 'ro' } } },
        toolsets: { filesystem: {}, delegation: {} },
      }),
    );
    writeFileSync(
      place.path('script.yaml'),
      JSON.stringify({
        main: [
          calls([
            'worker_create',
            { name: 'made', description: 'd', instructions: 'Read.', toolsets: ['filesystem'] },
          ]),
          calls(['worker_call', { worker: 'created:made', input: 'go' }]),
          { say: 'done' },
        ],
        'created:made': [calls(['read_file', { path: 'there/a.txt' }]), { say: 'done' }],
      }),
    );
    const { events } = await runAt(place, { open: true, mode: 'approve_all' });
    expect(
      callsIn(events)
        .find(([, tool]) => tool === 'filesystem.read_file')
        ?.slice(2),
    ).toEqual(['blocked', 'blocked']);
  });
});
