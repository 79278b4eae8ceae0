import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, defineTool, defineToolset, type JsonObject } from '@ambit/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { SessionEvent } from '../../src/index.js';
import { endpoint, use } from '../converse/messages-endpoint.js';
import {
  asking,
  calls,
  callsIn,
  entriesOf,
  type Files,
  gate,
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
  'policy.yaml': { version: 1, default: 'needs_approval', capabilities: { 'worker.call': 'pre_approved' } },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'script.yaml': { main: [calls(write('out/a')), calls(write('out/b')), { say: 'done' }] },
};

/** A tool that tells when it runs, and then does what the test says. */
function slow(act: (signal: AbortSignal) => Promise<string>) {
  const started = gate();
  const tool = defineTool({
    name: 'work',
    description: 'Works.',
    input: z.strictObject({}) as unknown as z.ZodType<JsonObject>,
    describe: () => ({ capabilities: [{ name: 'slow.work' }] }),
    execute: (_, { signal }) => {
      started.open();
      return act(signal);
    },
  });
  return { started: started.opened, toolset: defineToolset({ name: 'slow', tools: [tool] }) };
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('stop', () => {
  it('ends a turn of the model', async () => {
    const [asked, left] = [gate(), gate()];
    // An endpoint that never answers.
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', asked.open);
      response.on('close', left.open);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const session = await sessionAt(workplace(files), {
      model: 'anthropic:test',
      environment: {
        ANTHROPIC_API_KEY: 'key',
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      },
    });
    const running = session.run({});
    await asked.opened;
    session.stop('that is enough');
    session.stop('the first reason stays');
    expect(await running).toMatchObject({ status: 'stopped', output: '', why: 'that is enough' });
    await left.opened;
    await session.close();
    const events = await entriesOf(session.log);
    expect(events.map(({ event }) => event)).toEqual(['run', 'policy', 'end']);
    expect(events.at(-1)).toMatchObject({ status: 'stopped', why: 'that is enough' });
  });

  it('ends the turn of a delegate too, with the reason in its call', async () => {
    const asked = gate();
    const { options } = await endpoint([use(['helper', { input: 'x' }]), asked.open]);
    const session = await sessionAt(
      workplace({
        ...files,
        'main.worker': worker({ toolsets: { helper: {} } }),
        'helper.worker': worker(),
      }),
      options,
    );
    const running = session.run({});
    await asked.opened;
    session.stop('that is enough');
    expect(await running).toMatchObject({ status: 'stopped', why: 'that is enough' });
    await session.close();
    expect(reasonsIn(await entriesOf(session.log))).toEqual(['that is enough']);
  });

  it('ends an open question, and all waiting ones', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [calls(write('out/a'), write('out/b')), { say: 'done' }] },
    });
    const asked = gate();
    const signals: AbortSignal[] = [];
    const { approver, questions } = asking((_, signal) => {
      signals.push(signal);
      if (questions.length === 2) asked.open();
      return new Promise<Answer>(() => undefined);
    });
    const session = await sessionAt(place, { mode: 'interactive', approver });
    const running = session.run({});
    await asked.opened;
    session.stop('enough');
    expect(await running).toMatchObject({ status: 'stopped', why: 'enough' });
    await session.close();
    const events = await entriesOf(session.log);
    expect(callsIn(events).map(([, , , came]) => came)).toEqual(['stopped', 'stopped']);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
    expect([place.text('out/a'), place.text('out/b')]).toEqual([null, null]);
  });

  it('is not undone by a late answer', async () => {
    const place = workplace(files);
    const asked = gate();
    const late = gate();
    const { approver } = asking(async () => {
      asked.open();
      await late.opened;
      return yes;
    });
    const session = await sessionAt(place, { mode: 'interactive', approver });
    const running = session.run({});
    await asked.opened;
    session.stop('enough');
    late.open();
    await running;
    await session.close();
    expect(callsIn(await entriesOf(session.log))).toEqual([
      ['main', 'filesystem.write_file', 'needs_approval', 'stopped'],
    ]);
    expect(place.text('out/a')).toBe(null);
  });

  it.each([
    [
      'that obeys its signal',
      'failed',
      async (signal: AbortSignal) => {
        await aborted(signal);
        throw new Error('cancelled');
      },
    ],
    [
      'that ignores its signal, and is recorded as completed',
      'completed',
      async (signal: AbortSignal) => {
        await aborted(signal);
        return 'done all the same';
      },
    ],
  ])('ends a run during a tool %s', async (_, came, act) => {
    const { toolset, started } = slow(act);
    const place = workplace({
      ...files,
      'main.worker': worker({ toolsets: { slow: {} } }),
      'script.yaml': { main: [calls(['work']), calls(['work']), { say: 'done' }] },
    });
    const session = await sessionAt(place, { mode: 'approve_all', toolsets: [toolset] });
    const running = session.run({});
    await started;
    session.stop('enough');
    expect((await running).status).toBe('stopped');
    await session.close();
    expect(callsIn(await entriesOf(session.log))).toEqual([['main', 'slow.work', 'needs_approval', came]]);
  });

  it('refuses later calls, even while one is running', async () => {
    const gone = gate();
    const { toolset, started } = slow(async () => {
      await gone.opened;
      return 'done';
    });
    const place = workplace({
      ...files,
      'main.worker': worker({ sandbox: out, toolsets: { slow: {}, filesystem: {} } }),
      'script.yaml': { main: [calls(['work'], write('out/a')), calls(write('out/b')), { say: 'done' }] },
    });
    const { approver, questions } = asking(async ({ tool }) => {
      if (tool === 'slow.work') return yes;
      await started;
      session.stop('enough');
      gone.open();
      return yes;
    });
    const session = await sessionAt(place, { mode: 'interactive', approver, toolsets: [toolset] });
    expect((await session.run({})).status).toBe('stopped');
    await session.close();
    const came = callsIn(await entriesOf(session.log)).map(([, tool, , outcome]) => `${tool} ${outcome}`);
    expect(came.sort()).toEqual(['filesystem.write_file stopped', 'slow.work completed']);
    expect([questions.length, place.text('out/a'), place.text('out/b')]).toEqual([2, null, null]);
  });

  it('ends all the workers of a chain', async () => {
    const { toolset, started } = slow(async (signal) => {
      await aborted(signal);
      throw new Error('cancelled');
    });
    const place = workplace({
      ...files,
      'main.worker': worker({ toolsets: { helper: {} } }),
      'helper.worker': worker({ toolsets: { slow: {} } }),
      'script.yaml': {
        main: [calls(['helper', { input: 'x' }], ['helper', { input: 'y' }]), { say: 'done' }],
        helper: [calls(['work']), calls(['work']), { say: 'done' }],
      },
    });
    const session = await sessionAt(place, { mode: 'approve_all', toolsets: [toolset] });
    const running = session.run({});
    await started;
    session.stop('enough');
    expect(await running).toMatchObject({ status: 'stopped', why: 'enough' });
    await session.close();
    const events = await entriesOf(session.log);
    expect(callsIn(events).every(([, , , came]) => came === 'failed' || came === 'stopped')).toBe(true);
  });

  it('prevents the run if called before it', async () => {
    const place = workplace(files);
    const session = await sessionAt(place, { mode: 'approve_all' });
    session.stop('never mind');
    expect(await session.run({})).toMatchObject({
      status: 'stopped',
      why: 'never mind',
      totals: { calls: 0 },
    });
    await session.close();
    expect((await entriesOf(session.log)).map(({ event }) => event)).toEqual(['run', 'policy', 'end']);
  });

  it('may be a person’s answer, after which no question is asked', async () => {
    const place = workplace({
      ...files,
      'script.yaml': { main: [calls(write('out/a')), calls(write('out/b')), { say: 'done' }] },
    });
    const { approver, questions } = asking(() => ({ answer: 'stop', person: 'ada', note: 'odd' }));
    const { status, why, events } = await runAt(place, { mode: 'interactive', approver });
    expect([status, why, questions.length]).toEqual(['stopped', 'stopped by ada', 1]);
    expect(callsIn(events)).toEqual([['main', 'filesystem.write_file', 'needs_approval', 'denied']]);
    expect(reasonsIn(events)).toEqual(['ada refused this call: odd']);
  });
});

