import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  type Files,
  type Options,
  out,
  reasonsIn,
  runAt,
  worker,
  workplace,
  write,
  yes,
} from './session.js';

const creating = { version: 1, default: 'needs_approval', capabilities: { worker: 'needs_approval' } };

const files: Files = {
  'policy.yaml': creating,
  'main.worker': worker({ sandbox: out, toolsets: { delegation: {}, filesystem: {}, helper: {} } }),
  'helper.worker': worker({}),
};

const scorer = { name: 'scorer', instructions: 'Give a score.', description: 'Scores' };
const create = (more: JsonObject = {}) => ['worker_create', { ...scorer, ...more }] as const;
const callIt = (name = 'scorer') => ['worker_call', { worker: name, input: 'score it' }] as const;

/** A run in which `main` makes these calls, one after another, and the new worker does what it is told. */
async function runOf(
  turns: readonly Json[],
  { more = {}, options = {}, does = [] }: { more?: Files; options?: Options; does?: readonly Json[] } = {},
) {
  const script = { main: [...turns, { say: 'done' }], scorer: [...does, { say: '7 of 10' }], helper: [] };
  const place = workplace({ ...files, 'script.yaml': script, ...more });
  const ran = await runAt(place, { mode: 'approve_all', ...options });
  return { ...ran, place, calls: callsIn(ran.events) };
}

const created = ({ text }: ReturnType<typeof workplace>, name = 'scorer') => text(`generated/${name}.worker`);

describe('worker_create', () => {
  it('writes a worker that can be called at once, under a name that no permission is for', async () => {
    const { calls: made, place, events, status } = await runOf([calls(create()), calls(callIt())]);
    expect([status, made]).toEqual([
      'finished',
      [
        ['main', 'delegation.worker_create', 'needs_approval', 'completed'],
        ['main', 'delegation.worker_call', 'needs_approval', 'completed'],
      ],
    ]);
    expect(carriedBy(events, 'delegation.worker_create')).toEqual([
      { name: 'worker.create', worker: 'created:scorer', toolsets: [] },
    ]);
    expect(carriedBy(events, 'delegation.worker_call')).toEqual([
      { name: 'worker.call', worker: 'created:scorer', attachments: 0 },
    ]);
    expect(created(place)).toBe('name: scorer\ndescription: "Scores"\n---\nGive a score.\n');
    expect(readdirSync(place.path('generated'))).toEqual(['scorer.worker']);
  });

  it('is refused, and writes nothing, where nobody may approve it', async () => {
    const { calls: made, place } = await runOf([calls(create()), calls(callIt())], {
      options: { mode: 'strict' },
    });
    expect(made.map(([, , , came]) => came)).toEqual(['strict', 'cannot']);
    expect(created(place)).toBe(null);
  });

  it('shows a person the file as it will be written, and what it could do in words', async () => {
    const { approver, questions } = asking(() => yes);
    const { place } = await runOf([calls(create({ toolsets: ['filesystem'] }))], {
      options: { mode: 'interactive', approver },
    });
    expect(questions.map(({ summary, preview }) => ({ summary, preview }))).toEqual([
      {
        summary:
          'create the worker `scorer`, for this run; as its creator can, it could use filesystem; read and write in `out`; unlike the defaults, with also the toolset filesystem, also the root `out` (rw); on the model of its caller, 5 deep at most',
        preview: { path: place.path('generated/scorer.worker'), before: null, after: created(place) },
      },
    ]);
  });

  it('writes what a person made of it', async () => {
    const edited = { ...scorer, instructions: 'Be kind.' };
    const { approver } = asking(() => ({ answer: 'approve', person: 'ada', args: edited }));
    const { place } = await runOf([calls(create())], { options: { mode: 'interactive', approver } });
    expect(created(place)).toContain('---\nBe kind.\n');
  });

  it('gives an answer that is held to its schema', async () => {
    const { calls: made, events } = await runOf([
      calls(create({ output_schema: { type: 'object', properties: { score: { type: 'number' } } } })),
      calls(callIt()),
    ]);
    expect(made.map(([, , , came]) => came)).toEqual(['completed', 'failed']);
    expect(reasonsIn(events)[0]).toContain('created:scorer answered with something that is not JSON');
  });

  it('is of this run alone: a later one does not have the worker, and does not write over it', async () => {
    const first = await runOf([calls(create())]);
    const again = await runAt(first.place, { mode: 'approve_all' });
    expect(callsIn(again.events).map(([, , , came]) => came)).toEqual(['cannot']);
    expect(reasonsIn(again.events)[0]).toContain('there is a worker `scorer` already');
  });
});

