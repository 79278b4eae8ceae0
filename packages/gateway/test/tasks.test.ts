import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isDeep } from '../../../test/depth.js';
import { createWorld, type Opened, policyOf, type World } from './world.js';

const echo = '  mcp.call: { decision: pre_approved, match: { tool: [echo, slow] } }\n';

interface Stage extends Opened {
  readonly at: World;
  readonly request: (method: string, params?: object) => Promise<Record<string, unknown>>;
  /** Calls a tool as a task with this id. */
  readonly begin: (id: string, tool?: string) => Promise<Record<string, unknown>>;
}

async function opened(at: World, mode = 'tasks'): Promise<Stage> {
  const each = await at.open(mode, undefined, { limits: { start: 5_000 } });
  const request = (method: string, params: object = {}) =>
    each.client.request({ method, params } as never, z.looseObject({})) as Promise<Record<string, unknown>>;
  const begin = (id: string, name = 'echo') =>
    request('tools/call', { name, arguments: { text: id }, task: { ttl: 1000, more: 1 } });
  return { ...each, at, request, begin };
}

function world(rules = echo): World {
  const made = createWorld(policyOf(rules));
  return made;
}

const shown = {
  taskId: 'a',
  status: 'working',
  statusMessage: 'a\\u{1b}[2Jb',
  ttl: null,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
};
const about = (at: World, method: string) => at.asked().filter((line) => line.startsWith(`tasks/${method} `));
const outcomes = (at: World) => at.log().flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome]));

describe('a task', () => {
  it('is created by a judged call, can be followed, and is recorded when it ends', async () => {
    const each = await opened(world());
    expect(each.client.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
    const { tools } = await each.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'slow']);
    expect(await each.begin('a', 'slow')).toEqual({ task: shown });
    expect(each.at.asked().at(-1)).toMatch(/"task":\{"ttl":1000\}\}$/);
    expect(await each.request('tasks/get', { taskId: 'a' })).toEqual(shown);
    const before = outcomes(each.at).length;
    const result = await each.request('tasks/result', { taskId: 'a' });
    expect(result.content).toEqual([{ type: 'text', text: 'result of a' }]);
    await each.request('tasks/cancel', { taskId: 'a' });
    await each.close();
    expect(outcomes(each.at).slice(before)).toEqual(['completed']);
  });

  it.skipIf(!isDeep)('makes room for the 1001st when it has ended', async () => {
    const each = await opened(world());
    const begun = await Promise.all(Array.from({ length: 1_000 }, (_, id) => each.begin(`t${id}`)));
    expect(begun.every(({ task }) => task !== undefined)).toBe(true);
    const refused = { content: [{ type: 'text', text: 'The call failed: there are more than 1000 tasks' }] };
    expect(await each.begin('more')).toMatchObject(refused);
    await each.request('tasks/cancel', { taskId: 't500' });
    expect(await each.begin('another')).toEqual({ task: { ...shown, taskId: 'another' } });
    await expect(each.request('tasks/get', { taskId: 't500' })).rejects.toThrow('no such task');
    expect(await each.request('tasks/get', { taskId: 't0' })).toMatchObject({ taskId: 't0' });
  });

  it.each([
    ['its result is an error', 'bad', 'tasks/result'],
    ['it is cancelled', 'a', 'tasks/cancel'],
    ['the client ends before it', 'a', 'tasks/get'],
  ])('is recorded as a failure if %s', async (_, taskId, method) => {
    const each = await opened(world());
    await each.begin(taskId);
    await each.request(method, { taskId });
    await each.close();
    expect(outcomes(each.at).at(-1)).toBe('failed');
  });

  it('of another session is unknown and not listed', async () => {
    const at = world();
    const [one, other] = [await opened(at), await opened(at)];
    await one.begin('a');
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      for (const taskId of ['a', 'foreign', '__proto__', 7])
        await expect(other.request(method, { taskId })).rejects.toMatchObject({ code: -32602 });
    expect((await one.request('tasks/list')).tasks).toEqual([shown]);
    expect((await other.request('tasks/list')).tasks).toEqual([]);
    expect([about(at, 'result'), about(at, 'cancel'), about(at, 'list')]).toEqual([[], [], []]);
  });

  it.skipIf(!isDeep)('is refused if it has the id of another task', async () => {
    const each = await opened(world());
    await each.begin('a');
    for (const id of ['odd', 'hung']) await each.begin(id);
    expect(await each.begin('a')).toMatchObject({ isError: true });
    await expect(each.request('tasks/get', { taskId: 'odd' })).rejects.toThrow('another task');
    // The others are listed, also if the server does not answer about one.
    expect((await each.request('tasks/list')).tasks).toEqual([shown]);
  });

  it('has its server’s name before its id if there are several servers, which may use equal ids', async () => {
    const at = world();
    const servers = ['one', 'two'].map((name) => at.serverAt(name, 'tasks'));
    const { client } = await at.open('tasks', undefined, servers);
    const ask = (method: string, params: object = {}) =>
      client.request({ method, params } as never, z.looseObject({})) as Promise<Record<string, unknown>>;
    for (const server of ['one', 'two']) {
      const taskId = `${server}__a`;
      const call = { name: `${server}__echo`, arguments: { text: 'a' }, task: {} };
      expect(await ask('tools/call', call)).toEqual({ task: { ...shown, taskId } });
      expect(await ask('tasks/get', { taskId })).toEqual({ ...shown, taskId });
      const { _meta: meta } = await ask('tasks/result', { taskId });
      expect(meta).toEqual({ 'io.modelcontextprotocol/related-task': { taskId } });
    }
    expect(about(at, 'result')).toEqual(Array.from({ length: 2 }, () => 'tasks/result {"taskId":"a"}'));
    const { tasks } = await ask('tasks/list');
    expect((tasks as { taskId: string }[]).map(({ taskId }) => taskId)).toEqual(['one__a', 'two__a']);
    await expect(ask('tasks/get', { taskId: 'a' })).rejects.toMatchObject({ code: -32602 });
  });

  it('that nobody asked for is a failed call', async () => {
    const each = await opened(world());
    const said = 'The call failed: the server returned a task that nobody asked for';
    expect(await each.request('tools/call', { name: 'echo', arguments: { text: 'unasked' } })).toMatchObject({
      content: [{ text: said }],
      isError: true,
    });
    await each.close();
    expect(outcomes(each.at).at(-1)).toBe('failed');
  });

  it('is not created by a blocked call', async () => {
    const each = await opened(world());
    expect(await each.begin('a', 'danger.run')).toMatchObject({ isError: true });
    await expect(each.request('tasks/get', { taskId: 'a' })).rejects.toMatchObject({ code: -32602 });
    expect(each.at.asked().filter((line) => line.startsWith('tools/call'))).toEqual([]);
  });

  it('is refused if the server does not support tasks', async () => {
    const each = await opened(world(), 'good');
    expect(each.client.getServerCapabilities()?.tasks).toBeUndefined();
    await expect(each.begin('a')).rejects.toThrow('does not support task');
    await expect(each.request('tasks/list')).rejects.toMatchObject({ code: -32601 });
    expect(each.at.asked().filter((line) => line.includes('task'))).toEqual([]);
  });
});
