import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineTool, defineToolset, type JsonObject } from '@ambit/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { Budget } from '../../src/host/session.js';
import {
  calls,
  callsIn,
  type Files,
  type Options,
  openAt,
  out,
  runAt,
  sessionAt,
  worker,
  workplace,
  write,
} from '../session.js';

const files: Files = {
  'policy.yaml': { version: 1, default: 'needs_approval', capabilities: { 'worker.call': 'pre_approved' } },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {}, helper: {} } }),
  'helper.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
};

/** An endpoint whose model says all of this, one turn after another, each taking ten tokens in and five out; or what it is given. */
async function endpoint(turns: readonly (readonly JsonObject[])[], taken: JsonObject = tens) {
  const asked: { readonly max_tokens: number }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString()) as { max_tokens: number });
      const content = turns[asked.length - 1] ?? [{ type: 'text', text: 'done' }];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (type: string, data: JsonObject) =>
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
      const message = { id: 'msg', type: 'message', role: 'assistant', model: 'm', stop_reason: null };
      send('message_start', { message: { ...message, content: [], stop_sequence: null, usage: taken } });
      for (const [index, block] of content.entries()) {
        send('content_block_start', { index, content_block: { ...block, input: {} } });
        if (block.type === 'tool_use') {
          const delta = { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
          send('content_block_delta', { index, delta });
        }
        send('content_block_stop', { index });
      }
      const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
      send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: taken });
      send('message_stop', {});
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const environment = {
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  return { asked, options: { model: 'anthropic:m', mode: 'approve_all', environment } as const };
}

const tens = { input_tokens: 10, output_tokens: 5 };
const writing = (name: string) => [
  { type: 'tool_use', id: name, name: 'write_file', input: { path: `out/${name}`, content: '' } },
];

function runOf(script: JsonObject, budget: Budget, options: Options = {}) {
  const place = workplace({ ...files, 'script.yaml': script });
  return runAt(place, { mode: 'approve_all', budget, ...options }).then((ran) => ({ ...ran, place }));
}

describe('a budget of calls', () => {
  const two = { main: [calls(write('out/a')), calls(write('out/b')), { say: 'done' }] };

  it('changes nothing unless it is exceeded', async () => {
    const { status, output, totals } = await runOf(two, { calls: 2 });
    expect([status, output, totals.calls]).toEqual(['finished', 'done', 2]);
  });

  it('stops the run before the call that exceeds it, and is named at the end', async () => {
    const { status, why, events, place } = await runOf(two, { calls: 1 });
    expect([status, why]).toEqual(['stopped', 'over budget: the run may make 1 call']);
    expect(callsIn(events).map(([, , , came]) => came)).toEqual(['completed', 'stopped']);
    expect([place.text('out/a'), place.text('out/b')]).toEqual(['text', null]);
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      status: 'stopped',
      why: 'over budget: the run may make 1 call',
      totals: { calls: 2, workers: { main: { calls: 2 } } },
    });
  });

  it('of zero permits no call', async () => {
    const { status, place } = await runOf(two, { calls: 0 });
    expect([status, place.text('out/a')]).toEqual(['stopped', null]);
  });

  it('is not exceeded by simultaneous calls', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const script = { main: [calls(...names.map((name) => write(`out/${name}`))), { say: 'done' }] };
    const { status, place, events } = await runOf(script, { calls: 3 });
    expect(status).toBe('stopped');
    expect(names.filter((name) => place.text(`out/${name}`) !== null).length).toBeLessThanOrEqual(3);
    expect(callsIn(events).every(([, , , came]) => came !== null)).toBe(true);
  });

  it('counts the calls of all workers', async () => {
    const script = {
      main: [calls(['helper', { input: 'go' }], ['helper', { input: 'go' }]), { say: 'done' }],
      helper: [calls(write('out/a')), calls(write('out/b')), { say: 'wrote' }],
    };
    const { status, events, totals } = await runOf(script, { calls: 4 });
    expect(status).toBe('stopped');
    // The two of main never end: each of their workers was stopped.
    const done = callsIn(events).filter(([, , , came]) => came === 'completed');
    expect(done.length).toBeLessThanOrEqual(3);
    expect(totals.workers.main?.calls).toBe(2);
    expect(callsIn(events).every(([, , , came]) => came !== null)).toBe(true);
  });

  it('counts refused calls and calls of unknown tools', async () => {
    const script = { main: [calls(['nothing']), calls(['nothing']), calls(write('out/a'))] };
    const { status, place } = await runOf(script, { calls: 2 });
    expect([status, place.text('out/a')]).toEqual(['stopped', null]);
  });

  it('counts the calls that a tool makes', async () => {
    const tool = defineTool({
      name: 'twice',
      description: '',
      input: z.strictObject({}) as unknown as z.ZodType<JsonObject>,
      describe: () => ({ capabilities: [{ name: 'box.twice' }] }),
      execute: async (_, { call }) => {
        await call('filesystem.write_file', { path: 'out/a', content: '' });
        await call('filesystem.write_file', { path: 'out/b', content: '' });
        return null;
      },
    });
    const place = workplace({
      ...files,
      'main.worker': worker({ sandbox: out, toolsets: { filesystem: {}, box: {} } }),
      'script.yaml': { main: [calls(['twice']), { say: 'done' }] },
    });
    const toolsets = [defineToolset({ name: 'box', tools: [tool] })];
    const { status } = await runAt(place, { mode: 'approve_all', budget: { calls: 2 }, toolsets });
    expect([status, place.text('out/a'), place.text('out/b')]).toEqual(['stopped', '', null]);
  });
});

