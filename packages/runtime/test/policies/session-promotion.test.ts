import { readFileSync, renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadWorkers } from '../../src/index.js';
import { calls, callsIn, type Files, out, runAt, worker, workplace, write } from '../session.js';

const module = `export default { name: 'crm', capabilities: [], tools: [] };`;

const files: Files = {
  'policy.yaml': {
    version: 1,
    default: 'needs_approval',
    capabilities: { 'worker.call': 'pre_approved', 'code.load': 'pre_approved' },
    workers: { scorer: { capabilities: { 'fs.write': 'pre_approved' } } },
  },
  'workers/main.worker': worker({
    sandbox: {
      paths: {
        ...out.paths,
        'the-in_1': { root: './in', mode: 'ro', read_approval: true, suffixes: ['.txt'] },
      },
    },
    toolsets: {
      delegation: { allow_workers: ['*'] },
      filesystem: { approvals: { delete_file: 'blocked', write_file: 'pre_approved' } },
      '../tools/crm.mjs': {},
      http: { timeout: 5 },
    },
    attachments: { max_count: 2, deny: ['.exe'] },
    max_depth: 4,
  }),
  'tools/crm.mjs': module,
  'in/a.txt': 'a',
};

const create = calls([
  'worker_create',
  {
    name: 'scorer',
    instructions: 'Give a score.\n---\nreally: "yes" # no\n',
    description: 'Scores: "well" #1',
    output_schema: { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] },
    toolsets: { filesystem: {}, '../tools/crm.mjs': {}, http: {}, delegation: { allow_workers: ['main'] } },
  },
]);
const call = calls(['worker_call', { worker: 'scorer', input: 'x' }]);

describe('a worker whose file a person moves beside the others', () => {
  it('is an ordinary worker of later runs, under its own name', async () => {
    const place = workplace({
      ...files,
      'script.yaml': {
        main: [create, call, { say: 'done' }],
        scorer: [calls(write('out/a')), { say: '{"score": 7}' }],
      },
    });
    const options = { workers: place.path('workers/main.worker'), mode: 'approve_all' } as const;
    const first = await runAt(place, options);
    expect(callsIn(first.events).map(([chain, tool, , came]) => [chain, tool, came])).toEqual([
      ['main', 'toolset.start', 'completed'],
      ['main', 'delegation.worker_create', 'completed'],
      ['main', 'delegation.worker_call', 'completed'],
      ['main > created:scorer', 'toolset.start', 'completed'],
      ['main > created:scorer', 'filesystem.write_file', 'completed'],
    ]);
    renameSync(place.path('workers/generated/scorer.worker'), place.path('workers/scorer.worker'));
    const again = await runAt(place, { ...options, mode: 'strict' });
    expect(callsIn(again.events)).toEqual([
      ['main', 'toolset.start', 'pre_approved', 'completed'],
      ['main', 'delegation.worker_create', 'needs_approval', 'cannot'],
      ['main', 'delegation.worker_call', 'pre_approved', 'completed'],
      ['main > scorer', 'toolset.start', 'pre_approved', 'completed'],
      // The rule for `scorer` permits this. It did not concern `created:scorer`.
      ['main > scorer', 'filesystem.write_file', 'pre_approved', 'completed'],
    ]);
  });

  it('reads back as what was created', async () => {
    const place = workplace({ ...files, 'script.yaml': { main: [create, { say: 'done' }] } });
    await runAt(place, { workers: place.path('workers/main.worker'), mode: 'approve_all' });
    renameSync(place.path('workers/generated/scorer.worker'), place.path('workers/scorer.worker'));
    const text = readFileSync(place.path('workers/scorer.worker'), 'utf8');
    const { workers, problems } = await loadWorkers(place.path('workers/scorer.worker'), {
      root: place.root,
      shared: [],
    });
    expect(problems).toEqual([]);
    const scorer = workers.get('scorer');
    expect(scorer).toMatchObject({
      description: 'Scores: "well" #1',
      instructions: 'Give a score.\n---\nreally: "yes" # no',
      maxDepth: 4,
      attachments: { max_count: 2, deny: ['.exe'] },
      roots: [
        { name: 'out', root: './out', mode: 'rw' },
        { name: 'the-in_1', root: './in', mode: 'ro', read_approval: true, suffixes: ['.txt'] },
      ],
      locked: false,
    });
    expect(
      scorer?.toolsets.map(({ key, configuration, approvals }) => [
        key,
        configuration,
        approvals.map(({ tool, decision }) => `${tool} ${decision}`),
      ]),
    ).toEqual([
      ['filesystem', {}, ['delete_file blocked']],
      ['../tools/crm.mjs', {}, []],
      ['http', { timeout: 5 }, []],
      ['delegation', { allow_workers: ['main'] }, []],
    ]);
    expect(text).not.toContain('pre_approved');
  });
});
