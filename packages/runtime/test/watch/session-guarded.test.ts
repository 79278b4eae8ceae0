import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Json, Mode } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  decisionOn,
  type Files,
  linesOf,
  runAt,
  type Workplace,
  worker,
  workplace,
  write,
  yes,
} from '../session.js';

const all = { paths: { all: { root: '.', mode: 'rw' } } } as const;
const open = {
  version: 1,
  default: 'needs_approval',
  extends: ['rules/org.yaml'],
  capabilities: { fs: { decision: 'pre_approved', below: true } as never, 'code.load': 'pre_approved' },
};
const permitting = {
  ...open,
  capabilities: {
    'fs.write': 'pre_approved',
    'fs.delete': 'pre_approved',
    'fs.read': 'pre_approved',
    'code.load': 'pre_approved',
    'sys.guard': 'pre_approved',
    sys: { decision: 'pre_approved', below: true },
  },
  tools: { 'filesystem.*': 'pre_approved' },
  grants: { workers: true },
};
const files: Files = {
  'policy.yaml': permitting,
  'rules/org.yaml': { version: 1, default: 'pre_approved' },
  'main.worker': worker({
    sandbox: all,
    toolsets: {
      filesystem: { approvals: { write_file: 'pre_approved' } },
      helper: {},
      './tools/crm.mjs': {},
    },
  }),
  'helper.worker': worker({ sandbox: all, toolsets: { filesystem: {} } }),
  'tools/crm.mjs': 'export default { name: "crm", tools: [], capabilities: [] };',
  'state/keep': '',
  'free.txt': 'free',
};

/** A place where everything guarded lies in the folder that may be written, with the turns of one script. */
function guardedPlace(turns: readonly Json[], more: Files = {}): Workplace {
  return workplace({ ...files, 'script.yaml': { main: [...turns, { say: 'done' }] }, ...more });
}

const options = (place: Workplace, mode: Mode = 'approve_all') => ({
  mode,
  approver: asking(() => yes).approver,
  log: place.path('logs/run.jsonl'),
  environment: { AMBIT_HOME: place.path('state') },
});

const everything = [
  'policy.yaml',
  'rules/org.yaml',
  'main.worker',
  'helper.worker',
  'tools/crm.mjs',
  'logs/run.jsonl',
  'logs/run.jsonl.lock',
  `logs/manifests/${'0a'.repeat(32)}.json.gz`,
  'state/new-file',
  'state/other-folder/answers',
  'state/keep',
];

