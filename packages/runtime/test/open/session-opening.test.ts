import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineToolset, policies } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import {
  calls,
  callsIn,
  type Files,
  type Options,
  openAt,
  out,
  runAt,
  type Workplace,
  worker,
  workplace,
  write,
} from '../session.js';

const files: Files = {
  'policy.yaml': { version: 1, default: 'needs_approval' },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'script.yaml': { main: [calls(write('out/a')), { say: 'done' }] },
};

/** The codes of all problems, after a check that nothing was written. */
async function refusal(place: Workplace, options: Options = {}) {
  const before = readdirSync(join(place.root, '..'), { recursive: true, encoding: 'utf8' }).sort();
  const opened = await openAt(place, options);
  if (opened.ok) await opened.session.close();
  expect(readdirSync(join(place.root, '..'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(before);
  return opened.ok ? 'opened' : opened.problems.map(({ code }) => code);
}

describe('open', () => {
  it.each<[string, Files, Options, readonly string[]]>([
    ['an unknown mode', {}, { mode: 'yolo' as never }, ['BAD_MODE']],
    ['no mode', {}, { mode: undefined as never }, ['BAD_MODE']],
    ['no policy', {}, { policies: [] as never }, ['NO_POLICY']],
    ['a missing policy', {}, { policies: ['gone.yaml'] }, ['CANNOT_READ']],
    ['a policy that is a folder', { 'p/x': '' }, { policies: ['p'] }, ['CANNOT_READ']],
    [
      'open policies only',
      {
        'policy.yaml': { version: 1, default: 'pre_approved' },
        'b.yaml': { version: 1, default: 'pre_approved' },
      },
      { policies: ['policy.yaml', 'b.yaml'] },
      ['OPEN_DEFAULT'],
    ],
    [
      'a policy that does not load',
      { 'policy.yaml': 'version: 1\ndefault: alow\n' },
      {},
      ['UNKNOWN_DECISION'],
    ],
    [
      'a policy that extends one that does not load',
      { 'policy.yaml': 'version: 1\ndefault: blocked\nextends: [b.yaml]\n', 'b.yaml': 'version: 2\n' },
      {},
      expect.arrayContaining([expect.any(String)]),
    ],
    [
      'two policies of one name',
      {},
      { policies: ['policy.yaml', { ...policies.allowAll(), name: 'policy.yaml' }] },
      ['TWO_POLICIES'],
    ],
    ['a missing worker', {}, { workers: 'gone.worker' }, ['CANNOT_READ']],
    ['a worker that does not load', { 'main.worker': worker({ tolsets: {} }) }, {}, ['UNKNOWN_KEY']],
    [
      'a worker whose callee does not load',
      { 'main.worker': worker({ toolsets: { helper: {} } }), 'helper.worker': 'no: line\n' },
      {},
      expect.arrayContaining(['NO_INSTRUCTIONS']),
    ],
    ['an unknown toolset', { 'main.worker': worker({ toolsets: { nobody: {} } }) }, {}, ['UNKNOWN_TOOLSET']],
    [
      'a missing module',
      { 'main.worker': worker({ toolsets: { './gone.js': {} } }) },
      {},
      ['UNKNOWN_TOOLSET'],
    ],
    ['an invalid model', {}, { model: 'gpt' }, ['BAD_MODEL']],
    ['a model without its key', {}, { model: 'anthropic:claude-sonnet-4-5' }, ['BAD_MODEL']],
    ['a missing script', {}, { model: 'script:gone.yaml' }, ['CANNOT_READ']],
    ['a script that does not load', { 'script.yaml': 'main: 7\n' }, {}, ['WRONG_TYPE']],
    [
      "a callee's missing script",
      {
        'main.worker': worker({ toolsets: { helper: {} } }),
        'helper.worker': worker({ model: 'script:gone.yaml' }),
      },
      {},
      ['CANNOT_READ'],
    ],
    [
      'a folder that can only be read and is not there',
      { 'main.worker': worker({ sandbox: { paths: { in: { root: './gone', mode: 'ro' }, ...out.paths } } }) },
      {},
      ['NO_FOLDER'],
    ],
    [
      'a root that is a file',
      { 'main.worker': worker({ sandbox: { paths: { a: { root: './f', mode: 'rw' } } } }), f: '' },
      {},
      ['NO_FOLDER'],
    ],
    ['a folder for an unknown root', {}, { folders: { output: '.' } }, ['UNKNOWN_ROOT']],
    [
      'a folder for a root with an inherited property name',
      {},
      { folders: { constructor: '.' } },
      ['UNKNOWN_ROOT'],
    ],
    [
      'a toolset of a reserved name',
      {},
      { toolsets: [defineToolset({ name: 'filesystem', tools: [] })] },
      ['BAD_TOOLSET_NAME'],
    ],
    [
      'two toolsets of one name',
      {},
      { toolsets: [1, 2].map(() => defineToolset({ name: 'crm', tools: [] })) },
      ['TWO_TOOLSETS'],
    ],
    [
      'a toolset and a worker of one name',
      { 'main.worker': worker({ toolsets: { crm: {} } }), 'crm.worker': worker() },
      { toolsets: [defineToolset({ name: 'crm', tools: [] })] },
      ['TWO_TOOLSETS'],
    ],
    ['a state folder that is not absolute', {}, { environment: { AMBIT_HOME: 'state' } }, ['CANNOT_START']],
  ])('refuses %s, and writes nothing', async (_, more, options, codes) => {
    const place = workplace({ ...files, ...more });
    expect(await refusal(place, options)).toEqual(codes);
  });

  it.each([
    ['beside it', '../made'],
    ['by its way up', './out/../../made'],
    ['at home', '~/made'],
    ['absolutely', '/made-by-nobody'],
    ['through a link', './link/made'],
  ])('creates no folder outside of the working folder for a worker file: %s', async (_, root) => {
    const place = workplace({
      ...files,
      'main.worker': worker({ toolsets: { helper: {} } }),
      'helper.worker': worker({ sandbox: { paths: { out: { root, mode: 'rw' } } } }),
    });
    mkdirSync(join(place.root, '../elsewhere'));
    symlinkSync('../elsewhere', place.path('link'));
    expect(await refusal(place)).toEqual(['NO_FOLDER']);
  });

  it('reports all problems at once', async () => {
    const place = workplace({
      ...files,
      'policy.yaml': 'version: 1\ndefault: alow\ncapabilities: { fs.read: maybe }\n',
      'main.worker': worker({ tolsets: {}, max_depth: 'deep' }),
      'script.yaml': 'main: 7\n',
    });
    expect(await refusal(place)).toEqual([
      'UNKNOWN_DECISION',
      'UNKNOWN_DECISION',
      'UNKNOWN_KEY',
      'WRONG_TYPE',
      'WRONG_TYPE',
    ]);
  });

  it('reports all mistakes across valid files at once', async () => {
    const place = workplace({
      ...files,
      'policy.yaml': { version: 1, default: 'pre_approved' },
      'main.worker': worker({ sandbox: { paths: { in: { root: './gone', mode: 'ro' } } } }),
    });
    expect(await refusal(place, { modelless: true, folders: { elsewhere: '.' } })).toEqual([
      'OPEN_DEFAULT',
      'NO_MODEL',
      'UNKNOWN_ROOT',
      'NO_FOLDER',
    ]);
  });

  it('refuses a missing working folder', async () => {
    const place = workplace(files);
    expect(await refusal({ ...place, root: join(place.root, 'gone') })).toEqual(['NO_FOLDER']);
  });

  it('refuses a state folder that others may write', async () => {
    const place = workplace(files);
    mkdirSync(place.state);
    chmodSync(place.state, 0o777);
    expect(await refusal(place)).toEqual(['CANNOT_START']);
  });

  it('refuses a state folder that is a link', async () => {
    const place = workplace({ ...files, 'planted/log.key': 'x'.repeat(32) });
    symlinkSync(place.path('planted'), place.state);
    expect(await refusal(place)).toEqual(['CANNOT_START']);
  });

  it.each(['/dev/full', '/dev/null'])('refuses a log that is not a file: %s', async (log) => {
    const opened = await openAt(workplace(files), { log });
    expect(opened).toMatchObject({ ok: false, problems: [{ code: 'CANNOT_START' }] });
  });

  it.each<[string, (place: Workplace, log: string) => void]>([
    ['a link', ({ path }, log) => symlinkSync(log, path('my.jsonl'))],
    ['a file that is not a log', ({ path }) => writeFileSync(path('my.jsonl'), 'nothing\n')],
    [
      'damaged',
      ({ path, text }) =>
        writeFileSync(path('my.jsonl'), (text('first.jsonl') ?? '').replace('strict', 'other')),
    ],
    [
      'one that others may write',
      ({ path }) => {
        writeFileSync(path('my.jsonl'), '');
        chmodSync(path('my.jsonl'), 0o666);
      },
    ],
  ])('refuses a log that is %s', async (_, make) => {
    const place = workplace(files);
    const { log } = await runAt(place, { log: 'first.jsonl' });
    make(place, log);
    expect(await openAt(place, { log: 'my.jsonl' })).toMatchObject({
      ok: false,
      problems: [{ code: 'CANNOT_START' }],
    });
  });

  it('refuses a log in use, and continues one whose run has ended', async () => {
    const place = workplace(files);
    const opened = await openAt(place, { log: 'my.jsonl' });
    expect(await openAt(place, { log: 'my.jsonl' })).toMatchObject({
      ok: false,
      problems: [{ code: 'CANNOT_START' }],
    });
    if (opened.ok) await opened.session.close();
    const { events } = await runAt(place, { log: 'my.jsonl' });
    expect(new Set(events.map(({ run }) => run)).size).toBe(2);
  });

  it('accepts an open set of policies that was requested by name', async () => {
    const place = workplace({ ...files, 'policy.yaml': { version: 1, default: 'pre_approved' } });
    expect(callsIn((await runAt(place, { open: true })).events)[0]?.slice(2)).toEqual([
      'pre_approved',
      'completed',
    ]);
  });

  it('judges by policies from code and from files alike', async () => {
    const blocked = {
      ...policies.allowAll(),
      name: 'mine',
      default: { decision: 'blocked', answer: 'any' },
    } as const;
    const place = workplace(files);
    const { events } = await runAt(place, { policies: ['policy.yaml', blocked], mode: 'approve_all' });
    expect(callsIn(events)[0]?.slice(2)).toEqual(['blocked', 'blocked']);
  });

  it('accepts file names relative to the working folder, for worker files too', async () => {
    const place = workplace(files);
    const { events } = await runAt(place, {
      policies: ['policy.yaml'],
      workers: 'main.worker',
      log: 'logs/my.jsonl',
    });
    expect(callsIn(events)[0]?.slice(2)).toEqual(['needs_approval', 'strict']);
    expect(existsSync(place.path('logs/my.jsonl'))).toBe(true);
  });

  it('creates writable folders, and uses other folders on request', async () => {
    const place = workplace(files);
    for (const folder of ['elsewhere/deep', '../beside']) {
      await runAt(place, { mode: 'approve_all', folders: { out: folder } });
      expect([place.text(`${folder}/a`), existsSync(place.path('out'))]).toEqual(['text', false]);
    }
  });

  it('lets one worker read another’s output, even if the folder does not exist yet', async () => {
    const place = workplace({
      ...files,
      'main.worker': worker({
        sandbox: { paths: { all: { root: './made', mode: 'ro' } } },
        toolsets: { helper: {} },
      }),
      'helper.worker': worker({ sandbox: { paths: { out: { root: './made/out', mode: 'rw' } } } }),
      'script.yaml': { main: [{ say: 'done' }] },
    });
    expect((await runAt(place)).status).toBe('finished');
  });
});
