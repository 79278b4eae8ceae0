import { defineTool, defineToolset } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { resume } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import type { Store } from '../../src/store/store.js';
import { until } from '../approvers/waiting-approver.js';
import {
  add,
  approving,
  dying,
  environmentOf,
  files,
  interrupted,
  ledger,
  nobodyAsked,
  resumed,
} from '../resuming.js';
import { asking, calls, gate, no, sessionAt, worker, workplace, writeFiles, yes } from '../session.js';
import { asked } from '../store/stored-things.js';

/** What comes of resuming; what goes on all the same is closed. */
async function resumption(...given: Parameters<typeof resume>) {
  const opened = await resume(...given);
  if (opened.ok) await opened.session.close();
  return opened;
}

describe('a resumed run is no looser', () => {
  const begun = async (given = files) => {
    const place = workplace(given);
    const [store, { lines, toolset }] = [memoryStore(), ledger()];
    const options = { mode: 'interactive', approver: approving(nobodyAsked()), toolsets: [toolset] } as const;
    const run = await interrupted(place, { ...options, store: dying(store, 5, true) });
    const again = { root: place.root, environment: environmentOf(place), ...options, store };
    return { place, store, lines, run, again };
  };

  it('with an added policy that does not load: it does not resume', async () => {
    const { place, lines, run, again } = await begun();
    const before = [...lines];
    writeFiles(place, { 'broken.yaml': 'version: 1\ndefault: blockd\n' });
    for (const [file, code] of [
      ['broken.yaml', 'UNKNOWN_DECISION'],
      ['missing.yaml', 'CANNOT_READ'],
    ] as const) {
      expect(await resumption(run, { ...again, policies: [file] })).toMatchObject({
        ok: false,
        problems: [{ code }],
      });
    }
    expect(lines).toEqual(before);
  });

  it('with an added policy, if an initial one is missing: the added one judges', async () => {
    const { place, lines, run, again } = await begun();
    const before = [...lines];
    writeFiles(place, {
      'policy.yaml': 'no policy',
      'more.yaml': { version: 1, default: 'pre_approved', capabilities: { 'ledger.add': 'blocked' } },
    });
    expect(await resumed(place, run, { ...again, policies: ['more.yaml'] })).toMatchObject({
      status: 'finished',
    });
    expect(lines).toEqual(before);
  });

  it('after a stop in the log, if the process was killed before it reached the store', async () => {
    const place = workplace(files);
    const [store, { toolset }] = [memoryStore(), ledger()];
    const dead: Store = { ...store, setStatus: () => Promise.reject(new Error('the process is gone')) };
    const { approver } = asking(() => ({ answer: 'stop', person: 'ada' }));
    const options = { mode: 'interactive', approver, toolsets: [toolset] } as const;
    const run = await interrupted(place, { ...options, store: dead });
    expect(await store.run(run)).toMatchObject({ status: 'running' });
    const given = { root: place.root, environment: environmentOf(place), ...options, store };
    expect(await resumption(run, given)).toMatchObject({ ok: false, problems: [{ code: 'RUN_ENDED' }] });
  });

  it('after a stop at a question, if the process was killed before recording it', async () => {
    const place = workplace(files);
    const [store, { toolset }] = [memoryStore(), ledger()];
    let isDead = false;
    const gone = () => Promise.reject(new Error('the process is gone'));
    const dead: Store = {
      ...store,
      answer: async (...given) => {
        const taken = await store.answer(...given);
        isDead = true;
        return taken;
      },
      append: (...given) => (isDead ? gone() : store.append(...given)),
      setStatus: gone,
      withdraw: gone,
    };
    const { approver } = asking(() => ({ answer: 'stop', person: 'ada' }));
    const options = { mode: 'interactive', approver, toolsets: [toolset] } as const;
    const run = await interrupted(place, { ...options, store: dead });
    expect(await store.run(run)).toMatchObject({ status: 'running' });
    const given = { root: place.root, environment: environmentOf(place), ...options, store };
    expect(await resumption(run, given)).toMatchObject({ ok: false, problems: [{ code: 'RUN_ENDED' }] });
  });

  it('after a stop, if the process was killed while a tool was finishing', async () => {
    const place = workplace({
      ...files,
      'main.worker': worker({ toolsets: { slow: {} } }),
      'script.yaml': { main: [calls(['work']), { say: 'done' }] },
    });
    const [store, started, over] = [memoryStore(), gate(), gate()];
    const work = defineTool({
      name: 'work',
      description: '',
      input: z.strictObject({}),
      describe: () => ({ capabilities: [{ name: 'slow.work' }] }),
      execute: async () => {
        started.open();
        await over.opened;
        return null;
      },
    });
    const toolsets = [defineToolset({ name: 'slow', tools: [work] })];
    const session = await sessionAt(place, { mode: 'approve_all', toolsets, store });
    const running = session.run({});
    await started.opened;
    await store.ask({ ...asked('q'), run: session.id });
    session.stop('interrupted by the user');
    expect(await store.run(session.id)).toMatchObject({ status: 'stopped' });
    // Its old questions are not asked again.
    await until(async () => (await store.question('q'))?.state === 'withdrawn');
    const given = { root: place.root, environment: environmentOf(place), toolsets, store };
    expect(await resumption(session.id, given)).toMatchObject({
      ok: false,
      problems: [{ code: 'RUN_ENDED' }],
    });
    over.open();
    await running;
  });

  it('for a call that a person had edited and then refused', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [calls(add('one')), calls(add('one')), { say: 'done' }] },
    });
    const [store, { lines, toolset }] = [memoryStore(), ledger()];
    const { approver } = asking(({ args }) =>
      args.line === 'one' ? { answer: 'approve', person: 'ada', args: { line: 'two' } } : no,
    );
    const options = { toolsets: [toolset], store };
    // entry, run and policy, opening, turn, decision, edited, decision, refused, outcome, results: the next turn is not kept.
    const run = await interrupted(place, {
      ...options,
      mode: 'interactive',
      approver,
      store: dying(store, 10, false),
    });
    const { approver: now, questions } = asking(() => yes);
    expect(await resumed(place, run, { ...options, approver: now })).toMatchObject({ status: 'finished' });
    expect([questions, lines]).toEqual([[], []]);
  });

  it('through a worker that did not exist at its start', async () => {
    const { place, run, again } = await begun({
      ...files,
      'main.worker': worker({ toolsets: { ledger: {}, helper: {}, delegation: { allow_workers: ['*'] } } }),
    });
    writeFiles(place, { 'other.worker': worker({ toolsets: { ledger: {} } }) });
    expect(await resumption(run, again)).toMatchObject({ ok: false, problems: [{ code: 'CHANGED_SINCE' }] });
  });
});
