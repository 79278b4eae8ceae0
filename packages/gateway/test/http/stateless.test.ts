import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { asks, echoOnly, listening, stateless, statelessClient, textOf } from './stage.js';

const elicits = { elicitation: {} };
const echo = (text: string, more: object = {}) => ({
  method: 'tools/call',
  params: { name: 'echo', arguments: { text }, ...more },
});
const yes = { approval: { action: 'accept', content: { decision: 'approve' } } };

describe('a client without sessions', () => {
  it('can call a server with sessions, under the policies', async () => {
    const at = await listening(echoOnly);
    const client = await statelessClient(at.url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('echo:hi');
    expect(textOf(await client.callTool({ name: 'danger.run', arguments: {} }))).toMatch(
      /^BLOCKED by policy/,
    );
    expect(at.calls()).toHaveLength(1);
  });

  it('is asked by a result, and one yes runs the call once', async () => {
    const at = await listening(asks);
    const answers = ['approve', 'deny'];
    const client = await statelessClient(at.url, () => ({
      action: 'accept',
      content: { decision: answers.shift() },
    }));
    expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('echo:hi');
    expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toMatch(/^REFUSED/);
    expect(at.calls()).toHaveLength(1);
  });

  it('is asked about a call with half of a character, and runs it after the approval', async () => {
    const at = await listening(asks);
    const send = (...given: Parameters<typeof stateless>) => at.post(...stateless(...given));
    const { requestState } = (await send(echo('\ud800'), elicits)).message.result ?? {};
    const other = await send(echo('\ud801', { inputResponses: yes, requestState }), elicits);
    expect(other.message.error?.code).toBe(-32602);
    const { message } = await send(echo('\ud800', { inputResponses: yes, requestState }), elicits);
    expect([message.error, at.calls().length]).toEqual([undefined, 1]);
  });

  it('gets the command for a terminal if it cannot ask', async () => {
    const at = await listening(asks);
    const client = await statelessClient(at.url);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
    expect(textOf(result)).toMatch(/ambit approvals approve/);
    expect(at.calls()).toEqual([]);
  });

  it('cannot run a call with an answer that is forged, used, or for another call', async () => {
    const at = await listening(asks);
    const send = (...given: Parameters<typeof stateless>) => at.post(...stateless(...given));
    const asked = await send(echo('a'), elicits);
    const { resultType, requestState } = asked.message.result as Record<string, string>;
    expect(resultType).toBe('input_required');
    const state = String(requestState);
    const forged = [
      echo('a', { inputResponses: yes }),
      echo('b', { inputResponses: yes, requestState: state }),
      echo('a', { inputResponses: yes, requestState: `${state.slice(0, -4)}AAAA` }),
      echo('a', { inputResponses: yes, requestState: state.replace(/\..*\./, '.e30.') }),
      {
        method: 'tools/call',
        params: { ...echo('a').params, name: 'danger.run', inputResponses: yes, requestState: state },
      },
    ];
    for (const each of forged) expect((await send(each, elicits)).message.error?.code).toBe(-32602);
    expect(at.calls()).toEqual([]);
    const answer = echo('a', { inputResponses: yes, requestState: state });
    const twice = await Promise.all([send(answer, elicits), send(answer, elicits), send(answer, elicits)]);
    expect(twice.filter(({ message }) => message.error === undefined)).toHaveLength(1);
    expect(at.calls()).toHaveLength(1);
  });

  it('runs no call with an answer under a policy that no longer permits it', async () => {
    const at = await listening(asks);
    const send = (...given: Parameters<typeof stateless>) => at.post(...stateless(...given));
    const { requestState } = (await send(echo('a'), elicits)).message.result ?? {};
    const file = join(at.world.folder, 'policy.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('mcp.call: needs_approval', 'mcp.call: blocked'));
    const { message } = await send(echo('a', { inputResponses: yes, requestState }), elicits);
    expect(textOf(message.result ?? {})).toMatch(/^BLOCKED by policy/);
    expect(at.calls()).toEqual([]);
  });

  it('learns of changed lists by a stream that it asks for, and of nothing else', async () => {
    const at = await listening(echoOnly, {}, 'notes');
    const client = await statelessClient(at.url);
    const heard: string[] = [];
    client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
    await client.listen({ toolsListChanged: true, resourcesListChanged: false });
    await client.callTool({ name: 'echo', arguments: { text: 'a' } });
    await expect.poll(() => heard, { timeout: 60_000 }).toContain('notifications/tools/list_changed');
    expect(new Set(heard)).toEqual(new Set(['notifications/tools/list_changed']));
  });

  it('is refused if its headers and body differ', async () => {
    const at = await listening(echoOnly);
    const [message, headers] = stateless(echo('a'));
    for (const wrong of [{ 'mcp-name': 'danger.run' }, { 'mcp-method': 'tools/list' }]) {
      const refused = await at.post(message, { ...headers, ...wrong });
      expect([refused.status, refused.message.error?.code]).toEqual([400, -32020]);
    }
    expect(at.calls()).toEqual([]);
  });

  it.each<[string, { now(): number }]>([
    ['', Date],
    [', also if the clock was set back', performance],
  ])('has ten minutes for an answer%s', async (_, clock) => {
    const at = await listening(asks);
    const send = (...given: Parameters<typeof stateless>) => at.post(...stateless(...given));
    const { requestState } = (await send(echo('a'), elicits)).message.result ?? {};
    const now = clock.now.bind(clock);
    const moment = Date.now();
    const wall = vi.spyOn(Date, 'now').mockReturnValue(moment - 3_600_000);
    const later = vi.spyOn(clock, 'now').mockImplementation(() => now() + 601_000);
    onTestFinished(() => void [later.mockRestore(), wall.mockRestore()]);
    const { message } = await send(echo('a', { inputResponses: yes, requestState }), elicits);
    expect([message.error?.code, at.calls().length]).toEqual([-32602, 0]);
  });

  it('gets a new session of a server over HTTP that has ended the last one', async () => {
    let sessions: string[] = [];
    let calls = 0;
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const { id, method } = (await json(request).catch(() => ({}))) as { id?: number; method?: string };
      const session = String(request.headers['mcp-session-id'] ?? randomUUID());
      if (method === 'initialize') sessions.push(session);
      if (method === 'tools/call') calls += 1;
      const capabilities = { tools: {} };
      const result = {
        initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'x', version: '1' } },
        'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'done' }] },
      }[method ?? ''];
      const status = !sessions.includes(session) ? 404 : result === undefined ? 202 : 200;
      response.writeHead(status, { 'content-type': 'application/json', 'mcp-session-id': session });
      response.end(status === 200 ? JSON.stringify({ jsonrpc: '2.0', id, result }) : '');
    };
    const server = createServer((...each) => void answer(...each));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const site = { transport: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} } as const;
    const usual = { name: 'tricky', folder: '/', environment: {}, trusted: false };
    const at = await listening(echoOnly, { servers: [{ ...usual, command: site }] });
    const called = async () => {
      const request = stateless({ method: 'tools/call', params: { name: 'echo', arguments: {} } });
      return textOf((await at.post(...request)).message.result ?? {});
    };
    expect(await called()).toBe('done');
    sessions = [];
    expect(await called()).toContain('the server has ended');
    expect(await called()).toBe('done');
    expect(calls).toBe(2);
  });

  it('gets the code and the data of a server’s error', async () => {
    const at = await listening(echoOnly, {}, 'refuses');
    const error = { code: -32002, data: { uri: 'file:///a' } };
    const { message } = await at.post(...stateless(echo(JSON.stringify(error))));
    // Its revision has another code for a missing resource.
    expect(message.error).toEqual({ ...error, code: -32602, message: 'no such tool' });
  });

  it('is refused if its method is unknown', async () => {
    const at = await listening(echoOnly);
    const refused = await at.post(...stateless({ method: 'completion/complete', params: {} }));
    expect([refused.status, refused.message.error?.code]).toEqual([404, -32601]);
  });

  it.each([
    ['tools/call', { name: 'echo', arguments: { text: 'a' } }, { content: [] }],
    ['prompts/list', {}, { prompts: [], ttlMs: 0, cacheScope: 'private' }],
  ])(
    'passes no question on that a server of the older revisions writes into a result of %s',
    async (...of) => {
      const [method, params, expected] = of;
      const at = await listening(echoOnly, {}, 'poses');
      const { message } = await at.post(...stateless({ method, params }, { elicitation: {} }));
      const { _meta, ...result } = message.result ?? {};
      expect(result).toEqual({ ...expected, resultType: 'complete' });
    },
  );
});
