import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@ambit/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeStart, noFingerprints, resolveSite, startServer } from '../../src/index.js';
import { Started, whyOf } from './server.js';

type Answer = (asked: JsonObject, response: ServerResponse, request: IncomingMessage) => void;

interface Site {
  readonly url: string;
  readonly asked: string[];
}

/**
 * A server of the protocol over HTTP, on this machine; `answer` says what becomes of calls, and `stream` is what it sends on a
 * stream of its own before it closes that. `others` is the status for all but POST.
 */
async function site(answer: Answer, list?: Answer, stream?: string, others = 405): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.authorization ?? ''}`.trim());
    if (request.method === 'GET' && stream !== undefined)
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
    if (request.method !== 'POST') return void response.writeHead(others).end();
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const message = JSON.parse(text) as JsonObject;
      if (message.id === undefined) return void response.writeHead(202).end();
      if (message.method === 'server/discover') return void response.writeHead(400).end();
      if (message.method === 'initialize') return json(response, message, greeting);
      if (message.method === 'tools/list' && list === undefined)
        return json(response, message, { tools: [tool] });
      (message.method === 'tools/list' ? list : answer)?.(message, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, asked };
}

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'x', version: '1' },
};
const tool = { name: 'a', description: 'It is a.', inputSchema: { type: 'object' } };
const said = (text: string) => ({ content: [{ type: 'text', text }] });

function json(response: ServerResponse, { id }: JsonObject, result: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function begun(response: ServerResponse, leave: () => void): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': there will be an answer\n\n', leave);
}

const usual = {
  key: 'x',
  trusted: false,
  prefix: '',
  carries: {},
  limits: { start: 60_000, call: 60_000 },
} as const;

async function startedAt(
  url: string,
  { call = 60_000, headers = {}, resolve = resolveSite } = {},
): Promise<Started> {
  const program = { transport: 'http', url, headers } as const;
  const running = await startServer(
    { ...usual, program, limits: { start: 60_000, call } },
    {
      searchPath: [],
      home: '/nowhere',
      resolved: await resolve(program),
      signal: new AbortController().signal,
      fingerprints: noFingerprints,
    },
  );
  onTestFinished(() => running.close());
  return new Started(running, '/nowhere');
}

describe('a server over HTTP', () => {
  it('is not requested endlessly if it closes its streams at once', async () => {
    const at = await site(
      (m, response) => json(response, m, said('a')),
      undefined,
      'retry: 1\nid: 1\ndata:\n\n',
    );
    const server = await startedAt(at.url);
    const streams = () => at.asked.filter((line) => line === 'GET').length;
    await expect.poll(streams, { timeout: 120_000 }).toBe(20);
    for (let count = 0; count < 5; count += 1) await server.call('a');
    expect(streams()).toBe(20);
  });

  it('is called, and each call reports the connection', async () => {
    const { url, asked } = await site((message, response) => json(response, message, said('hello')));
    const server = await startedAt(url, { headers: { Authorization: 'Bearer abc' } });
    expect(await server.capabilities('a')).toEqual([
      { name: 'mcp.call', server: 'mcp-x', tool: 'a', read_only: false, destructive: true, open_world: true },
      {
        name: 'net.connect.private',
        host: '127.0.0.1',
        port: Number(new URL(url).port),
        scheme: 'http',
        by: 'toolset:mcp-x',
      },
      { name: 'content.untrusted', source: 'mcp-x' },
    ]);
    expect(await server.call('a')).toBe('hello');
    await server.running.close();
    expect([new Set(asked), asked.at(-1)]).toEqual([
      new Set(['POST Bearer abc', 'GET Bearer abc', 'DELETE Bearer abc']),
      'DELETE Bearer abc',
    ]);
    expect((await server.describe('a')).cannot).toBe('the server was ended with the run');
  });

  it('is called if it has nothing but POST', async () => {
    const at = await site(
      (message, response) => json(response, message, said('hello')),
      undefined,
      undefined,
      404,
    );
    const server = await startedAt(at.url);
    await expect.poll(() => at.asked, { timeout: 120_000 }).toContain('GET');
    await server.call('a');
    expect(await server.call('a')).toBe('hello');
  });

  it('may answer with a stream of events', async () => {
    const { url } = await site(({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: said('streamed') })}\n\n`,
      );
    });
    expect(await (await startedAt(url)).call('a')).toBe('streamed');
  });

  it.each([
    [
      'in several lines',
      (id: unknown) =>
        `: a\r\nid: 7\r\ndata: {"jsonrpc":"2.0",\r\ndata:"id":${String(id)},"result":[]}\r\n\r\n`,
    ],
    ['as no JSON', () => 'data: {"jsonrpc"\n\n'],
  ])('fails the call at once if its stream has an answer that is not a message, %s', async (_, events) => {
    const { url } = await site(({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const letter of events(id)) response.write(letter);
    });
    const server = await startedAt(url, { call: 600_000 });
    expect(await whyOf(server.call('a'))).toBe('mcp-x: its response is not an MCP message');
  });

  it.each<[string, Answer]>([
    [
      'sends too much data',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          while (!response.destroyed && response.write(' '.repeat(1_000_000)));
          response.once('drain', more);
        };
        more();
      },
    ],
    [
      'streams without end',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const more = () => {
          while (!response.destroyed && response.write(`data: ${'x'.repeat(100_000)}\n`));
          response.once('drain', more);
        };
        more();
      },
    ],
    ['never answers', () => undefined],
    [
      'answers with data that is not a message',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('nonsense'),
    ],
    [
      'answers with a page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    [
      'answers with a number that is too large',
      ({ id }, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`{"jsonrpc":"2.0","id":${Number(id)},"result":{"structuredContent":{"a":[1e999]}}}`);
      },
    ],
    ['requires a login', (_, response) => void response.writeHead(401).end()],
    ['fails', (_, response) => void response.writeHead(500).end('\u001b[2J')],
    ['closes the connection', (_, response) => void response.destroy()],
  ])('fails the call if it %s', async (_, answer) => {
    const { url } = await site(answer);
    const server = await startedAt(url, { call: 1500 });
    expect(await whyOf(server.call('a'))).toMatch(/^mcp-x: \P{Cc}*$/u);
  });

  it.each<[string, Answer]>([
    ['its stream ends', (_, response) => begun(response, () => response.end())],
    ['its stream breaks', (_, response) => begun(response, () => response.destroy())],
    ['it only takes the request', (_, response) => void response.writeHead(202).end()],
    ['it takes the request in a body without end', (_, response) => void response.writeHead(202).write(' ')],
    ['it answers another id', ({ id }, response) => json(response, { id: Number(id) + 1 }, said('wrong'))],
  ])('has failed a call at once if %s', async (_, answer) => {
    const { url } = await site(answer);
    const why = await whyOf((await startedAt(url)).call('a'));
    expect(why).toBe('mcp-x: the connection ended before the response');
  });

  it('is not followed by redirect', async () => {
    const other = await site((message, response) => json(response, message, said('other')));
    const { url } = await site((_, response) => void response.writeHead(307, { location: other.url }).end());
    const server = await startedAt(url, { headers: { Authorization: 'Bearer abc' } });
    expect(await whyOf(server.call('a'))).toContain('mcp-x: ');
    expect(other.asked).toEqual([]);
  });

  it('is connected to only at its judged address', async () => {
    const { url } = await site((message, response) => json(response, message, said('pinned')));
    const named = url.replace('127.0.0.1', 'tools.example');
    const server = await startedAt(named, {
      resolve: (program) => resolveSite(program, async () => ['127.0.0.1']),
    });
    expect(await server.call('a')).toBe('pinned');
    // The name led to a private address, so that is what a call carries besides.
    expect((await server.capabilities('a')).map(({ name }) => name)).toEqual([
      'mcp.call',
      'net.connect',
      'net.connect.private',
      'content.untrusted',
    ]);
  });
});

