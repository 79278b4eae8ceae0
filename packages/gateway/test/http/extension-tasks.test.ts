import { describe, expect, it } from 'vitest';
import { type Listening, listening, stateless, textOf } from './stage.js';

const script = new URL('../servers/stateless.mjs', import.meta.url).pathname;
const extensions = { 'io.modelcontextprotocol/tasks': {} };
const able = { elicitation: {}, extensions };

const opened = () =>
  listening('  mcp.call: { decision: pre_approved, except: { tool: danger } }\n', {}, 'good', (record) => [
    process.execPath,
    script,
    record,
  ]);

/** The result of a request, or the code of its error. */
async function ask(
  at: Listening,
  method: string,
  params: Record<string, unknown>,
  capabilities: object = able,
) {
  const [message, headers] = stateless({ method, params }, capabilities);
  const named = typeof params.taskId === 'string' ? { 'mcp-name': params.taskId } : {};
  const { message: answer } = await at.post(message, { ...headers, ...named });
  return (answer.result ?? answer.error?.code) as Record<string, unknown> | number;
}

const start = (at: Listening, text: string, capabilities: object = able, more: object = {}) =>
  ask(at, 'tools/call', { name: 'slow', arguments: { text, ...more } }, capabilities);
const outcomes = (at: Listening) =>
  at.world.log().flatMap(({ event, outcome, error }) => (event === 'outcome' ? [error ?? outcome] : []));

describe('a task of the stateless revision', () => {
  it('can be followed by its client, and its end is the outcome of its call', async () => {
    const at = await opened();
    const task = { taskId: 'done', status: 'working', ttlMs: null, pollIntervalMs: 5 };
    const made = await start(at, 'done');
    expect(made).toMatchObject({ resultType: 'task', ...task });
    expect(made).not.toHaveProperty('unknown');
    const before = outcomes(at).length;
    const done = (await ask(at, 'tasks/get', { taskId: 'done' })) as { readonly result: object };
    expect(done).toMatchObject({ resultType: 'complete', status: 'completed' });
    // No question that its client could take for one of the gateway.
    expect(done.result).toEqual({ content: [{ type: 'text', text: '{}' }] });
    await expect.poll(() => outcomes(at).length, { timeout: 30_000 }).toBe(before + 1);
    await start(at, 'lost');
    expect(await ask(at, 'tasks/get', { taskId: 'lost' })).toMatchObject({
      status: 'failed',
      error: { code: -32603, message: expect.not.stringContaining('\u001b') },
    });
    await start(at, 'gone');
    expect(await ask(at, 'tasks/cancel', { taskId: 'gone' })).toMatchObject({ resultType: 'complete' });
    expect(await ask(at, 'tasks/get', { taskId: 'gone' })).toMatchObject({ status: 'cancelled' });
  });

  it('asks in its server’s name, and accepts an answer only once and to its own question', async () => {
    const at = await opened();
    await start(at, 'ask');
    const city = {
      method: 'elicitation/create',
      params: { message: 'The MCP server tricky asks (not Ambit): Which city?' },
    };
    const asks = await ask(at, 'tasks/get', { taskId: 'ask' });
    expect(asks).toMatchObject({ status: 'input_required', inputRequests: { city } });
    expect(Object.keys((asks as { inputRequests: object }).inputRequests)).toEqual(['city']);
    const said = { action: 'accept', content: { city: 'Oslo' } };
    for (let time = 0; time < 2; time += 1)
      expect(
        await ask(at, 'tasks/update', {
          taskId: 'ask',
          inputResponses: { city: said, secret: said, new: said },
        }),
      ).toMatchObject({ resultType: 'complete' });
    const { result } = (await ask(at, 'tasks/get', { taskId: 'ask' })) as { result: object };
    expect(JSON.parse(textOf(result))).toEqual({ city: said, secret: { action: 'cancel' } });
    expect(at.world.asked().filter((line) => line.startsWith('tasks/update'))).toHaveLength(2);
  });

  it('is refused with the version where the server has those of the older revisions', async () => {
    const at = await listening('  mcp.call: pre_approved\n', {}, 'tasks');
    const { tools } = (await ask(at, 'tools/list', {})) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'danger.run']);
    const [message, headers] = stateless({ method: 'tools/call', params: { name: 'slow' } }, able);
    expect((await at.post(message, headers)).message.error).toMatchObject({
      code: -32022,
      data: { supported: ['2025-11-25'], requested: '2026-07-28' },
    });
    expect(at.calls()).toEqual([]);
    const plain = await ask(at, 'tools/call', { name: 'echo', arguments: { text: 'a' }, task: { ttl: 1 } });
    expect(plain).toMatchObject({ content: [{ text: 'echo:a' }] });
    expect(await ask(at, 'tasks/get', { taskId: 'a' })).toBe(-32601);
    expect(at.world.asked().filter((line) => line.startsWith('tasks/'))).toEqual([]);
  });

  it('is unknown to other clients, and to a client without tasks', async () => {
    const at = await opened();
    await start(at, 'done');
    for (const taskId of ['other', '__proto__']) expect(await ask(at, 'tasks/get', { taskId })).toBe(-32602);
    const other = { extensions };
    expect(await ask(at, 'tasks/get', { taskId: 'done' }, other)).toBe(-32602);
    expect(await ask(at, 'tasks/cancel', { taskId: 'done' }, other)).toMatchObject({
      resultType: 'complete',
    });
    expect(await ask(at, 'tasks/get', { taskId: 'done' }, {})).toBe(-32601);
    expect(at.world.asked().filter((line) => line.startsWith('tasks/'))).toEqual([]);
    expect(await start(at, 'done', {})).toMatchObject({ content: [{ text: 'slow:done' }] });
    expect(await start(at, 'x', {}, { always: true })).toMatchObject({ isError: true });
    expect(await start(at, 'done')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('the id of another task') }],
    });
  });
});
