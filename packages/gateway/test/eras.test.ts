import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isDeep } from '../../../test/depth.js';
import { type Answers, createWorld, type Opened, policyOf, type World } from './world.js';

/** A client of the revisions with sessions, before a server of the stateless revision. */
const script = new URL('servers/stateless.mjs', import.meta.url).pathname;
const calls = '  mcp.call: { decision: pre_approved, except: { tool: danger } }\n';
const sampling = `${calls}  mcp.call.sampling: pre_approved\n`;

async function opened(
  rules: string,
  answers: Answers = {},
  args: readonly string[] = [],
): Promise<Opened & { readonly at: World }> {
  const at = createWorld(policyOf(rules));
  const each = await at.open('good', answers, {
    command: [process.execPath, script, join(at.folder, 'asked'), ...args],
  });
  return { ...each, at };
}

async function call({ client }: Opened, name: string): Promise<string> {
  const result = await client.callTool({ name, arguments: { text: 'hi' } });
  return (result.content as [{ text: string }])[0].text;
}

const called = (at: World) => at.asked().filter((line) => line.startsWith('tools/call'));

describe('a server without sessions', () => {
  it('serves a client with sessions, under the policies', async () => {
    const each = await opened(calls);
    expect((await each.client.listTools()).tools.map(({ name }) => name)).not.toContain('danger');
    expect(await call(each, 'echo')).toBe('echo:hi');
    expect(await call(each, 'danger')).toMatch(/^BLOCKED/);
    await each.client.setLoggingLevel('error');
    await call(each, 'echo');
    expect(called(each.at)).toHaveLength(2);
    expect(called(each.at)[1]).toContain('"io.modelcontextprotocol/logLevel":"error"');
    expect(each.at.asked().filter((line) => /^initialize|^logging/.test(line))).toEqual([]);
  });

  it('has no subscriptions to single resources', async () => {
    const { client, at } = await opened('  mcp.call: pre_approved\n');
    expect(client.getServerCapabilities()?.resources).toEqual({ listChanged: true });
    for (const method of ['resources/subscribe', 'resources/unsubscribe'])
      await expect(
        client.request({ method, params: { uri: 'made://x' } } as never, z.looseObject({})),
      ).rejects.toMatchObject({ code: -32601 });
    expect(at.log().filter(({ tool }) => tool === 'gateway.read_resource')).toEqual([]);
  });

  it('asks the user by a result that names it, and is not given secrets', async () => {
    const messages: string[] = [];
    const answer = { action: 'accept', content: { city: 'Rome' } };
    const elicit = (message: string) => {
      messages.push(message);
      return answer;
    };
    const each = await opened(calls, { elicit });
    expect(JSON.parse(await call(each, 'city'))).toEqual([answer, 'state of city']);
    expect(JSON.parse(await call(each, 'secret'))).toEqual([{ action: 'cancel' }, 'state of secret']);
    expect(messages).toEqual(['The MCP server tricky asks (not Ambit): Which city?']);
  });

  it('has its question cancelled that opens a URL, and the call goes on', async () => {
    const each = await opened(calls, { elicit: () => ({ action: 'accept', content: {} }) });
    expect(JSON.parse(await call(each, 'link'))).toEqual([{ action: 'cancel' }, 'state of link']);
    expect(each.said.join()).toContain('a question of the MCP server tricky was cancelled');
  });

  it('may ask many questions at once', async () => {
    const warnings: string[] = [];
    const warn = ({ name }: Error) => void (name === 'MaxListenersExceededWarning' && warnings.push(name));
    process.on('warning', warn);
    const each = await opened(calls, { elicit: () => ({ action: 'decline' }) });
    await each.client.callTool({ name: 'city', arguments: { text: 'hi', count: 500 } });
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });

  it('has no tasks for a client with sessions, and no call that wants one', async () => {
    const each = await opened(calls);
    const request = (method: string, params: object) =>
      each.client.request({ method, params } as never, z.looseObject({}));
    const slow = { name: 'slow', arguments: { text: 'a' } };
    expect(each.client.getServerCapabilities()?.tasks).toBeUndefined();
    await expect(request('tools/call', { ...slow, task: { ttl: 1 } })).rejects.toThrow('task creation');
    expect(called(each.at)).toEqual([]);
    expect(await request('tools/call', slow)).toEqual({ content: [{ type: 'text', text: 'slow:a' }] });
    const unasked = await request('tools/call', { ...slow, arguments: { text: 'b', always: true } });
    expect(unasked).toMatchObject({ isError: true });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list'])
      await expect(request(method, { taskId: 'b' })).rejects.toMatchObject({ code: -32601 });
    expect(each.at.asked().filter((line) => line.startsWith('tasks/'))).toEqual([]);
  });

  it.skipIf(!isDeep)('is asked again in its own revision where it starts late', async () => {
    const each = await opened(calls, {}, ['late']);
    expect(await call(each, 'echo')).toBe('echo:hi');
  });

  it.each([
    ['is answered', sampling],
    ['is refused', calls],
  ])('is handled by the rules if it asks the model by a result: %s', async (what, rules) => {
    const sampled = { role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'm' };
    const seen: object[] = [];
    const sample = (params: object) => {
      seen.push(params);
      return sampled;
    };
    const each = await opened(rules, { sample });
    if (what === 'is answered') expect(JSON.parse(await call(each, 'model'))[0]).toEqual(sampled);
    else await expect(call(each, 'model')).rejects.toThrow('the request was refused');
    expect(seen).toHaveLength(what === 'is answered' ? 1 : 0);
  });
});
