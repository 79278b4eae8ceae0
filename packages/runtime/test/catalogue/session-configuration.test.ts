import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import type { Json, JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/index.js';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  type Files,
  type Options,
  openAt,
  out,
  runAt,
  worker,
  workplace,
  write,
  yes,
} from '../session.js';

const files: Files = {
  'policy.yaml': { version: 1, default: 'needs_approval' },
  'main.worker': worker({
    sandbox: { paths: { ...out.paths, input: { root: './in', mode: 'ro' } } },
    toolsets: { delegation: { allow_workers: ['helper'] }, filesystem: {}, helper: {} },
    attachments: { max_count: 3, allow: ['.pdf', '.txt'] },
    max_depth: 4,
  }),
  'helper.worker': worker({}),
  'in/a.txt': 'alpha',
};
const scorer = { name: 'scorer', instructions: 'Give a score.', description: 'Scores' };
const create = (more: JsonObject = {}) => calls(['worker_create', { ...scorer, ...more }]);

async function runOf(
  configuration: Json | string | null,
  turns: readonly Json[],
  { options = {}, more = {} }: { options?: Options; more?: Files } = {},
) {
  const place = workplace({
    ...files,
    ...(configuration === null ? {} : { 'ambit.yaml': configuration }),
    'script.yaml': { main: [...turns, { say: 'done' }], scorer: [{ say: '7' }], helper: [{ say: 'helped' }] },
    ...more,
  });
  const happened: SessionEvent[] = [];
  const { approver, questions } = asking(() => yes);
  const ran = await runAt(place, {
    mode: 'interactive',
    approver,
    onEvent: (event) => happened.push(event),
    ...options,
  });
  return { ...ran, place, questions, happened };
}

describe('the defaults for created workers', () => {
  const defaults = {
    created: {
      model: 'script:script.yaml',
      max_depth: 2,
      toolsets: { filesystem: {}, delegation: { allow_workers: ['helper', 'other'] } },
      roots: ['input'],
      attachments: { max_count: 1, allow: ['.txt', '.md'], deny: ['.exe'] },
    },
  };

  it('apply to unspecified keys, as far as the creator has them', async () => {
    const { place, events, questions, happened } = await runOf(defaults, [create()]);
    expect(place.text('generated/scorer.worker')).toBe(`name: scorer
description: "Scores"
model: "script:script.yaml"
sandbox:
  paths:
    input: { root: "./in", mode: "ro" }
attachments: { max_count: 1, max_total_bytes: 20000000, allow: [".txt"], deny: [".exe"] }
toolsets:
  filesystem: {}
  delegation: { allow_workers: ["helper"] }
max_depth: 2
---
Give a score.
`);
    expect(carriedBy(events, 'delegation.worker_create')).toEqual([
      { name: 'worker.create', worker: 'created:scorer', toolsets: ['delegation', 'filesystem'] },
    ]);
    expect(questions[0]?.summary).toContain('as the defaults say');
    expect(happened.filter(({ type }) => type === 'worker_created')).toEqual([
      {
        v: 1,
        type: 'worker_created',
        chain: ['main'],
        worker: 'created:scorer',
        file: 'generated/scorer.worker',
        sha256: createHash('sha256')
          .update(place.text('generated/scorer.worker') ?? '')
          .digest('hex'),
        toolsets: ['delegation', 'filesystem'],
        differs: [],
        warnings: [],
      },
    ]);
  });

  it('are shown as the differences of a proposal', async () => {
    const { questions } = await runOf(defaults, [
      create({ toolsets: ['helper'], output_schema: { type: 'object' }, model: 'script:script.yaml' }),
    ]);
    expect(questions[0]?.summary).toContain(
      'unlike the defaults, with also the toolset helper, not the toolset filesystem, not the toolset delegation (helper), not the root `input`, an answer of its own schema instead of text',
    );
  });

  it('are empty without a configuration', async () => {
    const { questions, place } = await runOf(null, [create()]);
    expect(questions[0]?.summary).toContain('as the defaults say');
    expect(place.text('generated/scorer.worker')).not.toContain('toolsets');
    const other = await runOf(null, [create({ toolsets: ['filesystem'], model: 'script:script.yaml' })]);
    expect(other.questions[0]?.summary).toContain(
      'unlike the defaults, with also the toolset filesystem, also the root `out` (rw), also the root `input` (ro), the model script:script.yaml instead of the model of its caller',
    );
  });

  it('give a worker nothing that its creator lacks: it is omitted with a warning', async () => {
    const wide = {
      created: {
        toolsets: { shell: {}, helper: { approvals: { helper: 'pre_approved' } }, http: { timeout: 1 } },
      },
    };
    const { place, happened, questions } = await runOf(wide, [create()]);
    expect(place.text('generated/scorer.worker')).toContain('toolsets:\n  helper: {}\nmax_depth: 4\n---');
    const [event] = happened.filter(({ type }) => type === 'worker_created');
    expect(event).toMatchObject({
      warnings: [
        'shell of the defaults is left out: main has no toolset `shell`, so workers that it creates cannot have it: delegation, filesystem, helper',
        'the approvals for helper are left out: a created worker cannot have approvals',
        'http of the defaults is left out: main has no toolset `http`, so workers that it creates cannot have it: delegation, filesystem, helper',
      ],
    });
    expect(questions[0]?.summary).toContain('shell of the defaults is left out');
  });

  it('do not raise a limit of the creator', async () => {
    const wide = { created: { max_depth: 50, attachments: { max_count: 90, max_total_bytes: 900_000_000 } } };
    const { place } = await runOf(wide, [create()]);
    expect(place.text('generated/scorer.worker')).toBe(
      'name: scorer\ndescription: "Scores"\nattachments: { max_count: 3, max_total_bytes: 20000000, allow: [".pdf", ".txt"], deny: [] }\nmax_depth: 4\n---\nGive a score.\n',
    );
  });
});