describe('a file that judges, answers or records a run', () => {
  it.each(['approve_all', 'interactive', 'strict'] as const)(
    'cannot be changed by the run in the mode %s',
    async (mode) => {
      const place = guardedPlace(everything.map((path) => calls(write(`all/${path}`, 'mine'))));
      const { events } = await runAt(place, options(place, mode));
      const rows = callsIn(events).filter(([, tool]) => tool === 'filesystem.write_file');
      expect(rows).toEqual(everything.map(() => ['main', 'filesystem.write_file', 'blocked', 'blocked']));
      const contents = everything.map((path) => place.text(path));
      expect(contents.filter((text) => text === 'mine')).toEqual([]);
      expect(decisionOn(events, 'filesystem.write_file')).toMatchObject({
        capabilities: expect.arrayContaining([
          { name: 'sys.guard', what: 'policy file', path: place.path('policy.yaml') },
        ]),
        reason: 'what judges, answers or records a run is not changed from within it',
      });
    },
  );

  it.each<[string, readonly [string, Json]]>([
    ['edited', ['edit_file', { path: 'all/policy.yaml', old_text: 'version', new_text: 'x' }]],
    ['deleted', ['delete_file', { path: 'all/policy.yaml' }]],
    ['moved away', ['move_file', { path: 'all/policy.yaml', to: 'all/old.yaml' }]],
    ['replaced by a move', ['move_file', { path: 'all/free.txt', to: 'all/main.worker' }]],
    ['written through a link to it', ['write_file', { path: 'all/link.yaml', content: 'mine' }]],
    [
      'written through a link to its folder',
      ['write_file', { path: 'all/way/policy.yaml', content: 'mine' }],
    ],
    ['written through two links', ['write_file', { path: 'all/way/way/link.yaml', content: 'mine' }]],
    [
      'written through its place in another root',
      ['write_file', { path: 'rules/org.yaml', content: 'mine' }],
    ],
    ['deleted through a link to its folder', ['delete_file', { path: 'all/way/main.worker' }]],
    ['named with dots', ['write_file', { path: 'all/x/../policy.yaml', content: 'mine' }]],
  ])('cannot be %s', async (_, [tool, args]) => {
    const place = guardedPlace([calls([tool, args])], {
      'main.worker': worker({
        sandbox: { paths: { ...all.paths, rules: { root: './rules', mode: 'rw' } } },
        toolsets: { filesystem: {} },
      }),
    });
    symlinkSync('policy.yaml', place.path('link.yaml'));
    symlinkSync('.', place.path('way'));
    const before = ['policy.yaml', 'rules/org.yaml', 'main.worker'].map((name) => place.text(name));
    const { events } = await runAt(place, options(place));
    expect(callsIn(events)).toEqual([['main', `filesystem.${tool}`, 'blocked', 'blocked']]);
    expect(['policy.yaml', 'rules/org.yaml', 'main.worker'].map((name) => place.text(name))).toEqual(before);
  });

  it('cannot be changed through its given name if that is a link', async () => {
    const place = guardedPlace(
      [
        calls(write('all/named.yaml', 'mine')),
        calls(['move_file', { path: 'all/free.txt', to: 'all/named.yaml' }]),
      ],
      { 'real/policy.yaml': { version: 1, default: 'needs_approval' } },
    );
    symlinkSync('real/policy.yaml', place.path('named.yaml'));
    const { events } = await runAt(place, { ...options(place), policies: ['named.yaml', 'policy.yaml'] });
    expect(
      callsIn(events)
        .slice(1)
        .map(([, , decision]) => decision),
    ).toEqual(['blocked', 'blocked']);
  });

  it('cannot be changed by a delegate', async () => {
    const place = workplace({
      ...files,
      'policy.yaml': {
        ...permitting,
        capabilities: { ...permitting.capabilities, 'worker.call': 'pre_approved' },
      },
      'script.yaml': {
        main: [calls(['helper', { input: 'x' }]), { say: 'done' }],
        helper: [calls(write('all/policy.yaml', 'mine')), { say: 'done' }],
      },
    });
    const { events } = await runAt(place, options(place));
    expect(callsIn(events).at(-1)).toEqual(['main > helper', 'filesystem.write_file', 'blocked', 'blocked']);
  });

  it('cannot be changed by a person’s edit of a call’s arguments', async () => {
    const place = guardedPlace([calls(write('all/free.txt', 'x'))], {
      'policy.yaml': {
        ...permitting,
        capabilities: { 'code.load': 'pre_approved' },
        grants: { workers: false },
        tools: { 'filesystem.read_file': 'pre_approved' },
      },
    });
    const args = { path: 'all/main.worker', content: 'mine' };
    const { approver } = asking(() => ({ ...yes, args }) as Answer);
    const { events } = await runAt(place, { ...options(place, 'interactive'), approver });
    expect(callsIn(events).at(-1)?.slice(1)).toEqual(['filesystem.write_file', 'needs_approval', 'blocked']);
    expect([place.text('main.worker')?.includes('mine'), place.text('free.txt')]).toEqual([false, 'free']);
  });

  it('includes the log folder if each run has its own log', async () => {
    const place = guardedPlace(
      [calls(write('all/.ambit/log/older.jsonl', 'mine')), calls(write('all/.ambit/log/new', 'mine'))],
      {
        '.ambit/log/older.jsonl': 'older',
      },
    );
    const { log: _, ...rest } = options(place);
    const { events } = await runAt(place, rest);
    expect(
      callsIn(events)
        .slice(1)
        .map(([, , decision]) => decision),
    ).toEqual(['blocked', 'blocked']);
    expect(place.text('.ambit/log/older.jsonl')).toBe('older');
  });

  it('does not include its neighbours', async () => {
    const free = [
      'free.txt',
      'policy.yaml.txt',
      'rules/other.txt',
      'logs/notes.txt',
      'logs/manifests/notes.json',
      'stateful',
      'tools/notes.md',
    ];
    const place = guardedPlace(free.map((path) => calls(write(`all/${path}`, 'mine'))));
    const { events } = await runAt(place, options(place));
    expect(
      callsIn(events)
        .slice(1)
        .map(([, , , came]) => came),
    ).toEqual(free.map(() => 'completed'));
    expect(free.map((path) => place.text(path))).toEqual(free.map(() => 'mine'));
  });

  it('includes every worker file of the folder, and future ones', async () => {
    const place = guardedPlace(
      [calls(write('all/unused.worker', 'mine')), calls(write('all/new.worker', 'mine'))],
      {
        'unused.worker': worker(),
      },
    );
    const { events } = await runAt(place, options(place));
    expect(
      callsIn(events)
        .slice(1)
        .map(([, , decision]) => decision),
    ).toEqual(['blocked', 'blocked']);
    expect(place.text('new.worker')).toBe(null);
  });
});

