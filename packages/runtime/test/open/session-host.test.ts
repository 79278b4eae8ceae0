import { type CallOutcome, defineTool, defineToolset, type JsonObject } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { RefusedError, resultOf, type SessionEvent } from '../../src/index.js';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  entriesOf,
  type Files,
  no,
  type Options,
  openAt,
  out,
  reasonsIn,
  runAt,
  sessionAt,
  worker,
  workplace,
  write,
  yes,
} from '../session.js';

const files: Files = {
  'policy.yaml': {
    version: 1,
    default: 'needs_approval',
    capabilities: {
      'worker.call': 'pre_approved',
      'fs.read': 'pre_approved',
      'content.untrusted': 'pre_approved',
      'data.share': { decision: 'blocked', match: { path: '**/secret.txt' } },
    },
  },
  'main.worker': worker({
    sandbox: { paths: { in: { root: './in', mode: 'ro' } } },
    toolsets: { delegation: { allow_workers: ['helper'] } },
    max_depth: 2,
  }),
  'helper.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'other.worker': worker({}),
  'in/a.txt': 'alpha',
  'in/secret.txt': 'secret',
  'script.yaml': {
    main: [calls(['worker_call', { worker: 'helper', input: 'x' }]), { say: 'done' }],
    helper: [calls(write('out/a')), { say: 'helped' }],
    other: [{ say: 'other' }],
    scorer: [{ say: '7 of 10' }],
  },
};

const scorer = { name: 'scorer', instructions: 'Give a score.', description: 'Scores' };

/** A session over all workers of the folder, closed and with its log when the test has done with it. */
async function session(options: Options = {}, more: Files = {}) {
  const place = workplace({ ...files, ...more });
  const opened = await sessionAt(place, { workers: place.root, ...options });
  const ended = async () => {
    await opened.close();
    return entriesOf(opened.log);
  };
  return { place, opened, ended };
}

const brief = (outcome: CallOutcome) => [
  outcome.status,
  outcome.status === 'refused'
    ? outcome.refusal.code
    : outcome.status === 'failed'
      ? outcome.error
      : outcome.result,
];

describe('callWorker', () => {
  it('calls a worker for the user: its actions are judged, the call itself is not', async () => {
    const { opened, ended, place } = await session();
    expect(brief(await opened.callWorker({ worker: 'helper', input: 'x' }))).toEqual(['completed', 'helped']);
    const events = await ended();
    expect(callsIn(events)).toEqual([['helper', 'filesystem.write_file', 'needs_approval', 'strict']]);
    expect(events.at(-1)).toMatchObject({ event: 'end', status: 'finished' });
    expect(place.text('out/a')).toBe(null);
  });

  it('calls one as another worker would, with the same decisions and messages', async () => {
    const { opened, ended } = await session({ mode: 'interactive', approver: asking(() => yes).approver });
    const outcome = await opened.callWorker({ caller: 'main', worker: 'helper', input: 'x' });
    expect(brief(outcome)).toEqual(['completed', 'helped']);
    const events = await ended();
    const place = workplace(files);
    const ran = await runAt(place, { mode: 'interactive', approver: asking(() => yes).approver });
    expect(callsIn(events)).toEqual(callsIn(ran.events));
    expect(carriedBy(events, 'delegation.worker_call')).toEqual(
      carriedBy(ran.events, 'delegation.worker_call'),
    );
  });

  it('returns refusals as values, which `resultOf` turns into exceptions', async () => {
    const { opened, ended } = await session();
    const blocked = await opened.callWorker({
      caller: 'main',
      worker: 'helper',
      attachments: ['in/secret.txt'],
    });
    const gone = await opened.callWorker({
      caller: 'main',
      worker: 'helper',
      attachments: ['in/gone.txt'],
    });
    const stranger = await opened.callWorker({ caller: 'main', worker: 'other' });
    const unable = await opened.callWorker({ caller: 'helper', worker: 'other' });
    expect([blocked, gone, stranger, unable].map((outcome) => brief(outcome))).toEqual([
      ['refused', 'blocked'],
      ['refused', 'cannot'],
      ['refused', 'cannot'],
      ['refused', 'unknown_tool'],
    ]);
    expect(() => resultOf(blocked)).toThrow(RefusedError);
    expect(callsIn(await ended()).map(([chain, tool, , came]) => [chain, tool, came])).toEqual([
      ['main', 'delegation.worker_call', 'blocked'],
      ['main', 'delegation.worker_call', 'cannot'],
      ['main', 'delegation.worker_call', 'cannot'],
      ['helper', 'delegation.worker_call', 'unknown_tool'],
    ]);
  });

  it('passes the user’s files without a question, and a caller’s from its roots', async () => {
    const { opened, ended } = await session({ mode: 'approve_all' });
    expect(brief(await opened.callWorker({ worker: 'other', attachments: ['in/secret.txt'] }))).toEqual([
      'completed',
      'other',
    ]);
    expect(
      brief(await opened.callWorker({ caller: 'main', worker: 'helper', attachments: ['in/a.txt'] })),
    ).toEqual(['completed', 'helped']);
    const events = await ended();
    expect(carriedBy(events, 'delegation.worker_call').map(({ name }) => name)).toContain('data.share');
  });

  it('names each mistake: unknown worker, invalid input, stopped run', async () => {
    const strict = worker({
      input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    });
    const { opened } = await session({}, { 'other.worker': strict });
    await expect(opened.callWorker({ worker: 'nobody' })).rejects.toThrow('there is no worker `nobody`');
    await expect(opened.callWorker({ worker: 'helper', caller: 'nobody' })).rejects.toThrow(
      'there is no worker',
    );
    expect(brief(await opened.callWorker({ worker: 'other', input: { n: 'x' } }))).toEqual([
      'failed',
      expect.stringContaining('the input does not fit other'),
    ]);
    opened.stop('enough');
    expect(await opened.callWorker({ worker: 'other' })).toMatchObject({
      status: 'refused',
      refusal: { code: 'stopped', reason: 'the run has stopped: enough' },
    });
    await opened.close();
    await expect(opened.callWorker({ worker: 'other' })).rejects.toThrow('the session is over');
  });

  it('works repeatedly and simultaneously, besides a run with a shared history and end', async () => {
    const { opened, ended } = await session({ mode: 'approve_all' });
    const both = await Promise.all([
      opened.callWorker({ worker: 'other' }),
      opened.callWorker({ worker: 'helper' }),
    ]);
    expect(both.map((outcome) => outcome.status)).toEqual(['completed', 'completed']);
    const result = await opened.run({ worker: 'main' });
    expect([result.status, result.totals.calls]).toEqual(['finished', 3]);
    await expect(opened.callWorker({ worker: 'other' })).rejects.toThrow('the session is over');
    const events = await ended();
    expect(events.filter(({ event }) => event === 'end')).toHaveLength(1);
  });

  it('uses the model of its caller, and reports a missing one', async () => {
    const { opened } = await session({ modelless: true });
    expect(brief(await opened.callWorker({ worker: 'other' }))).toEqual([
      'failed',
      'no model for the worker other: state `model:` in its file, or give --model',
    ]);
    expect(brief(await opened.callWorker({ caller: 'main', worker: 'helper' }))).toEqual([
      'refused',
      'cannot',
    ]);
  });

  it('is limited by the budget of the session', async () => {
    const { opened } = await session({ mode: 'approve_all', budget: { calls: 0 } });
    await opened.callWorker({ worker: 'helper' });
    expect(await opened.callWorker({ worker: 'helper' })).toMatchObject({ refusal: { code: 'stopped' } });
  });
});

