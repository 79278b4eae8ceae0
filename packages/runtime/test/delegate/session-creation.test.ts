import { readdirSync } from 'node:fs';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { asking, calls, callsIn, carriedBy, out, reasonsIn, runAt, worker, write, yes } from '../session.js';
import { callIt, create, created, creating, runOf, scorer } from './creating.js';

describe('worker_create', () => {
  it('writes a worker that can be called at once, under a name without permissions', async () => {
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

  it('is refused, and writes nothing, without an approver', async () => {
    const { calls: made, place } = await runOf([calls(create()), calls(callIt())], {
      options: { mode: 'strict' },
    });
    expect(made.map(([, , , came]) => came)).toEqual(['strict', 'cannot']);
    expect(created(place)).toBe(null);
  });

  it('shows the exact file, and its permissions in words', async () => {
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

  it('writes the file as edited by a person', async () => {
    const edited = { ...scorer, instructions: 'Be kind.' };
    const { approver } = asking(() => ({ answer: 'approve', person: 'ada', args: edited }));
    const { place } = await runOf([calls(create())], { options: { mode: 'interactive', approver } });
    expect(created(place)).toContain('---\nBe kind.\n');
  });

  it('creates a worker whose answer must match its schema', async () => {
    const { calls: made, events } = await runOf([
      calls(create({ output_schema: { type: 'object', properties: { score: { type: 'number' } } } })),
      calls(callIt()),
    ]);
    expect(made.map(([, , , came]) => came)).toEqual(['completed', 'failed']);
    expect(reasonsIn(events)[0]).toContain(
      'created:scorer did not answer with JSON, which its output schema requires',
    );
  });

  it('creates it for this run: a later run neither has nor overwrites it', async () => {
    const first = await runOf([calls(create())]);
    const again = await runAt(first.place, { mode: 'approve_all' });
    expect(callsIn(again.events).map(([, , , came]) => came)).toEqual(['cannot']);
    expect(reasonsIn(again.events)[0]).toContain('there is a worker `scorer` already');
  });
});

describe('a created worker', () => {
  const writing = [calls(write('out/a')), calls(write('secret/b'))];
  const withFiles = create({ toolsets: ['filesystem'] });

  it('has only the folders of its creator that its toolsets use', async () => {
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

  it('is restricted by its creator’s reference, without its grants', async () => {
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

  it('has no approvals of its own: they are omitted, with a warning to its creator', async () => {
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

  it('can only be called by its creator', async () => {
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
    expect(reasonsIn(events)).toEqual([
      '`created:scorer` is not among the workers that can be called: builder, helper, main',
    ]);
  });

  it('can create workers with at most its own permissions', async () => {
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
