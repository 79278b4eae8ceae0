import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { entryAuthority, type JsonObject, type LogEvent, Run } from '@ambit/core';
import { type McpServer, usualCallLimit, usualStartLimit } from '@ambit/toolsets';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Happening } from '../../src/host/session-event.js';
import { openJournal } from '../../src/journal/journal.js';
import { readPolicies } from '../../src/policies/read-policies.js';
import { memoryStore } from '../../src/store/memory-store.js';
import { createMcpServers, startMcpServer } from '../../src/toolsets/mcp-servers.js';
import { workplace } from '../session.js';
import { allowing } from './mcp-place.js';

/** A server over HTTP on this machine, with one tool. */
async function site(): Promise<{ readonly port: number; readonly asked: () => number }> {
  let asked = 0;
  const answers: JsonObject = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    },
    'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
  };
  const server = createServer((request, response) => {
    asked += 1;
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method } = JSON.parse(text) as { readonly id?: number; readonly method: string };
      if (id === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked: () => asked };
}

async function starting(capabilities: JsonObject, addresses: readonly string[]) {
  const { port, asked } = await site();
  const place = workplace({ 'policy.yaml': allowing(capabilities) });
  const { policies } = await readPolicies([place.path('policy.yaml')], {
    root: place.root,
    home: place.root,
  });
  const [policy] = policies;
  if (policy === undefined) throw new Error('no policy');
  const events: LogEvent[] = [];
  const seen: Happening[] = [];
  let id = 0;
  const run = new Run({
    policies: [policy],
    mode: 'strict',
    approver: null,
    log: { append: async (more) => void events.push(...more) },
    context: {},
    clock: { now: () => 0, after: () => new Promise(() => undefined) },
    newId: () => {
      id += 1;
      return `id-${id}`;
    },
  });
  const servers = createMcpServers({
    root: place.root,
    home: place.root,
    state: place.root,
    writable: [],
    resolve: async () => addresses,
  });
  onTestFinished(() => servers.close());
  const server: McpServer = {
    key: 'x',
    program: {
      transport: 'http',
      url: `http://tools.example:${port}/mcp`,
      headers: { Authorization: 'Bearer abc' },
    },
    trusted: false,
    prefix: '',
    carries: {},
    limits: { call: usualCallLimit, start: usualStartLimit },
  };
  const started = await startMcpServer(
    {
      servers,
      catalogue: { home: place.root, guarded: [] },
      emit: (event) => seen.push(event),
      journal: openJournal(memoryStore(), 'run', []),
    },
    { authority: entryAuthority(run, 'main'), place: 'run' },
    server,
  ).then(
    ({ tools }) => tools.map(({ name }) => name),
    (error: Error) => error.message,
  );
  const judged = events.flatMap((event) =>
    event.event === 'decision' && event.decision !== null
      ? [[event.decision, event.capabilities.map(({ name }) => name)]]
      : [],
  );
  return { started, judged, asked, seen, events };
}

describe('a server whose name leads to a private address', () => {
  it('is judged again with the private address before the connection', async () => {
    const { started, judged, seen } = await starting({ net: { decision: 'pre_approved', below: true } }, [
      '127.0.0.1',
    ]);
    expect([started, judged]).toEqual([
      ['a'],
      [
        ['pre_approved', ['net.connect', 'content.untrusted']],
        ['pre_approved', ['net.connect', 'net.connect.private', 'content.untrusted']],
      ],
    ]);
    expect(seen).toMatchObject([
      { type: 'toolset_started', toolset: 'mcp-x', tools: ['a'], left_out: [], changed: [] },
    ]);
  });

  it('is never connected to if that is not permitted', async () => {
    const { started, judged, asked } = await starting({ 'net.connect': 'pre_approved' }, [
      '93.184.216.34',
      '127.0.0.1',
    ]);
    expect([started, judged.map(([decision]) => decision), asked()]).toEqual([
      expect.stringContaining('the toolset mcp-x may not start: blocked'),
      ['pre_approved', 'blocked'],
      0,
    ]);
  });
});

describe('a server over HTTP', () => {
  it('is neither resolved nor connected to before it is permitted', async () => {
    const { started, asked, events } = await starting({}, ['127.0.0.1']);
    expect([started, asked()]).toEqual([
      expect.stringContaining('the toolset mcp-x may not start: blocked'),
      0,
    ]);
    expect(events.filter(({ event }) => event === 'decision')).toHaveLength(1);
  });
});