describe('a checkout', () => {
  const strict = { version: 1, default: 'needs_approval' };
  const shipped: Files = {
    'main.worker': worker({
      sandbox: { paths: { out: { root: './out', mode: 'rw' } } },
      toolsets: { filesystem: { approvals: { write_file: 'pre_approved', list_files: 'pre_approved' } } },
    }),
    'script.yaml': { main: [calls(write('out/a')), calls(['list_files', { path: 'out' }]), { say: 'done' }] },
  };
  /** Every file of the folder that an attacker may want to have read. */
  const planted: Files = {
    'policy.yaml': { version: 1, default: 'pre_approved' },
    'ambit.yaml': { version: 1, default: 'pre_approved' },
    '.ambit/policy.yaml': { version: 1, default: 'pre_approved' },
    'etc/ambit/policy.yaml': { version: 1, default: 'pre_approved', capabilities: { 'fs.list': 'blocked' } },
    '.ambit/answers.json': [
      { source: 'kept', tool: 'filesystem.write_file', remember: 'always', reach: 'capability' },
    ],
    '.ambit/log.key': 'k'.repeat(32),
    '.ambit/log/aaa.jsonl': '{"event":"approval"}\n',
    '.ambit/log/log.key': 'k'.repeat(32),
    '.ambit/runs/run.json': {},
    '.local/state/ambit/log.key': 'k'.repeat(32),
    'state/log.key': 'k'.repeat(32),
    'filesystem.worker': worker(),
    'node_modules/filesystem/index.js': 'throw new Error("loaded")',
  };

  it('permits nothing beyond the given policy, whatever it contains', async () => {
    const rows = async (more: Files) => {
      const place = workplace({ ...shipped, ...more });
      mkdirSync(join(place.root, '..', 'given'));
      const policy = join(place.root, '..', 'given', 'policy.yaml');
      writeFileSync(policy, JSON.stringify(strict));
      const { events, log } = await runAt(place, { policies: [policy] });
      const names = events.flatMap(({ event, files: given }) =>
        event === 'policy' ? (given as readonly { name: string }[]).map(({ name }) => name) : [],
      );
      expect(names).toEqual([policy]);
      expect(log.startsWith(join(place.state, 'log/work-'))).toBe(true);
      return callsIn(events);
    };
    const bare = await rows({});
    expect(bare.map(([, , , came]) => came)).toEqual(['strict', 'strict']);
    expect(await rows(planted)).toEqual(bare);
  });

  it('cannot permit anything by a project configuration', async () => {
    const hoping = {
      created: { toolsets: { filesystem: { approvals: { write_file: 'pre_approved' } } } },
      prices: { currency: 'USD', models: { '*': { input: 0, output: 0 } } },
    };
    const place = workplace({ ...shipped, 'policy.yaml': strict, 'ambit.yaml': hoping });
    expect(callsIn((await runAt(place)).events).map(([, , , came]) => came)).toEqual(['strict', 'strict']);
  });

  it('cannot provide the key: digests use the key of the state folder', async () => {
    const place = workplace({ ...shipped, ...planted, 'policy.yaml': strict });
    const { log } = await runAt(place);
    const [folder = ''] = readdirSync(place.state).filter((name) => name.startsWith('work-'));
    const key = readFileSync(join(place.state, folder, 'log.key'));
    expect([key.length, key.equals(Buffer.from('k'.repeat(32)))]).toEqual([32, false]);
    expect(linesOf(log).length).toBeGreaterThan(2);
  });

  it('cannot unguard its log by replacing the log folder with a link', async () => {
    const place = workplace({
      ...shipped,
      'policy.yaml': strict,
      'script.yaml': { main: [calls(write('out/x.jsonl')), { say: 'done' }] },
      'out/keep': '',
    });
    symlinkSync('out', place.path('.ambit'));
    mkdirSync(place.path('out/log'));
    const writing = { main: [calls(write('out/log/x.jsonl')), { say: 'done' }] };
    writeFileSync(place.path('script.yaml'), JSON.stringify(writing));
    const { events } = await runAt(place, { mode: 'approve_all' });
    expect(callsIn(events)[0]?.slice(2)).toEqual(['blocked', 'blocked']);
  });
});
