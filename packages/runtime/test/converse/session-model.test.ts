import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/index.js';
import {
  asking,
  calls,
  callsIn,
  type Files,
  type Options,
  openAt,
  reasonsIn,
  runAt,
  worker,
  workplace,
  yes,
} from '../session.js';

const open = { version: 1, default: 'needs_approval', capabilities: { 'worker.call': 'pre_approved' } };

/** What a caller and a callee state, and the models that they then run on. */
async function modelsOf(files: Files, options: Options = {}) {
  const place = workplace({
    'policy.yaml': open,
    'command-line.yaml': script,
    'caller.yaml': script,
    'callee.yaml': script,
    ...files,
  });
  const models: (readonly [string, string])[] = [];
  const sources: string[] = [];
  const onEvent = (event: SessionEvent) => {
    if (event.type !== 'worker_started') return;
    models.push([event.chain.join(' > '), event.model]);
    sources.push(event.model_from);
  };
  const ran = await runAt(place, { modelless: true, ...options, onEvent });
  return { models, sources, reasons: reasonsIn(ran.events), why: ran.why };
}

/** The problems with the models, before the run. */
async function problemsOf(files: Files, options: Options = {}): Promise<readonly string[]> {
  const place = workplace({
    'policy.yaml': open,
    'command-line.yaml': script,
    'caller.yaml': script,
    'callee.yaml': script,
    ...files,
  });
  const opened = await openAt(place, { modelless: true, ...options });
  if (opened.ok) await opened.session.close();
  else expect(place.text('.ambit')).toBeNull();
  return opened.ok ? [] : opened.problems.map(({ message }) => message);
}

const script = { main: [calls(['helper', { input: 'help' }]), { say: 'done' }], helper: [{ say: 'helped' }] };
const main = (header: object = {}) => worker({ toolsets: { helper: {} }, ...header });
const [commandLine, caller, callee] = [
  'script:command-line.yaml',
  'script:caller.yaml',
  'script:callee.yaml',
];

describe('the model of a worker', () => {
  it.each([
    [
      'its own, before all others',
      { model: caller },
      { model: callee },
      commandLine,
      [caller, callee],
      ['worker', 'worker'],
    ],
    ["its caller's", { model: caller }, {}, commandLine, [caller, caller], ['worker', 'caller']],
    [
      "the command line's, if the caller states none either",
      {},
      {},
      commandLine,
      [commandLine, commandLine],
      ['run', 'caller'],
    ],
    [
      "its own, and the command line's for the caller",
      {},
      { model: callee },
      commandLine,
      [commandLine, callee],
      ['run', 'worker'],
    ],
  ])('is %s, and its event names the source', async (_, ofCaller, ofCallee, model, [first, second], from) => {
    const files = { 'main.worker': main(ofCaller), 'helper.worker': worker(ofCallee) };
    const { models, sources } = await modelsOf(files, { model });
    expect(models).toEqual([
      ['main', first],
      ['main > helper', second],
    ]);
    expect(sources).toEqual(from);
  });

  it('is required for the entry worker, before anything runs', async () => {
    const place = workplace({ 'policy.yaml': open, 'main.worker': worker() });
    expect(await openAt(place, { modelless: true })).toMatchObject({
      ok: false,
      problems: [{ code: 'NO_MODEL', message: 'no model for the worker main' }],
    });
  });

  it('is required in a folder of workers too, with the worker in the error', async () => {
    const place = workplace({ 'policy.yaml': open, 'workers/lonely.worker': worker() });
    const options = { modelless: true, workers: place.path('workers') };
    const { status, why } = await runAt(place, options, { worker: 'lonely' });
    expect([status, why]).toEqual([
      'failed',
      'no model for the worker lonely: state `model:` in its file, or give --model',
    ]);
  });

  it.each([
    [['script:*']],
    [['anthropic:*', 'script:c*.yaml']],
    [['script:caller.yaml']],
    [['*caller*']],
    [['script:c?ller.*']],
    [['*??ml']],
  ])('may be one of the compatible models: %j', async (compatible_models) => {
    const files = {
      'main.worker': main({ model: caller }),
      'helper.worker': worker({ compatible_models }),
    };
    expect((await modelsOf(files)).models).toEqual([
      ['main', caller],
      ['main > helper', caller],
    ]);
  });

  it.each([
    [['anthropic:*']],
    [['script:']],
    [['caller.yaml']],
    [['script:*.yam']],
    [['script:caller.yaml*l']],
    [['script:caller.yaml?']],
    [['?cript:aller.yaml']],
    [['*?????????????????????']],
  ])('is rejected before the run if it is not compatible: %j', async (compatible_models) => {
    const said = `the worker helper does not run on script:caller.yaml: only on ${compatible_models.join(', ')}`;
    const helper = { 'helper.worker': worker({ compatible_models }) };
    expect(await problemsOf({ 'main.worker': main({ model: caller }), ...helper })).toEqual([said]);
    // However far down, and whichever way it is called.
    const delegation = { delegation: { allow_workers: ['helper'] } };
    const between = { 'between.worker': worker({ toolsets: delegation }), ...helper };
    const above = worker({ model: caller, toolsets: { between: {} } });
    expect(await problemsOf({ 'main.worker': above, ...between })).toEqual([said]);
  });

  it('is not required if an intermediate worker sets one', async () => {
    const files = {
      'main.worker': worker({ model: caller, toolsets: { between: {} } }),
      'between.worker': worker({ model: commandLine, toolsets: { helper: {}, main: {} } }),
      'helper.worker': worker({ compatible_models: [commandLine] }),
    };
    expect(await problemsOf(files)).toEqual([]);
  });

  it('is checked before a question if any worker may be called', async () => {
    const place = workplace({
      'policy.yaml': { version: 1, default: 'needs_approval' },
      'main.worker': worker({ toolsets: { delegation: { allow_workers: ['*'] } } }),
      'helper.worker': worker({ compatible_models: ['anthropic:*'] }),
      'script.yaml': { main: [calls(['worker_call', { worker: 'helper', input: 'x' }]), { say: 'done' }] },
    });
    const { approver, questions } = asking(() => yes);
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect([callsIn(events)[0]?.[3], questions.length, reasonsIn(events)]).toEqual([
      'cannot',
      0,
      ['the worker helper does not run on script:script.yaml: only on anthropic:*'],
    ]);
  });

  it('is rejected before the run if the entry worker is incompatible with it', async () => {
    const files = { 'main.worker': main({ compatible_models: ['anthropic:*'] }), 'helper.worker': worker() };
    expect(await problemsOf(files, { model: commandLine })).toEqual([
      'the worker main does not run on script:command-line.yaml: only on anthropic:*',
    ]);
  });

  it('fails its worker by name if the script omits that worker', async () => {
    const files = {
      'main.worker': main(),
      'helper.worker': worker(),
      'mute.yaml': { main: [calls(['helper', { input: 'x' }]), { say: 'done' }] },
    };
    const { reasons, why } = await modelsOf(files, { model: 'script:mute.yaml' });
    expect([reasons.join(), why]).toEqual([
      'the model does not answer: the script has no turns for the worker `helper`',
      null,
    ]);
  });
});