describe('createWorker', () => {
  it('creates a worker like its creator would: shown, written, reported and callable', async () => {
    const { approver, questions } = asking(() => yes);
    const happened: SessionEvent[] = [];
    const { opened, ended, place } = await session({
      mode: 'interactive',
      approver,
      onEvent: (event) => happened.push(event),
    });
    const outcome = await opened.createWorker({ creator: 'main', ...scorer });
    expect(brief(outcome)).toEqual([
      'completed',
      { worker: 'created:scorer', file: 'generated/scorer.worker' },
    ]);
    expect(questions[0]).toMatchObject({
      chain: ['main'],
      tool: 'delegation.worker_create',
      preview: { after: place.text('generated/scorer.worker') },
    });
    expect(happened.map(({ type }) => type)).toContain('worker_created');
    expect(brief(await opened.callWorker({ caller: 'main', worker: 'scorer' }))).toEqual([
      'completed',
      '7 of 10',
    ]);
    expect(callsIn(await ended()).map(([, tool]) => tool)).toEqual([
      'delegation.worker_create',
      'delegation.worker_call',
    ]);
  });

  it('is refused if its creator would be, and writes nothing', async () => {
    const { opened, ended, place } = await session({
      mode: 'interactive',
      approver: asking(() => no).approver,
    });
    expect(brief(await opened.createWorker({ creator: 'main', ...scorer }))).toEqual(['refused', 'denied']);
    expect(brief(await opened.createWorker({ creator: 'main', ...scorer, toolsets: ['shell'] }))).toEqual([
      'refused',
      'cannot',
    ]);
    expect(brief(await opened.createWorker({ creator: 'helper', ...scorer }))).toEqual([
      'refused',
      'unknown_tool',
    ]);
    expect(place.text('generated/scorer.worker')).toBe(null);
    await expect(opened.createWorker(scorer)).rejects.toThrow('name it as');
    await ended();
  });

  it('creates no worker that can be called without its creator, even by the user', async () => {
    const policy = {
      version: 1,
      default: 'pre_approved',
      workers: { main: { capabilities: { fs: 'blocked' } } },
    };
    const more: Files = {
      'policy.yaml': policy,
      'main.worker': worker({ sandbox: out, toolsets: { delegation: {}, filesystem: {} } }),
      'script.yaml': { scorer: [calls(write('out/a')), { say: 'done' }] },
    };
    for (const run of [false, true]) {
      const { opened, ended, place } = await session({ mode: 'approve_all', open: true }, more);
      await opened.createWorker({ creator: 'main', ...scorer, toolsets: ['filesystem'] });
      if (run) await opened.run({ worker: 'created:scorer' });
      else await opened.callWorker({ worker: 'created:scorer' });
      expect(callsIn(await ended()).at(-1)).toEqual([
        'main > created:scorer',
        'filesystem.write_file',
        'blocked',
        'blocked',
      ]);
      expect(place.text('out/a')).toBe(null);
    }
  });
});