describe('the configuration of a project', () => {
  it('is recorded with its digest', async () => {
    const text = 'created: { max_depth: 2 }\n';
    const { events } = await runOf(text, []);
    expect(events[0]).toMatchObject({ configuration: createHash('sha256').update(text).digest('hex') });
    const without = await runOf(null, []);
    expect(Object.keys(without.events[0] ?? {})).not.toContain('configuration');
  });

  it.each(['ambit.yaml', 'other.yaml'])('cannot be changed by a run through %s', async (name) => {
    const all = {
      ...files,
      'main.worker': worker({
        sandbox: { paths: { all: { root: '.', mode: 'rw' } } },
        toolsets: { filesystem: {} },
      }),
    };
    const place = workplace({
      ...all,
      'other.yaml': 'created: { max_depth: 1 }',
      'script.yaml': { main: [calls(write(`all/${name}`)), { say: 'done' }] },
    });
    if (name !== 'ambit.yaml') symlinkSync('other.yaml', place.path('ambit.yaml'));
    const { events } = await runAt(place, { mode: 'approve_all' });
    expect(callsIn(events)[0]?.slice(2)).toEqual(['blocked', 'blocked']);
    expect(carriedBy(events, 'filesystem.write_file').map(({ name: what }) => what)).toContain('sys.guard');
  });

  it('stops the start if any part is invalid', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [] },
      'ambit.yaml': 'prices: { curency: USD }',
    });
    expect(await openAt(place)).toMatchObject({
      ok: false,
      problems: [
        { code: 'MISSING_KEY' },
        { code: 'MISSING_KEY' },
        { code: 'UNKNOWN_KEY', diagnostic: { file: 'ambit.yaml', line: 1, column: 11 } },
      ],
    });
  });

  it('cannot be a folder or a broken link', async () => {
    const all = { ...files, 'script.yaml': { main: [] } };
    const folder = workplace(all);
    mkdirSync(folder.path('ambit.yaml'));
    const link = workplace(all);
    symlinkSync('gone', link.path('ambit.yaml'));
    for (const place of [folder, link])
      expect(await openAt(place)).toMatchObject({ ok: false, problems: [{ code: 'CANNOT_READ' }] });
  });

  it('may name an existing script', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [] },
      'ambit.yaml': { created: { model: 'script:gone.yaml' } },
    });
    expect(await openAt(place)).toMatchObject({ ok: false, problems: [{ code: 'CANNOT_READ' }] });
  });

  it('permits nothing: questions stay questions', async () => {
    const turns = [
      create({ toolsets: ['filesystem'] }),
      calls(['worker_call', { worker: 'scorer', input: 'x' }]),
    ];
    const made = [
      null,
      { created: { toolsets: { filesystem: { approvals: { write_file: 'pre_approved' } } } } },
    ];
    const ran = await Promise.all(
      made.map((configuration) => runOf(configuration, turns, { options: { mode: 'strict' } })),
    );
    expect(ran.map(({ events }) => callsIn(events).map(([, , , came]) => came))).toEqual([
      ['strict', 'cannot'],
      ['strict', 'cannot'],
    ]);
  });
});
