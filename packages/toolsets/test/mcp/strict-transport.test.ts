import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { StrictTransport } from '../../src/mcp/connection/strict-transport.js';

/** A transport with one open request, of this id. */
async function waitingFor(id: number) {
  const inner: Transport = { start: async () => {}, send: async () => {}, close: async () => {} };
  const transport = new StrictTransport(inner, false);
  const taken: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void taken.push(message);
  await transport.start();
  await transport.send({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { _meta: { progressToken: id } },
  });
  const progress = (progressToken: number, count: number) => {
    for (let at = 0; at < count; at += 1)
      inner.onmessage?.({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: at },
      });
  };
  const answer = () => inner.onmessage?.({ jsonrpc: '2.0', id, result: {} });
  return { transport, taken, progress, answer };
}

describe('a connection to a server', () => {
  it('takes much progress of an open request, and then its answer', async () => {
    const { transport, taken, progress, answer } = await waitingFor(1);
    progress(1, 100_000);
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect([transport.fault, taken.length]).toEqual([null, 100_001]);
  });

  it.each([
    ['of no open request', 2, 5_001],
    ['without an end', 1, 5_001 * 256],
  ])('ends at progress %s', async (_, token, count) => {
    const { transport, progress } = await waitingFor(1);
    progress(token, count);
    expect(transport.fault).toBe('it sends too many messages that were not requested');
  });
});
