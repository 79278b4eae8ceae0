import { existsSync, readdirSync, statSync } from 'node:fs';
import { defineTool, defineToolset, type JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { EntryCall, SessionEvent } from '../../src/index.js';
import {
  asking,
  calls,
  callsIn,
  entriesOf,
  gate,
  linesOf,
  no,
  openAt,
  out,
  runAt,
  sessionAt,
  worker,
  workplace,
  write,
  yes,
} from '../session.js';

const files = {
  'policy.yaml': { version: 1, default: 'needs_approval', capabilities: { 'fs.list': 'pre_approved' } },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'script.yaml': {
    main: [calls(['list_files', { path: 'out' }]), calls(write('out/a.md', 'hello\n')), { say: 'done' }],
  },
  'out/old.txt': 'old',
};

describe('a run', () => {
  it('is recorded in order, with each decision before its call', async () => {
    const place = workplace(files);
    const { approver, questions } = asking(() => yes);
    const { status, output, why, totals, log, events } = await runAt(place, {
      mode: 'interactive',
      approver,
    });
    expect({ status, output, why, totals }).toEqual({
      status: 'finished',
      output: 'done',
      why: null,
      totals: {
        calls: 2,
        decisions: { pre_approved: 1, needs_approval: 1, blocked: 0, unjudged: 0 },
        outcomes: { completed: 2, refused: 0, failed: 0 },
        approvedBy: { 'person:ada': 1 },
        tokens: { input: 0, output: 0 },
        costs: null,
        workers: { main: { calls: 2, tokens: { input: 0, output: 0 }, costs: null } },
      },
    });
    expect(place.text('out/a.md')).toBe('hello\n');
    expect(events.map(({ event }) => event)).toEqual([
      'run',
      'policy',
      'decision',
      'outcome',
      'decision',
      'approval',
      'outcome',
      'end',
    ]);
    expect(callsIn(events)).toEqual([
      ['main', 'filesystem.list_files', 'pre_approved', 'completed'],
      ['main', 'filesystem.write_file', 'needs_approval', 'completed'],
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'finished', totals: { calls: 2 } });
    expect(questions).toMatchObject([
      {
        chain: ['main'],
        tool: 'filesystem.write_file',
        preview: { path: place.path('out/a.md'), before: null, after: 'hello\n' },
      },
    ]);
    expect([statSync(log).mode & 0o777, statSync(place.state).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('has the decision on disk before the question, and the answer before the call', async () => {
    const place = workplace(files);
    const seen: unknown[] = [];
    const { approver } = asking(() => {
      seen.push(linesOf(session.log).at(-1)?.event, existsSync(place.path('out/a.md')));
      return yes;
    });
    const onEvent = (event: SessionEvent) => {
      if (event.type !== 'recorded' || event.event.event !== 'approval') return;
      seen.push(linesOf(session.log).at(-1)?.event, existsSync(place.path('out/a.md')));
    };
    const session = await sessionAt(place, { mode: 'interactive', approver, onEvent });
    await session.run({});
    await session.close();
    expect(seen).toEqual(['decision', false, 'approval', false]);
    await entriesOf(session.log);
  });

  it.each([
    ['pre_approved', ['decision']],
    ['needs_approval', ['decision', 'approval']],
  ] as const)('has every permit in the log when a call begins: %s', async (decision, permitting) => {
    const seen: (readonly string[])[] = [];
    const tool = defineTool({
      name: 'look',
      description: 'Looks at the log.',
      input: z.strictObject({}) as unknown as z.ZodType<JsonObject>,
      describe: () => ({ capabilities: [{ name: 'log.look' }] }),
      execute: (_, { id: call }) => {
        // At once, so that what is still on its way to the file is not seen.
        seen.push(
          linesOf(session.log)
            .filter((line) => line.call === call)
            .map(({ event }) => event),
        );
        return null;
      },
    });
    const place = workplace({
      'policy.yaml': {
        version: 1,
        default: decision === 'pre_approved' ? 'blocked' : decision,
        capabilities: { 'log.look': decision },
      },
      'main.worker': worker({ toolsets: { log: {} } }),
      'script.yaml': { main: [calls(['look']), calls(['look'], ['look'], ['look']), { say: 'done' }] },
    });
    const toolsets = [defineToolset({ name: 'log', tools: [tool] })];
    const session = await sessionAt(place, { mode: 'approve_all', toolsets });
    await session.run({});
    expect(seen).toEqual([permitting, permitting, permitting, permitting]);
  });

  it('continues after a refusal, and finishes', async () => {
    const place = workplace(files);
    const { approver } = asking(() => ({ ...no, note: 'not today' }));
    const { status, events } = await runAt(place, { mode: 'interactive', approver });
    expect([status, place.text('out/a.md')]).toEqual(['finished', null]);
    expect(events.at(-2)).toMatchObject({
      event: 'outcome',
      outcome: 'refused',
      code: 'denied',
      reason: 'ada refused this call: not today',
    });
  });

  it('executes arguments edited by a person, and reports them', async () => {
    const place = workplace(files);
    const { approver } = asking(() => ({ ...yes, args: { path: 'out/a.md', content: 'edited' } }));
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(place.text('out/a.md')).toBe('edited');
    expect(events.find(({ event }) => event === 'approval')).toMatchObject({ edited: true });
  });

  it('asks again if the edited arguments carry new capabilities', async () => {
    const place = workplace(files);
    const { approver, questions } = asking(() =>
      questions.length === 1 ? { ...yes, args: { path: 'out/b.md', content: 'x' } } : no,
    );
    await runAt(place, { mode: 'interactive', approver });
    expect(questions.map(({ args }) => args.path)).toEqual(['out/a.md', 'out/b.md']);
    expect(readdirSync(place.path('out'))).toEqual(['old.txt']);
  });

  it('keeps an answer as far as the policy admits', async () => {
    const turn = calls(write('out/a.md', '1'));
    const place = workplace({
      ...files,
      'policy.yaml': { version: 1, default: 'needs_approval', grants: { reach: 'file' } },
      'script.yaml': {
        main: [turn, calls(write('out/a.md', '22')), calls(write('out/b.md')), { say: 'done' }],
      },
    });
    const { approver, questions } = asking(() => ({
      ...yes,
      keep: { remember: 'always', reach: 'capability' },
    }));
    const { totals } = await runAt(place, { mode: 'interactive', approver });
    expect(questions.map(({ args }) => args.path)).toEqual(['out/a.md', 'out/b.md']);
    expect(totals.approvedBy).toEqual({ 'person:ada': 2, grant: 1 });
  });

  it('asks about each of simultaneous calls', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [calls(write('out/a'), write('out/b'), write('out/c')), { say: 'done' }] },
    });
    const { approver } = asking(({ args }) => (args.path === 'out/b' ? no : yes));
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(readdirSync(place.path('out')).sort()).toEqual(['a', 'c', 'old.txt']);
    expect(
      callsIn(events)
        .map(([, , , came]) => `${came}`)
        .sort(),
    ).toEqual(['completed', 'completed', 'denied']);
  });

  it.each([
    ['strict', 'strict', null],
    ['approve_all', 'completed', 'hello\n'],
  ] as const)('needs no approver in the mode %s', async (mode, came, text) => {
    const place = workplace(files);
    const { approver, questions } = asking(() => yes);
    const { events } = await runAt(place, { mode, approver });
    expect(callsIn(events)[1]).toEqual(['main', 'filesystem.write_file', 'needs_approval', came]);
    expect([questions, place.text('out/a.md')]).toEqual([[], text]);
  });

  it.each([
    ['answer: person', { capabilities: { 'fs.write': { decision: 'needs_approval', answer: 'person' } } }],
    ['unattended: false', { grants: { unattended: false } }],
  ])('does not accept the mode as an answer if the policy says %s', async (_, more) => {
    const place = workplace({
      ...files,
      'policy.yaml': { version: 1, default: 'needs_approval', ...more },
      'script.yaml': { main: [calls(write('out/a.md')), { say: 'done' }] },
    });
    const { events } = await runAt(place, { mode: 'approve_all' });
    expect(callsIn(events)[0]?.[3]).toBe('wants_person');
    expect(place.text('out/a.md')).toBe(null);
  });

  it('passes the user’s files to the entry worker, despite its limits for attachments', async () => {
    const place = workplace({
      ...files,
      'main.worker': worker({ attachments: { max_count: 0 } }),
      'note.txt': 'a note',
      'script.yaml': { main: [{ say: 'seen' }] },
    });
    const result = await runAt(place, {}, { input: 'look', attachments: ['note.txt'] });
    expect([result.status, result.totals.calls]).toEqual(['finished', 0]);
    const gone = await runAt(place, {}, { attachments: ['gone.txt'] });
    expect([gone.status, gone.why]).toEqual(['failed', expect.stringContaining('gone.txt')]);
  });

  it('fails with a reason if the worker is missing or the input is invalid', async () => {
    const place = workplace({
      ...files,
      'main.worker': worker({
        input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      }),
      'script.yaml': { main: [{ say: 'done' }] },
    });
    expect(await runAt(place, {}, { worker: 'other' })).toMatchObject({
      status: 'failed',
      why: 'there is no worker `other`: main',
    });
    expect((await runAt(place, {}, { input: 'text' })).why).toMatch(/^the input does not fit main: /);
    expect((await runAt(place, {}, { input: '{"n": 1}' })).status).toBe('finished');
  });
});

describe('open', () => {
  it('reports input that the entry worker does not accept, and writes nothing', async () => {
    const place = workplace({
      ...files,
      'main.worker': worker({
        input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      }),
    });
    const problemsOf = async (entry: EntryCall) => {
      const opened = await openAt(place, { entry });
      if (opened.ok) await opened.session.close();
      return opened.ok ? [] : opened.problems.map(({ code, message }) => [code, message]);
    };
    const missing = [['BAD_INPUT', expect.stringMatching(/^the input does not fit main: /)]];
    expect(await problemsOf({ input: 'text' })).toEqual(missing);
    expect(await problemsOf({})).toEqual(missing);
    expect(existsSync(`${place.root}/.ambit`)).toBe(false);
    expect(await problemsOf({ input: '{"n": 1}' })).toEqual([]);
    expect(await problemsOf({ input: { n: 1 } })).toEqual([]);
  });
});

describe('the names of workers', () => {
  it('may be inherited property names', async () => {
    const place = workplace({
      'policy.yaml': {
        version: 1,
        default: 'needs_approval',
        workers: { constructor: { capabilities: { 'fs.write': 'pre_approved' } } },
      },
      'main.worker': worker({ toolsets: { constructor: {} } }),
      'constructor.worker': worker({
        sandbox: {
          paths: { valueof: { root: './out', mode: 'rw' }, constructor: { root: './c', mode: 'rw' } },
        },
        toolsets: { filesystem: {} },
      }),
      'script.yaml': {
        main: [calls(['constructor', { input: 'x' }]), { say: 'done' }],
        constructor: [calls(write('constructor/a')), { say: 'done' }],
      },
    });
    const { events } = await runAt(place, { mode: 'approve_all' });
    expect(callsIn(events)).toEqual([
      ['main', 'worker.constructor', 'needs_approval', 'completed'],
      ['main > constructor', 'filesystem.write_file', 'pre_approved', 'completed'],
    ]);
    expect(place.text('c/a')).toBe('text');
  });

  it('may not be names of other tools of the same worker', async () => {
    const place = workplace({
      ...files,
      'main.worker': worker({ sandbox: out, toolsets: { filesystem: {}, write_file: {} } }),
      'write_file.worker': worker(),
    });
    expect(await openAt(place, { mode: 'approve_all' })).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'TWO_TOOLS',
          message:
            'two tools of this worker are called `write_file`: filesystem.write_file and worker.write_file',
          diagnostic: { file: 'main.worker', line: 1 },
        },
      ],
    });
  });

  it('must be given when a folder was opened', async () => {
    const place = workplace({ ...files, 'workers/a.worker': worker(), 'workers/b.worker': worker() });
    const { status, why } = await runAt(place, { workers: 'workers' });
    expect([status, why]).toEqual(['failed', 'say which worker runs: a, b']);
  });
});