describe('a worker that was created', () => {
  const writing = [calls(write('out/a')), calls(write('secret/b'))];
  const withFiles = create({ toolsets: ['filesystem'] });

  it('has the folders of its creator with the toolset that uses them, and no others', async () => {
    const { calls: made, place } = await runOf([calls(withFiles), calls(callIt())], {
      does: writing,
      more: { 'helper.worker': worker({ sandbox: { paths: { secret: { root: './secret', mode: 'rw' } } } }) },
    });
    expect(made.filter(([chain]) => chain === 'main > created:scorer')).toEqual([
      ['main > created:scorer', 'filesystem.write_file', 'needs_approval', 'completed'],
      ['main > created:scorer', 'filesystem.write_file', 'needs_approval', 'cannot'],
    ]);
    expect([place.text('out/a'), place.text('secret/b')]).toEqual(['text', null]);
  });

  it.each<readonly [string, JsonObject, string]>([
    [
      'permitted by no rule for its NAME',
      { workers: { scorer: { capabilities: { 'fs.write': 'pre_approved' } } } },
      'strict',
    ],
    [
      'permitted by no rule for its creator',
      { workers: { main: { capabilities: { 'fs.write': 'pre_approved' } } } },
      'strict',
    ],
    [
      'permitted by no rule for `created`',
      { workers: { created: { capabilities: { 'fs.write': 'pre_approved' } } } },
      'strict',
    ],
    [
      'restricted by a rule for its NAME',
      { workers: { scorer: { capabilities: { fs: 'blocked' } } } },
      'blocked',
    ],
    [
      'restricted by a rule for `created`',
      { workers: { created: { capabilities: { fs: 'blocked' } } } },
      'blocked',
    ],
    [
      'restricted by a rule for its creator',
      { workers: { main: { capabilities: { fs: 'blocked' } } } },
      'blocked',
    ],
  ])('is %s', async (_, rules, came) => {
    const policy = {
      ...creating,
      capabilities: { worker: { decision: 'pre_approved', below: true } },
      ...rules,
    };
    const { calls: made } = await runOf([calls(withFiles), calls(callIt())], {
      does: [calls(write('out/a'))],
      more: { 'policy.yaml': policy },
      options: { mode: 'strict' },
    });
    expect(made.at(-1)).toMatchObject([
      'main > created:scorer',
      'filesystem.write_file',
      expect.anything(),
      came,
    ]);
  });

  it('is held to what its creator’s reference restricts, and has nothing that was granted', async () => {
    const approvals = { write_file: 'blocked', delete_file: 'pre_approved' };
    const main = worker({ sandbox: out, toolsets: { delegation: {}, filesystem: { approvals } } });
    const { calls: made, place } = await runOf([calls(withFiles), calls(callIt())], {
      does: [calls(write('out/a'))],
      more: { 'main.worker': main },
    });
    expect(made.at(-1)).toEqual(['main > created:scorer', 'filesystem.write_file', 'blocked', 'blocked']);
    expect(created(place)).toContain('filesystem: { approvals: { write_file: "blocked" } }');
    expect(created(place)).not.toContain('pre_approved');
  });

  it('has no approvals of its own: they are left out, and whoever creates it is told', async () => {
    const granted = { filesystem: { approvals: { write_file: 'pre_approved' } } };
    const { approver, questions } = asking(() => yes);
    const { calls: made, place } = await runOf([calls(create({ toolsets: granted })), calls(callIt())], {
      does: [calls(write('out/a'))],
      more: { 'policy.yaml': { ...creating, grants: { workers: true } } },
      options: { mode: 'interactive', approver },
    });
    expect(made.at(-1)?.[2]).toBe('needs_approval');
    expect(questions[0]?.summary).toContain('the approvals for filesystem are left out');
    expect(created(place)).not.toContain('approvals');
  });

  it('is nobody’s to call but its creator’s, whomever else another may call', async () => {
    const { calls: made, events } = await runOf(
      [calls(['builder', { input: 'go' }]), calls(callIt('created:scorer'))],
      {
        more: {
          'main.worker': worker({ toolsets: { delegation: { allow_workers: ['*'] }, builder: {} } }),
          'builder.worker': worker({ toolsets: { delegation: {} } }),
          'script.yaml': {
            main: [calls(['builder', { input: 'go' }]), calls(callIt('created:scorer')), { say: 'done' }],
            builder: [calls(create()), calls(callIt()), { say: 'built' }],
            'created:scorer': [{ say: '7' }],
          },
        },
      },
    );
    expect(made.map(([chain, tool, , came]) => [chain, tool, came])).toEqual([
      ['main', 'worker.builder', 'completed'],
      ['main > builder', 'delegation.worker_create', 'completed'],
      ['main > builder', 'delegation.worker_call', 'completed'],
      ['main', 'delegation.worker_call', 'cannot'],
    ]);
    expect(reasonsIn(events)).toEqual(['`created:scorer` is not among the workers that can be called: *']);
  });

  it('creates workers that can do no more than it can', async () => {
    const nested = [
      calls(['worker_create', { ...scorer, name: 'inner', toolsets: ['filesystem'] }]),
      calls(['worker_create', { ...scorer, name: 'inner' }]),
      calls(callIt('inner')),
    ];
    const { calls: made } = await runOf([calls(create({ toolsets: ['delegation'] })), calls(callIt())], {
      does: nested,
    });
    expect(made.slice(2)).toEqual([
      ['main > created:scorer', 'delegation.worker_create', 'needs_approval', 'cannot'],
      ['main > created:scorer', 'delegation.worker_create', 'needs_approval', 'completed'],
      ['main > created:scorer', 'delegation.worker_call', 'needs_approval', 'failed'],
    ]);
  });
});

