import { readFileSync } from 'node:fs';
import { type Answer, defineTool, defineToolset, type JsonObject, type Toolset } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { stride } from '../../../../test/depth.js';
import { resume } from '../../src/index.js';
import { memoryStore } from '../../src/store/memory-store.js';
import type { Store } from '../../src/store/store.js';
import {
  add,
  approving,
  dying,
  environmentOf,
  everything,
  files,
  interrupted,
  ledger,
  nobodyAsked,
  resumed,
} from '../resuming.js';
import {
  calls,
  type Entry,
  entriesOf,
  openAt,
  sessionAt,
  type Workplace,
  worker,
  workplace,
  writeFiles,
} from '../session.js';

function resumingIn(place: Workplace, toolset: Toolset, store: Store) {
  return { root: place.root, environment: environmentOf(place), toolsets: [toolset], store } as const;
}

describe('a resumed run', () => {
  it('finishes after any interruption, and repeats no work and no question', async () => {
    let ended = 0;
    for (let after = 4; ended < 2; after += stride) {
      for (const isKept of [false, true]) {
        const place = workplace(files);
        const { lines, toolset } = ledger();
        const [store, asked] = [memoryStore(), nobodyAsked()];
        const approver = approving(asked);
        const options = { mode: 'interactive', approver, toolsets: [toolset] } as const;
        const run = await interrupted(place, { ...options, store: dying(store, after, isKept) });
        if ((await store.run(run))?.status === 'finished') {
          ended += 1;
          continue;
        }
        const { status, output, why, log } = await resumed(place, run, { ...options, store });
        expect([after, isKept, status, output, why]).toEqual([
          after,
          isKept,
          'finished',
          'all is done',
          null,
        ]);
        expect(new Set(lines).size).toBe(lines.length);
        // Only what had begun, and whose end is not known, is asked about a second time; it alone may not have been done.
        const unknown = asked.questions.flatMap(({ again, args }) => (again === null ? [] : [args.line]));
        expect(new Set([...lines, ...unknown])).toEqual(new Set(everything));
        for (const [line, count] of asked.answers)
          expect([after, line, count]).toEqual([after, line, unknown.includes(line) ? 2 : 1]);
        const events = await entriesOf(log);
        const outcomes = events.filter(({ event }) => event === 'outcome').map(({ call }) => call);
        expect(new Set(outcomes).size).toBe(outcomes.length);
      }
    }
  });

  it('has the same output, calls and totals as an uninterrupted run', async () => {
    const whole = workplace(files);
    const options = { mode: 'interactive', approver: approving(nobodyAsked()) } as const;
    const session = await sessionAt(whole, {
      ...options,
      toolsets: [ledger().toolset],
      store: memoryStore(),
    });
    const { totals } = await session.run({ input: 'work' });
    const place = workplace(files);
    const store = memoryStore();
    const { toolset } = ledger();
    const run = await interrupted(place, { ...options, toolsets: [toolset], store: dying(store, 17, true) });
    const after = await resumed(place, run, { ...options, toolsets: [toolset], store });
    expect(after.totals).toMatchObject({ calls: totals.calls, outcomes: totals.outcomes });
  });

  it('refuses started calls with unknown outcomes in an unattended mode', async () => {
    const place = workplace({
      ...files,
      'policy.yaml': {
        version: 1,
        default: 'blocked',
        capabilities: { 'ledger.add': 'pre_approved', 'worker.call': 'pre_approved' },
      },
      'script.yaml': { main: [calls(add('one')), { say: 'done' }] },
    });
    const { lines, toolset } = ledger();
    const store = memoryStore();
    // entry, run and policy, opening, turn, decision, executing, executed: the last is not kept.
    const run = await interrupted(place, { toolsets: [toolset], store: dying(store, 6, false) });
    expect(lines).toEqual(['one']);
    const { status, log } = await resumed(place, run, { toolsets: [toolset], store });
    expect([status, lines]).toEqual(['finished', ['one']]);
    const outcome = (await entriesOf(log)).find(({ event }) => event === 'outcome') as Entry & JsonObject;
    expect(outcome).toMatchObject({ outcome: 'refused', code: 'unknown_outcome' });
  });

  it('resumes in the same or a stricter mode, never in a looser one', async () => {
    const place = workplace(files);
    const { toolset } = ledger();
    const store = memoryStore();
    const options = { mode: 'interactive', approver: approving(nobodyAsked()), toolsets: [toolset] } as const;
    const run = await interrupted(place, { ...options, store: dying(store, 5, true) });
    const given = resumingIn(place, toolset, store);
    expect(await resume(run, { ...given, mode: 'approve_all' })).toMatchObject({
      ok: false,
      problems: [{ code: 'LOOSER_MODE', help: 'go on with `interactive`' }],
    });
    expect(await resumed(place, run, { ...given, mode: 'strict' })).toMatchObject({ status: 'finished' });
  });

  it('is judged by its initial policies and by newer ones', async () => {
    const place = workplace(files);
    const { lines, toolset } = ledger();
    const store = memoryStore();
    const options = { mode: 'interactive', approver: approving(nobodyAsked()), toolsets: [toolset] } as const;
    const run = await interrupted(place, { ...options, store: dying(store, 5, true) });
    writeFiles(place, {
      'policy.yaml': { version: 1, default: 'pre_approved', capabilities: { 'ledger.add': 'blocked' } },
    });
    const { status, log } = await resumed(place, run, { ...options, store });
    expect([status, lines]).toEqual(['finished', []]);
    const events = await entriesOf(log);
    expect(events.filter(({ event }) => event === 'policy')).toHaveLength(2);
    expect(events.filter(({ code }) => code === 'blocked')).not.toEqual([]);
  });

  it('still asks the questions of its initial policy if the file is now permissive', async () => {
    const place = workplace(files);
    const { toolset } = ledger();
    const [store, asked] = [memoryStore(), nobodyAsked()];
    const options = { mode: 'interactive', approver: approving(asked), toolsets: [toolset] } as const;
    const run = await interrupted(place, { ...options, store: dying(store, 3, true) });
    expect(asked.questions).toEqual([]);
    writeFiles(place, {
      'policy.yaml': { version: 1, default: 'pre_approved', capabilities: { 'ledger.add': 'pre_approved' } },
    });
    await resumed(place, run, { ...options, store });
    expect(asked.questions).toHaveLength(5);
  });

  it('does not continue with a changed worker file', async () => {
    const place = workplace(files);
    const { toolset } = ledger();
    const store = memoryStore();
    const run = await interrupted(place, { toolsets: [toolset], store: dying(store, 5, true) });
    writeFiles(place, { 'helper.worker': worker({ toolsets: { ledger: {} } }, 'Do anything.') });
    const given = resumingIn(place, toolset, store);
    expect(await resume(run, given)).toMatchObject({
      ok: false,
      problems: [
        { code: 'CHANGED_SINCE', message: 'the worker file `helper` has changed since the run began' },
      ],
    });
  });

  it('is rejected if the run has ended, is unknown, or never started', async () => {
    const place = workplace(files);
    const { toolset } = ledger();
    const store = memoryStore();
    const given = resumingIn(place, toolset, store);
    const run = await interrupted(place, { toolsets: [toolset], store });
    expect(await resume(run, given)).toMatchObject({ problems: [{ code: 'RUN_ENDED' }] });
    expect(await resume('nothing', given)).toMatchObject({ problems: [{ code: 'NO_RUN' }] });
    const unbegun = await openAt(place, { toolsets: [toolset], store });
    if (!unbegun.ok) throw new Error('it opens');
    expect(await resume(unbegun.session.id, given)).toMatchObject({ problems: [{ code: 'NOT_BEGUN' }] });
    await unbegun.session.close();
  });

  it('masks secrets of a call from before the interruption', async () => {
    const place = workplace({
      ...files,
      'policy.yaml': { version: 1, default: 'blocked', capabilities: { 'box.login': 'pre_approved' } },
      'main.worker': worker({ toolsets: { box: {} } }),
      'script.yaml': { main: [calls(['login', { password: 'hunter-2-hunter' }]), { say: 'done' }] },
    });
    const login = defineTool({
      name: 'login',
      description: '',
      input: z.strictObject({ password: z.string() }),
      describe: () => ({ capabilities: [{ name: 'box.login' }] }),
      execute: ({ password }) => {
        throw new Error(`nobody has the key ${password}`);
      },
    });
    const toolsets = [defineToolset({ name: 'box', tools: [login] })];
    for (const after of [5, 7]) {
      const store = memoryStore();
      const run = await interrupted(place, { toolsets, store: dying(store, after, after === 7) });
      const { log } = await resumed(place, run, { toolsets, store });
      const outcome = (await entriesOf(log)).find(({ event }) => event === 'outcome');
      expect(outcome).toMatchObject({
        outcome: 'failed',
        error: expect.stringContaining('nobody has the key'),
      });
      expect(readFileSync(log, 'utf8')).not.toContain('hunter-2');
    }
  });

  it('is driven by one process at a time', async () => {
    const place = workplace(files);
    const { toolset } = ledger();
    const store = memoryStore();
    const session = await sessionAt(place, {
      toolsets: [toolset],
      store,
      mode: 'interactive',
      approver: () => new Promise<Answer>(() => undefined),
    });
    const running = session.run({ input: 'work' });
    while ((await store.steps(session.id)).every(({ step }) => step !== 'turn'))
      await new Promise((done) => setImmediate(done));
    const given = resumingIn(place, toolset, store);
    expect(await resume(session.id, { ...given, approver: null })).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'CANNOT_START',
          message: `the run ${session.id} is under way already, in the process ${process.pid}`,
        },
      ],
    });
    await session.close();
    await running;
  });
});