describe('describeStart', () => {
  const start = async (url: string, isPrivate = false) => {
    const { capabilities } = await describeStart(
      { ...usual, program: { transport: 'http', url, headers: {} } },
      { searchPath: [], isPrivate, describeLine: () => [] },
    );
    return capabilities.slice(0, -1);
  };

  it.each([
    ['https://tools.example/mcp', 'net.connect', 'tools.example', 443],
    ['http://tools.example:8080/', 'net.connect', 'tools.example', 8080],
    ['http://localhost/', 'net.connect.private', 'localhost', 80],
    ['http://0x7f.1/', 'net.connect.private', '127.0.0.1', 80],
    ['http://[::ffff:10.0.0.1]/', 'net.connect.private', '10.0.0.1', 80],
    ['http://169.254.169.254/latest', 'net.connect.private', '169.254.169.254', 80],
  ])('reports for %s: %s to %s', async (url, name, host, port) => {
    expect(await start(url)).toEqual([
      { name, host, port, scheme: url.split(':')[0], by: 'toolset:toolset' },
    ]);
  });

  it('reports both connections for a name with a private address', async () => {
    expect((await start('https://tools.example/', true)).map(({ name }) => name)).toEqual([
      'net.connect',
      'net.connect.private',
    ]);
  });
});

describe('resolveSite', () => {
  const at = (addresses: readonly string[]) =>
    resolveSite({ transport: 'http', url: 'http://tools.example/', headers: {} }, async () => addresses);

  it.each([
    [['93.184.216.34'], false],
    [['93.184.216.34', '10.0.0.1'], true],
    [['::1'], true],
    [['::ffff:192.168.0.1'], true],
  ])('is private for %j: %s', async (addresses, isPrivate) => {
    expect((await at(addresses)).isPrivate).toBe(isPrivate);
  });

  it('rejects a name without an address', async () => {
    expect(await whyOf(at([]))).toContain('there is no such host');
  });
});