describe('a program that observes', () => {
  it.each([
    ['recorded', 'stopped'],
    ['model_turn', 'stopped'],
    ['worker_started', undefined],
  ])('stops it by throwing at `%s`, and no further call is executed', async (type, came) => {
    const place = workplace(files);
    const onEvent = (event: SessionEvent) => {
      if (event.type === type) throw new Error('no more');
    };
    const { status, why, events } = await runAt(place, { mode: 'approve_all', onEvent });
    expect([status, why]).toEqual(['stopped', 'the listener of run events failed: no more']);
    expect(callsIn(events)[0]?.[3]).toBe(came);
    expect([place.text('out/a'), events.at(-1)?.event]).toEqual([null, 'end']);
  });
});

describe('an approver', () => {
  const one = { ...files, 'script.yaml': { main: [calls(write('out/a')), { say: 'went on' }] } };

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no terminal');
      },
    ],
    [
      'throws a value that is not an error',
      () => {
        // oxlint-disable-next-line typescript/only-throw-error
        throw null;
      },
    ],
    ['rejects', () => Promise.reject(new Error('no terminal'))],
    ['gives nothing', () => undefined],
    ['gives null', () => null],
    ['gives true', () => true],
    ['gives a text', () => 'approve'],
    ['gives a list', () => [yes]],
    ['gives an unknown answer', () => ({ answer: 'allow', person: 'ada' })],
    ['gives an answer without a person', () => ({ answer: 'approve' })],
    ['gives an answer with an empty person', () => ({ answer: 'approve', person: '' })],
    ['gives an unknown key', () => ({ ...yes, always: true })],
    ['gives invalid arguments', () => ({ ...yes, args: ['out/a'] })],
    ['gives arguments that are not JSON', () => ({ ...yes, args: { path: () => 'out/a' } })],
    ['keeps for an unknown duration', () => ({ ...yes, keep: { remember: 'forever', reach: 'file' } })],
    ['returns the question', (question?: unknown) => question],
    ['gives a decision', () => ({ decision: 'pre_approved' })],
    [
      'gives a getter that throws',
      () => ({
        get answer() {
          throw new Error('no');
        },
      }),
    ],
  ])('approves nothing if it %s, and the run continues', async (_, give) => {
    const place = workplace(one);
    const approver = { ask: give as never };
    const { status, output, events } = await runAt(place, { mode: 'interactive', approver });
    expect([status, output, place.text('out/a')]).toEqual(['finished', 'went on', null]);
    expect(callsIn(events)).toEqual([['main', 'filesystem.write_file', 'needs_approval', 'unanswered']]);
    expect(events.find(({ event }) => event === 'approval')).toMatchObject({
      how: 'error',
      approved: false,
      who: null,
    });
  });

  it('approves nothing if it is late, whatever it answers', async () => {
    const place = workplace(one);
    const late = gate();
    const { approver } = asking(async () => {
      await late.opened;
      return yes;
    });
    const { events, output } = await runAt(place, { mode: 'interactive', approver, answerLimit: 20 });
    late.open();
    expect([output, callsIn(events)[0]?.[3], place.text('out/a')]).toEqual(['went on', 'unanswered', null]);
    expect(events.find(({ event }) => event === 'approval')).toMatchObject({
      how: 'timeout',
      approved: false,
    });
  });

  it('approves nothing if it is missing', async () => {
    const place = workplace(one);
    const { events } = await runAt(place, { mode: 'interactive', approver: null });
    expect(callsIn(events)[0]?.[3]).toBe('unanswered');
    expect(events.find(({ event }) => event === 'approval')).toMatchObject({
      how: 'nobody',
      approved: false,
    });
  });

  it('cannot change its question', async () => {
    const place = workplace(one);
    const { approver } = asking((question) => {
      expect(() => Object.assign(question.args, { path: 'out/b' })).toThrow();
      return yes;
    });
    await runAt(place, { mode: 'interactive', approver });
    expect([place.text('out/a'), place.text('out/b')]).toEqual(['text', null]);
  });
});
