import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runGateway } from '../src/gateway.js';
import { textOf } from './http/stage.js';
import { createWorld, over, policyOf, type World } from './world.js';

const calls = '  mcp.call: { decision: pre_approved, match: { tool: echo } }\n';
const asks = '  mcp.call: needs_approval\n';

/** A gateway on standard input and output, with what it wrote there. */
function started(rules: string, mode = 'good', script?: string) {
  const at = createWorld(policyOf(rules));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ending = new AbortController();
  const options = at.options(mode, ending.signal);
  const [server] = options.servers;
  const command = [process.execPath, script ?? '', join(at.folder, 'asked')] as const;
  const servers = [script === undefined ? server : { ...server, command }] as const;
  const ended = runGateway({ ...options, servers, stdin: input, stdout: output });
  onTestFinished(async () => {
    input.end();
    await ended.catch(() => undefined);
  });
  const wrote: string[] = [];
  output.on('data', (chunk: Buffer) => wrote.push(chunk.toString()));
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const lines = () =>
    wrote
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const answered = async (id: number) => {
    await expect.poll(() => lines().some((line) => line.id === id), { timeout: 60_000 }).toBe(true);
    return lines().find((line) => line.id === id);
  };
  return { at, input, output, ended, lines, send, answered };
}

type Answer = (message: string) => object;

async function stateless(rules: string, answer?: Answer, mode?: string) {
  const gateway = started(rules, mode);
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: answer === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message) as never);
  await client.connect(over(gateway.input, gateway.output) as Transport);
  const call = async (text: string, signal?: AbortSignal) => {
    const result = await client.callTool(
      { name: 'echo', arguments: { text } },
      signal === undefined ? {} : { signal },
    );
    return textOf(result);
  };
  return { ...gateway, client, call };
}

const meta = (version: string, capabilities = {}) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
});

const called = (at: World) => at.asked().filter((line) => line.startsWith('tools/call'));

describe('a stateless client on standard input and output', () => {
  it('is served in its own revision, judged and recorded', async () => {
    const { at, client, call, input, ended } = await stateless(calls);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo']);
    expect(await call('hi')).toBe('echo:hi');
    const danger = await client.callTool({ name: 'danger.run', arguments: {} });
    expect(danger.isError).toBe(true);
    expect(called(at)).toHaveLength(1);
    input.end();
    await ended;
    const decided = at.log().filter(({ event, tool }) => event === 'decision' && tool !== 'toolset.start');
    expect(decided).toHaveLength(2);
  });

  it('gets our question as a result, and one yes runs the call once', async () => {
    const questions: string[] = [];
    const decisions = ['approve', 'deny'];
    const { at, call } = await stateless(asks, (message) => {
      questions.push(message);
      return { action: 'accept', content: { decision: decisions.shift() } };
    });
    expect(await call('a')).toBe('echo:a');
    expect(await call('a')).toMatch(/^REFUSED/);
    expect(questions).toHaveLength(2);
    expect(called(at)).toHaveLength(1);
  });

  it('gets a server’s question as a result, and not as a request', async () => {
    const said = { action: 'accept', content: { city: 'Oslo' } };
    const { call, lines } = await stateless('  mcp.call: pre_approved\n', () => said, 'asks');
    expect(JSON.parse(await call('Which city?'))).toEqual(said);
    expect(lines().filter((message) => 'method' in message && 'id' in message)).toEqual([]);
  });

  it('can cancel a call', async () => {
    const { at, call } = await stateless(calls, undefined, 'hang');
    const leaving = new AbortController();
    const calling = call('a', leaving.signal);
    calling.catch(() => undefined);
    await expect.poll(() => called(at).length, { timeout: 60_000 }).toBe(1);
    leaving.abort();
    const cancelled = () => at.asked().some((line) => line.startsWith('notifications/cancelled'));
    await expect.poll(cancelled, { timeout: 60_000 }).toBe(true);
  });

  it('is refused more than 1000 requests at once, those of tasks too', async () => {
    const script = new URL('servers/stateless.mjs', import.meta.url).pathname;
    const { send, lines, answered } = started('  mcp.call: pre_approved\n', 'good', script);
    const _meta = meta('2026-07-28', { extensions: { 'io.modelcontextprotocol/tasks': {} } });
    send({ id: 0, method: 'tools/call', params: { name: 'slow', arguments: { text: 'hung' }, _meta } });
    expect((await answered(0)).result.resultType).toBe('task');
    for (let id = 1; id <= 1_001; id += 1)
      send({ id, method: 'tasks/get', params: { taskId: 'hung', _meta } });
    send({ id: 1_002, method: 'nothing', params: { _meta } });
    await answered(1_002);
    const refused = lines().filter(({ error }) => error?.code === -32000);
    expect(refused.map(({ id }) => id)).toEqual([1_001]);
  });

  it('falls back to a session, and learns which versions are supported', async () => {
    const { at, send, answered } = started(calls);
    send({ id: 1, method: 'tools/list', params: { _meta: meta('2031-01-01') } });
    expect((await answered(1)).error.code).toBe(-32022);
    send({ id: 2, method: 'server/discover', params: { _meta: meta('2026-07-28') } });
    expect((await answered(2)).result.supportedVersions).toContain('2026-07-28');
    const clientInfo = { name: 'x', version: '1' };
    send({
      id: 3,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    expect((await answered(3)).result.protocolVersion).toBe('2025-11-25');
    send({ id: 4, method: 'tools/call', params: { name: 'echo', arguments: { text: 'a' } } });
    expect((await answered(4)).result.content[0].text).toBe('echo:a');
    send({
      id: 5,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo },
    });
    expect((await answered(5)).error.code).toBe(-32600);
    expect(called(at)).toHaveLength(1);
  });

  it('is asked by what the first message in its revision declares, also if other messages come at once', async () => {
    const { input, answered } = started(asks);
    const forms = meta('2026-07-28', { elicitation: {} });
    const messages = [
      { id: 1, method: 'tools/list', params: { _meta: meta('2031-01-01') } },
      { id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text: 'a' }, _meta: forms } },
      { id: 3, method: 'tools/list', params: { _meta: meta('2026-07-28') } },
    ];
    input.write(messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''));
    expect((await answered(2)).result.resultType).toBe('input_required');
  });
});