describe('a function as an approver', () => {
  it('is asked like any approver; an exception or an invalid answer refuses the call', async () => {
    for (const [approver, status] of [
      [() => yes, 'completed'],
      [async () => no, 'refused'],
      [() => 'yes', 'refused'],
      [
        () => {
          throw new Error('no');
        },
        'refused',
      ],
    ] as const) {
      const { opened } = await session({ mode: 'interactive', approver: approver as never });
      const outcome = await opened.createWorker({ creator: 'main', ...scorer });
      expect(outcome.status).toBe(status);
    }
  });
});

describe('a toolset that a program creates', () => {
  const factory = (notes: string[], name = 'crm') => ({
    name,
    configure: ({ region: given }: JsonObject) => {
      const region = JSON.stringify(given);
      const own = defineToolset({
        name: 'crm',
        tools: [
          defineTool({
            name: 'say',
            description: 'Says it.',
            input: z.strictObject({}) as unknown as z.ZodType<JsonObject>,
            describe: () => ({ capabilities: [{ name: 'crm.say' }] }),
            execute: () => region,
          }),
        ],
      });
      const note = (what: string) => () => void notes.push(`${what} ${region}`);
      return { ...own, enter: note('entered'), exit: note('left') };
    },
  });
  const more: Files = {
    'main.worker': worker({ toolsets: { crm: { region: 'eu', approvals: { say: 'needs_approval' } } } }),
    'script.yaml': { main: [calls(['say']), { say: 'done' }] },
  };

  it('is entered and left, with the configuration of its reference', async () => {
    const notes: string[] = [];
    const place = workplace({ ...files, ...more });
    const { events } = await runAt(place, { mode: 'approve_all', toolsets: [factory(notes)] });
    expect(callsIn(events)).toEqual([['main', 'crm.say', 'needs_approval', 'completed']]);
    expect(notes).toEqual(['entered "eu"', 'left "eu"']);
  });

  it('has its given name', async () => {
    const place = workplace({ ...files, ...more, 'main.worker': worker({ toolsets: { erp: {} } }) });
    const { why } = await runAt(place, { toolsets: [factory([], 'erp')] });
    expect(why).toBe('the toolset erp did not start: `configure` of erp returned a toolset called `crm`');
  });

  it.each<readonly [string, () => never, string]>([
    [
      'an exception from the function',
      () => {
        throw new Error('no region');
      },
      'no region',
    ],
    [
      'nothing',
      (() => null) as unknown as () => never,
      '`configure` of crm returned nothing, not a toolset: see defineToolset',
    ],
  ])('is named in the error if it is invalid: %s', async (_, configure, problem) => {
    const place = workplace({ ...files, ...more });
    const { status, why } = await runAt(place, { toolsets: [{ name: 'crm', configure }] });
    expect([status, why]).toEqual(['failed', `the toolset crm did not start: ${problem}`]);
  });

  it('must be new for each worker call', async () => {
    const notes: string[] = [];
    const one = factory(notes).configure({});
    const place = workplace({
      ...files,
      ...more,
      'main.worker': worker({ toolsets: { helper: {}, crm: {} } }),
      'helper.worker': worker({ toolsets: { crm: {} } }),
      'script.yaml': {
        main: [calls(['helper', { input: 'x' }]), { say: 'done' }],
        helper: [{ say: 'helped' }],
      },
    });
    const { events } = await runAt(place, {
      mode: 'approve_all',
      toolsets: [{ name: 'crm', configure: () => one }],
    });
    expect(reasonsIn(events)).toEqual([
      'the toolset crm did not start: `configure` of crm returned an instance that it had returned before: each worker call needs a new one',
    ]);
    expect(notes).toEqual(['entered undefined', 'left undefined']);
  });

  it('rejects a name in use: the error names both files', async () => {
    const place = workplace({ ...files, ...more });
    expect(await openAt(place, { toolsets: [factory([]), factory([])] })).toMatchObject({
      problems: [
        {
          message: expect.stringContaining('one that the program gives, and another that the program gives'),
        },
      ],
    });
    const other = workplace(files);
    expect(await openAt(other, { workers: other.root, toolsets: [factory([], 'helper')] })).toMatchObject({
      problems: [
        { message: expect.stringContaining('one that the program gives, and the worker of helper.worker') },
      ],
    });
  });
});