describe('a session', () => {
  it('shares no answers and no history with another session of the folder', async () => {
    const place = workplace(files);
    const { approver, questions } = asking(() => ({ ...yes, keep: { remember: 'always', reach: 'folder' } }));
    await Promise.all([1, 2].map(() => runAt(place, { mode: 'interactive', approver })));
    // One of the two may be asked again, where it finds what the other has written.
    const before = questions.length;
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(questions).toHaveLength(before + 1);
    const decision = events.find(({ event }) => event === 'decision');
    expect(decision).toMatchObject({ grants: [] });
    expect(decision).not.toHaveProperty('history');
  });

  it('runs once', async () => {
    const session = await sessionAt(workplace(files));
    const running = session.run({});
    expect(() => session.run({})).toThrow('a session runs once');
    await running;
    expect(() => session.run({})).toThrow('a session runs once');
    await session.close();
    expect((await entriesOf(session.log)).filter(({ event }) => event === 'end')).toHaveLength(1);
  });

  it('may be closed repeatedly, and releases its log', async () => {
    const session = await sessionAt(workplace(files));
    await session.run({});
    await Promise.all([session.close(), session.close()]);
    await session.close();
    expect(existsSync(`${session.log}.lock`)).toBe(false);
  });

  it('is recorded as ended when it is closed in the middle of a run', async () => {
    const asked = gate();
    const { approver } = asking(() => {
      asked.open();
      return new Promise(() => undefined);
    });
    const place = workplace(files);
    const session = await sessionAt(place, { mode: 'interactive', approver });
    const running = session.run({});
    await asked.opened;
    await session.close();
    const events = await entriesOf(session.log);
    expect(await running).toMatchObject({ status: 'stopped', why: 'the session was closed' });
    expect(events.at(-1)).toMatchObject({ event: 'end', status: 'stopped', why: 'the session was closed' });
  });

  it('runs nothing after it is closed', async () => {
    const place = workplace(files);
    const session = await sessionAt(place, { mode: 'approve_all' });
    await session.close();
    expect((await entriesOf(session.log)).map(({ event }) => event)).toEqual(['run', 'policy', 'end']);
    expect((await session.run({})).status).toBe('stopped');
    expect(place.text('out/a.md')).toBe(null);
  });

  it('emits events while they happen', async () => {
    const said: string[] = [];
    const onEvent = (event: SessionEvent) => {
      if (event.type === 'recorded') said.push(event.event.event);
      else said.push(`${event.type} ${event.chain.join(' > ')}`);
    };
    await runAt(workplace(files), { onEvent });
    expect(said.filter((each) => each !== 'model_text main')).toEqual([
      'worker_started main',
      'model_turn main',
      'call_made main',
      'decision',
      'outcome',
      'model_turn main',
      'call_made main',
      'decision',
      'outcome',
      'model_turn main',
      'worker_finished main',
    ]);
  });
});
