import { describe, expect, it } from 'vitest';
import type { Worker } from '../../src/catalogue/worker-registry.js';
import { loadWorker, type SessionEvent } from '../../src/index.js';
import type { WorkerToolset } from '../../src/worker-file/given-toolsets.js';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  decisionOn,
  type Files,
  type Options,
  openAt,
  reasonsIn,
  runAt,
  type Workplace,
  worker,
  workplace,
  yes,
} from '../session.js';

const analyst = worker({ compatible_models: ['script:*'] }, `${'An analyst. '.repeat(30)}`);

/** `main` refers to `analyst`, which is in the folder `direct`, and in another folder for those that are given as toolsets. */
const files = (reference: object = {}, more: Files = {}): Files => ({
  'policy.yaml': { version: 1, default: 'needs_approval', capabilities: { 'worker.call': 'pre_approved' } },
  'direct/main.worker': worker({ toolsets: { analyst: reference as never } }),
  'direct/analyst.worker': analyst,
  'direct/deeper.worker': worker({}),
  'given/main.worker': worker({ toolsets: { analyst: reference as never } }),
  'elsewhere/analyst.worker': analyst,
  'elsewhere/deeper.worker': worker({}),
  'script.yaml': {
    main: [calls(['analyst', { input: 'look' }]), { say: 'done' }],
    analyst: [{ say: 'seen' }],
    deeper: [{ say: 'deep' }],
  },
  ...more,
});

async function analystAt(place: Workplace): Promise<WorkerToolset> {
  const loaded = await loadWorker(place.path('elsewhere/analyst.worker'), { root: place.root, shared: [] });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  expect(loaded.worker).not.toHaveProperty('tools');
  return loaded.worker.asToolset();
}