describe('a budget of tokens', () => {
  it('limits each answer to the remaining tokens', async () => {
    const { asked, options } = await endpoint([writing('a')]);
    const { status, totals } = await runAt(workplace(files), { ...options, budget: { tokens: 30 } });
    expect([status, totals.tokens]).toEqual(['finished', { input: 20, output: 10 }]);
    expect(asked.map(({ max_tokens }) => max_tokens)).toEqual([30, 15]);
  });

  it('stops the run when exceeded, without the requested calls', async () => {
    const { asked, options } = await endpoint([writing('a'), writing('b')]);
    const place = workplace(files);
    const { status, why } = await runAt(place, { ...options, budget: { tokens: 29 } });
    expect([status, why]).toEqual(['stopped', 'over budget: the run may use 29 tokens, and has used 30']);
    expect([asked.length, place.text('out/a'), place.text('out/b')]).toEqual([2, '', null]);
  });

  it('requests no model after it is used up', async () => {
    const { asked, options } = await endpoint([writing('a')]);
    const { status, why } = await runAt(workplace(files), { ...options, budget: { tokens: 15 } });
    expect([status, why, asked.length]).toEqual([
      'stopped',
      'over budget: the run may use 15 tokens, and has used them',
      1,
    ]);
  });

  it('is exceeded by a model that does not report its tokens', async () => {
    const { options } = await endpoint([writing('a')], {});
    const place = workplace(files);
    const { status } = await runAt(place, { ...options, budget: { tokens: 1_000_000 } });
    expect([status, place.text('out/a')]).toEqual(['stopped', null]);
  });

  it('is shared by all workers', async () => {
    const delegating = [{ type: 'tool_use', id: '1', name: 'helper', input: { input: 'go' } }];
    const { options } = await endpoint([delegating, writing('a')]);
    const place = workplace(files);
    const { status, totals } = await runAt(place, { ...options, budget: { tokens: 29 } });
    expect([status, place.text('out/a')]).toEqual(['stopped', null]);
    expect(totals.workers).toEqual({
      main: { calls: 1, tokens: { input: 10, output: 5 }, costs: null },
      helper: { calls: 1, tokens: { input: 10, output: 5 }, costs: null },
    });
  });
});

describe('a budget of minutes', () => {
  it('stops work in progress when it is over', async () => {
    const tool = defineTool({
      name: 'wait',
      description: '',
      input: z.strictObject({}) as unknown as z.ZodType<JsonObject>,
      describe: () => ({ capabilities: [{ name: 'box.wait' }] }),
      execute: (_, { signal }) =>
        new Promise<null>((resolve) => {
          if (signal.aborted) resolve(null);
          signal.addEventListener('abort', () => resolve(null), { once: true });
        }),
    });
    const place = workplace({
      ...files,
      'main.worker': worker({ toolsets: { box: {} } }),
      'script.yaml': { main: [calls(['wait']), { say: 'done' }] },
    });
    const session = await sessionAt(place, {
      mode: 'approve_all',
      budget: { minutes: 0.001 },
      toolsets: [defineToolset({ name: 'box', tools: [tool] })],
    });
    const result = await session.run({});
    expect(result).toMatchObject({
      status: 'stopped',
      why: 'over budget: the run may last 0.001 minutes',
    });
  });

  it('does not delay the end of the run', async () => {
    const { status } = await runOf({ main: [{ say: 'done' }] }, { minutes: 30_000 });
    expect(status).toBe('finished');
  });
});

describe('a budget', () => {
  it.each<readonly [Budget, string]>([
    [{ calls: Number.NaN }, 'NaN is not a limit for `calls`'],
    [{ calls: -1 }, '-1 is not a limit for `calls`'],
    [{ tokens: 1.5 }, '1.5 is not a limit for `tokens`'],
    [{ tokens: '7' as unknown as number }, '7 is not a limit for `tokens`'],
    [{ minutes: 0 }, '0 is not a limit for `minutes`'],
    [{ minutes: Number.POSITIVE_INFINITY }, 'Infinity is not a limit for `minutes`'],
    [{ minutes: 35_001 }, '35001 is not a limit for `minutes`'],
  ])('is rejected if it is invalid: %o', async (budget, message) => {
    const opened = await openAt(workplace({ ...files, 'script.yaml': { main: [{ say: 'done' }] } }), {
      budget,
    });
    expect(opened).toMatchObject({ ok: false, problems: [{ code: 'BAD_BUDGET', message }] });
  });
});
