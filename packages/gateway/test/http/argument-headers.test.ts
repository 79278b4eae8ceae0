import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, initialize, listening, stateless, statelessClient, textOf } from './stage.js';

const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    place: { type: 'object', properties: { floor: { type: 'integer', 'x-mcp-header': 'Floor' } } },
    text: { type: 'string' },
  },
} as const;

/** A server of the official SDK that expects arguments in headers, and the received ones. */
async function site() {
  const got: unknown[] = [];
  const handler = createMcpHandler(({ requestInfo }) => {
    const server = new McpServer({ name: 'site', version: '1' });
    server.registerTool('locate', { inputSchema: fromJsonSchema(inputSchema as never) }, () => {
      got.push(['region', 'floor', 'text'].map((name) => requestInfo?.headers.get(`mcp-param-${name}`)));
      return { content: [{ type: 'text', text: 'here' }] };
    });
    return server;
  });
  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const { method = 'GET' } = request;
    const answer = await handler.fetch(new Request('http://127.0.0.1/mcp', { method, headers, ...body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  };
  const server = createServer((request, response) => void answerTo(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, got };
}

describe('arguments in headers', () => {
  it('are derived from the body for the server, and refused if the client sent other values', async () => {
    const { url, got } = await site();
    const command = { transport: 'http', url, headers: {} } as const;
    const named = { name: 'site', command, folder: '/', environment: {}, trusted: false };
    const at = await listening('  mcp.call: pre_approved\n', { servers: [named] });
    const client = await statelessClient(at.url);
    const args = { region: 'Tromsø', place: { floor: 2 }, text: 'x' };
    expect(textOf(await client.callTool({ name: 'locate', arguments: args }))).toBe('here');
    expect(got).toEqual([[`=?base64?${Buffer.from('Tromsø').toString('base64')}?=`, '2', null]]);
    const [message, headers] = stateless({
      method: 'tools/call',
      params: { name: 'locate', arguments: args },
    });
    const whole = { 'mcp-param-region': '=?base64?VHJvbXPDuA==?=', 'mcp-param-floor': '2' };
    const { 'mcp-param-floor': _, ...part } = whole;
    const wrongs: Record<string, string>[] = [
      {},
      part,
      { ...whole, 'mcp-param-region': 'Oslo' },
      { ...whole, 'mcp-param-region': '=?base64?VHJvbXP#DuA==?=' },
      { ...whole, 'mcp-param-text': 'x' },
    ];
    for (const wrong of wrongs) {
      const refused = await at.post(message, { ...headers, ...wrong });
      expect([wrong, refused.status, refused.message.error?.code]).toEqual([wrong, 400, -32020]);
    }
    expect(got).toHaveLength(1);
    expect((await at.post(message, { ...headers, ...whole })).status).toBe(200);
    const begun = await at.post(initialize);
    const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
    const inSession = call(2, 'locate', args);
    const refused = await at.post(inSession, { ...session, 'mcp-param-region': 'Oslo' });
    expect([refused.status, refused.message.error?.code]).toEqual([400, -32020]);
    expect(got).toHaveLength(2);
    expect((await at.post(inSession, session)).status).toBe(200);
  });
});