/** The same run twice: with a worker of the folder, and with one that a program gives. */
async function both(all: Files, options: Options = {}) {
  const ran = [];
  for (const folder of ['direct', 'given']) {
    const place = workplace(all);
    const happened: SessionEvent[] = [];
    const result = await runAt(place, {
      workers: place.path(`${folder}/main.worker`),
      ...(folder === 'given' ? { toolsets: [await analystAt(place)] } : {}),
      onEvent: (event) => happened.push(event),
      ...options,
    });
    ran.push({ ...result, happened });
  }
  return ran.map(({ status, why, events, happened, output }) => ({
    status,
    output,
    why: why?.replace(/(direct|given|elsewhere)\//g, ''),
    calls: callsIn(events),
    reasons: reasonsIn(events).map((reason) => reason.replace(/(direct|given)\//g, '')),
    carried: events.some(({ event }) => event === 'decision') ? carriedBy(events, 'worker.analyst') : [],
    grants: events.filter(({ event }) => event === 'decision').map(({ grants }) => grants),
    told: happened.flatMap((event) =>
      event.type === 'worker_started' || event.type === 'worker_finished' ? [{ ...event, place: null }] : [],
    ),
  }));
}

describe('asToolset', () => {
  it('is one tool with the worker’s name, handled like a worker of the folder', async () => {
    const [direct, given] = await both(files());
    expect(given).toEqual(direct);
    expect(given).toMatchObject({
      status: 'finished',
      calls: [['main', 'worker.analyst', 'pre_approved', 'completed']],
      carried: [{ name: 'worker.call', worker: 'analyst', attachments: 0 }],
      told: [
        { v: 1, type: 'worker_started', chain: ['main'], model_from: 'run' },
        { v: 1, type: 'worker_started', chain: ['main', 'analyst'], model_from: 'caller' },
        { v: 1, type: 'worker_finished', chain: ['main', 'analyst'], output: 'seen' },
        { v: 1, type: 'worker_finished', chain: ['main'] },
      ],
    });
  });

  it.each<readonly [string, Files, Options]>([
    ['the approvals of its reference', files({ approvals: { analyst: 'blocked' } }), {}],
    [
      'the grants of its reference that a policy admits',
      files(
        { approvals: { analyst: 'pre_approved' } },
        { 'policy.yaml': { version: 1, default: 'needs_approval', grants: { workers: true } } },
      ),
      {},
    ],
    [
      'the limit of depth',
      files(
        {},
        {
          'direct/main.worker': worker({ max_depth: 1, toolsets: { analyst: {} } }),
          'given/main.worker': worker({ max_depth: 1, toolsets: { analyst: {} } }),
        },
      ),
      {},
    ],
    [
      'the models that it runs on',
      files(
        {},
        {
          'direct/analyst.worker': worker({ compatible_models: ['script:*'] }),
          'elsewhere/analyst.worker': worker({ compatible_models: ['script:*'] }),
        },
      ),
      {},
    ],
    [
      'its input schema',
      files(
        {},
        {
          'direct/analyst.worker': worker({
            input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
          }),
          'elsewhere/analyst.worker': worker({
            input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
          }),
        },
      ),
      {},
    ],
    [
      'its output schema',
      files(
        {},
        {
          'direct/analyst.worker': worker({ output: { type: 'object' } }),
          'elsewhere/analyst.worker': worker({ output: { type: 'object' } }),
        },
      ),
      {},
    ],
    [
      'the questions to a person',
      files({}, { 'policy.yaml': { version: 1, default: 'needs_approval' } }),
      { mode: 'interactive', approver: asking(() => yes).approver },
    ],
  ])('matches a worker of the folder in %s', async (_, all, options) => {
    const [direct, given] = await both(all, options);
    expect(given).toEqual(direct);
  });

  it('includes exactly the workers that its worker can reach', async () => {
    const reaching = worker({ toolsets: { deeper: {} } });
    const place = workplace(
      files(
        {},
        {
          'elsewhere/analyst.worker': reaching,
          'elsewhere/stranger.worker': 'no worker at all',
          'script.yaml': {
            main: [calls(['analyst', { input: 'look' }]), { say: 'done' }],
            analyst: [calls(['deeper', { input: 'x' }]), { say: 'seen' }],
            deeper: [{ say: 'deep' }],
          },
        },
      ),
    );
    const { events } = await runAt(place, {
      workers: place.path('given/main.worker'),
      toolsets: [await analystAt(place)],
    });
    expect(callsIn(events)).toEqual([
      ['main', 'worker.analyst', 'pre_approved', 'completed'],
      ['main > analyst', 'worker.deeper', 'pre_approved', 'completed'],
    ]);
    expect(Object.keys(decisionOn(events, 'worker.analyst'))).toContain('judgements');
    expect(Object.keys((events[0]?.workers ?? {}) as object).sort()).toEqual(['analyst', 'deeper', 'main']);
  });

  it('can be called through delegation too', async () => {
    const place = workplace(
      files(
        {},
        {
          'given/main.worker': worker({ toolsets: { delegation: { allow_workers: ['analyst'] } } }),
          'script.yaml': {
            main: [calls(['worker_call', { worker: 'analyst', input: 'look' }]), { say: 'done' }],
            analyst: [{ say: 'seen' }],
          },
        },
      ),
    );
    const { events } = await runAt(place, {
      workers: place.path('given/main.worker'),
      toolsets: [await analystAt(place)],
    });
    expect(callsIn(events)).toEqual([['main', 'delegation.worker_call', 'pre_approved', 'completed']]);
  });

  it('rejects the name of a worker of the folder: the error names both files', async () => {
    const place = workplace(files({}, { 'given/analyst.worker': worker({}, 'Another.') }));
    expect(
      await openAt(place, { workers: place.path('given/main.worker'), toolsets: [await analystAt(place)] }),
    ).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'TWO_WORKERS',
          message:
            'two workers are called `analyst`: that of given/analyst.worker, and that of elsewhere/analyst.worker',
        },
      ],
    });
  });

  it('is identical to a worker of the folder from the same file', async () => {
    const place = workplace(files());
    const loaded = await loadWorker(place.path('direct/analyst.worker'), { root: place.root, shared: [] });
    if (!loaded.ok) throw new Error('it loads');
    const { status } = await runAt(place, {
      workers: place.path('direct/main.worker'),
      toolsets: [loaded.worker.asToolset()],
    });
    expect(status).toBe('finished');
  });

  it('does not create a worker whose module would differ from its own', async () => {
    const source = (says: string) => `export default {
      name: 'crm', capabilities: [], tools: [{
        name: 'say', description: '', input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
        describe: () => ({ capabilities: [{ name: 'crm.say' }] }), execute: () => '${says}' }] };`;
    const create = { name: 'scorer', instructions: 'Score.', description: 'Scores', toolsets: ['./crm.mjs'] };
    const place = workplace(
      files(
        {},
        {
          'elsewhere/analyst.worker': worker({ toolsets: { delegation: {}, './crm.mjs': {} } }),
          'elsewhere/crm.mjs': source('ours'),
          'given/crm.mjs': source('another'),
          'script.yaml': {
            main: [calls(['analyst', { input: 'look' }]), { say: 'done' }],
            analyst: [calls(['worker_create', create]), { say: 'seen' }],
          },
        },
      ),
    );
    const { events } = await runAt(place, {
      mode: 'approve_all',
      workers: place.path('given/main.worker'),
      toolsets: [await analystAt(place)],
    });
    expect(reasonsIn(events)).toEqual([
      'the module ./crm.mjs would be a different file in the folder of the workers',
    ]);
    expect(place.text('given/generated/scorer.worker')).toBe(null);
  });

  it.each<readonly [string, (worker: Worker) => unknown, string]>([
    ['the worker itself', (analyst) => analyst, 'a worker is given as a toolset'],
    ['the exports of a module', () => ({ default: {} }), 'a given toolset is invalid'],
    ['nothing', () => null, 'a given toolset is invalid'],
  ])('rejects %s in its place', async (_, given, message) => {
    const place = workplace(files());
    const loaded = await loadWorker(place.path('elsewhere/analyst.worker'), { root: place.root, shared: [] });
    if (!loaded.ok) throw new Error('it loads');
    const opened = await openAt(place, {
      workers: place.path('given/main.worker'),
      toolsets: [given(loaded.worker) as never],
    });
    expect(opened).toMatchObject({ ok: false });
    expect(!opened.ok && opened.problems.filter(({ code }) => code === 'NO_TOOLSET')).toMatchObject([
      { message },
    ]);
  });

  it('rejects a toolset of the same name beside it', async () => {
    const place = workplace(files());
    const crm = { name: 'analyst', tools: [], capabilities: [] };
    expect(
      await openAt(place, {
        workers: place.path('given/main.worker'),
        toolsets: [await analystAt(place), crm],
      }),
    ).toMatchObject({
      ok: false,
      problems: [
        { code: 'TWO_TOOLSETS', message: expect.stringContaining('the worker of elsewhere/analyst.worker') },
      ],
    });
  });
});

describe('loadWorker', () => {
  it('reports all problems of a worker and the workers that it can reach', async () => {
    const place = workplace({
      'a.worker': worker({ toolsets: { b: {} }, modle: 'x' }),
      'b.worker': worker({ max_depth: 0 }),
    });
    const loaded = await loadWorker(place.path('a.worker'), { root: place.root, shared: [] });
    expect(loaded).toMatchObject({ ok: false, problems: [{ code: 'UNKNOWN_KEY' }, { code: 'BAD_VALUE' }] });
    expect(await loadWorker(place.root, { root: place.root, shared: [] })).toMatchObject({ ok: false });
  });
});