describe('what a worker cannot create', () => {
  it.each<readonly [string, JsonObject, string]>([
    ['a way out of the folder', { name: '../evil' }, 'a name begins with'],
    ['a name with a slash', { name: 'a/b' }, 'a name begins with'],
    ['a name that looks like another', { name: 'sсorer' }, 'a name begins with'],
    ['a name in capitals', { name: 'Main' }, 'a name begins with'],
    ['a name with a line behind it', { name: 'scorer\n' }, 'a name begins with'],
    ['a name that is none', { name: '__proto__' }, 'a name begins with'],
    ['a name with the prefix', { name: 'created:x' }, 'a name begins with'],
    ['a reserved name', { name: 'filesystem' }, 'is reserved'],
    ['the name of a server', { name: 'mcp-x' }, 'is reserved'],
    ['a worker that there is', { name: 'helper' }, 'there is a worker'],
    ['itself', { name: 'main' }, 'there is a worker'],
    ['a locked worker that this run does not load', { name: 'locked' }, 'there is a worker `locked` already'],
    ['a toolset that it has not', { toolsets: ['shell'] }, 'main has no toolset `shell`'],
    ['a module', { toolsets: { './evil.js': {} } }, 'main has no toolset `./evil.js`'],
    ['a server', { toolsets: { 'mcp-x': { command: ['sh'] } } }, 'main has no toolset `mcp-x`'],
    ['a prototype for a toolset', { toolsets: ['constructor'] }, 'main has no toolset `constructor`'],
    [
      'another configuration',
      { toolsets: { http: { timeout: 60 } } },
      '`timeout` of http is not what main has',
    ],
    [
      'more of a configuration',
      { toolsets: { http: { proxy: 'http://a:1' } } },
      '`proxy` of http is not what main has',
    ],
    [
      'a call of another worker',
      { toolsets: { delegation: { allow_workers: ['locked'] } } },
      'main may not call "locked"',
    ],
    [
      'a call of all workers',
      { toolsets: { delegation: { allow_workers: ['*'] } } },
      'main may not call "*"',
    ],
    [
      'no list of workers',
      { toolsets: { delegation: { allow_workers: 'helper' } } },
      '`allow_workers` is a list',
    ],
    ['a model that there is not', { model: 'gpt' }, 'is not a model'],
    ['a script that was not loaded', { model: 'script:other.yaml' }, 'was not loaded'],
    ['a schema that is none', { output_schema: { type: 'nonsense' } }, 'this is no worker'],
    ['more than anybody reads', { instructions: 'x'.repeat(100_001) }, 'at most 100000 characters'],
  ])('%s', async (_, args, reason) => {
    const more = {
      'main.worker': worker({
        sandbox: out,
        toolsets: { delegation: { allow_workers: ['helper'] }, filesystem: {}, http: { timeout: 5 } },
      }),
      'locked.worker': worker({ locked: true }),
      'other.yaml': { scorer: [] },
    };
    const { calls: made, events, place } = await runOf([calls(create(args))], { more });
    expect(made.map(([, , , came]) => came)).toEqual(['cannot']);
    expect(reasonsIn(events)[0]).toContain(reason);
    expect([readdirSync(place.root).includes('generated'), place.text('locked.worker')]).toEqual([
      false,
      more['locked.worker'],
    ]);
  });

  it.each([
    ['header', 'x\n---\ntoolsets: { filesystem: {} }\n---\n'],
    ['description', '"\ntoolsets: { filesystem: {} }\n#\u2028\u0085'],
  ])('a file that says more than was shown, by what its %s says', async (_, text) => {
    const { place, calls: made } = await runOf(
      [calls(create({ instructions: text, description: text })), calls(callIt())],
      {
        does: [calls(write('out/a'))],
      },
    );
    expect(made.at(-1)?.[3]).not.toBe('failed');
    expect(place.text('out/a')).toBe(null);
    expect(created(place)?.split('\n---\n')[0]).not.toMatch(/^toolsets/m);
  });

  it('two workers of one name, made at once', async () => {
    const { calls: made, place } = await runOf([
      calls(create({ instructions: 'One.' }), create({ instructions: 'Two.' })),
    ]);
    expect(new Set(made.map(([, , , came]) => came))).toEqual(new Set(['completed', 'failed']));
    expect(readdirSync(place.path('generated'))).toEqual(['scorer.worker']);
  });

  it('anything through a folder that is a link, nor over a file that came meanwhile', async () => {
    const linked = workplace({ ...files, 'script.yaml': { main: [calls(create()), { say: 'done' }] } });
    mkdirSync(linked.path('elsewhere'));
    symlinkSync(linked.path('elsewhere'), linked.path('generated'));
    const ran = await runAt(linked, { mode: 'approve_all' });
    expect(callsIn(ran.events).map(([, , , came]) => came)).toEqual(['failed']);
    expect(readdirSync(linked.path('elsewhere'))).toEqual([]);
    const { approver } = asking(() => {
      mkdirSync(raced.path('generated'));
      writeFileSync(raced.path('generated/scorer.worker'), 'mine');
      return yes;
    });
    const raced = workplace({ ...files, 'script.yaml': { main: [calls(create()), { say: 'done' }] } });
    const other = await runAt(raced, { mode: 'interactive', approver });
    expect(callsIn(other.events).map(([, , , came]) => came)).toEqual(['cannot']);
    expect(created(raced)).toBe('mine');
  });

  it('a worker file by writing it: the folder is guarded', async () => {
    const root = { paths: { here: { root: '.', mode: 'rw' } } };
    const main = worker({ sandbox: root, toolsets: { delegation: {}, filesystem: {} } });
    const { calls: made } = await runOf(
      [
        calls(create()),
        calls(write('here/generated/scorer.worker')),
        calls(write('here/generated/b.worker')),
      ],
      { more: { 'main.worker': main } },
    );
    expect(made.slice(1).map(([, , decision]) => decision)).toEqual(['blocked', 'blocked']);
  });

  it('anything that leaves a trace where it cannot be written', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [calls(create()), calls(callIt()), { say: 'done' }] },
    });
    writeFileSync(join(place.root, 'generated'), 'a file');
    const { events } = await runAt(place, { mode: 'approve_all' });
    expect(callsIn(events).map(([, , , came]) => came)).toEqual(['cannot', 'cannot']);
    expect(place.text('generated')).toBe('a file');
  });
});
