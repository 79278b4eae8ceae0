import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lineToolsets } from '../../src/index.js';
import { describeLine } from '../../src/judge-line/judge-line.js';
import { calls, callsIn, runAt, worker, workplace } from '../session.js';

async function website(): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('a long page');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

const fetch = (url: string) => ['fetch', { url }] as const;

describe('a worker that uses http', () => {
  it('fetches only permitted addresses', async () => {
    const { port, asked } = await website();
    const url = (path: string) => `http://127.0.0.1:${port}/${path}`;
    const place = workplace({
      'policy.yaml': {
        version: 1,
        default: 'blocked',
        capabilities: {
          'content.untrusted': 'pre_approved',
          'net.connect.private': { decision: 'pre_approved', match: { host: '127.0.0.1', url: [url('a')] } },
        },
      },
      'main.worker': worker({ toolsets: { http: { max_bytes: 6, timeout: 20 } } }),
      'script.yaml': { main: [calls(fetch(url('a'))), calls(fetch(url('b'))), { say: 'done' }] },
    });
    const result = await runAt(place);
    expect(callsIn(result.events)).toEqual([
      ['main', 'http.fetch', 'pre_approved', 'completed'],
      ['main', 'http.fetch', 'blocked', 'blocked'],
    ]);
    expect([result.status, asked]).toEqual(['finished', ['/a']]);
  });
});

describe('a line about http.fetch', () => {
  it('is described without a connection', async () => {
    const toolsets = await lineToolsets('/', { environment: { HOME: '/root' }, policyFiles: [] });
    const line = { id: 1, tool: 'http.fetch', args: { url: 'http://user@0x7f.1/x' } };
    expect(await describeLine(JSON.stringify(line), { toolsets })).toEqual({
      id: 1,
      capabilities: [
        {
          name: 'net.connect.private',
          host: '127.0.0.1',
          port: 80,
          scheme: 'http',
          method: 'GET',
          url: 'http://127.0.0.1/x',
          by: 'toolset:http',
        },
        { name: 'content.untrusted', source: 'http://127.0.0.1/x' },
      ],
      cannot: expect.stringContaining('a name or a password'),
    });
  });
});
