import { describe, expect, it } from 'vitest';
import { exchange } from '../../src/http/exchange.js';
import { readTarget } from '../../src/http/target.js';
import { serve } from './stage.js';

/** Asks a host, with these addresses as the only ones. */
async function ask(url: string, addresses: readonly string[]): Promise<string> {
  const { target } = readTarget(url);
  if (target === null) throw new Error('no target');
  const signal = new AbortController().signal;
  const place = { target, addresses };
  const asked = { method: 'GET', headers: [], body: null, place, proxy: null, timeout: 60_000, signal };
  return exchange(asked, async ({ body }) => String(await body.toArray()));
}

describe('exchange', () => {
  it('connects to its given addresses, whatever the host name', async () => {
    const host = await serve((_, response) => response.end('x'));
    expect(await ask(`http://no-such-name.example:${host.port}/`, ['127.0.0.1'])).toBe('x');
  });

  it('tries the next address if one does not answer', async () => {
    const host = await serve((_, response) => response.end('x'));
    expect(await ask(`http://two.example:${host.port}/`, ['127.0.0.9', '127.0.0.1'])).toBe('x');
  });

  it('sends nothing if the connection has another address', async () => {
    const host = await serve((_, response) => response.end('x'));
    await expect(ask(`http://127.0.0.1:${host.port}/`, ['203.0.113.7'])).rejects.toThrow('another address');
    expect(host.asked).toEqual([]);
  });

  it('does not connect without an address', async () => {
    const host = await serve((_, response) => response.end('x'));
    await expect(ask(`http://localhost:${host.port}/`, [])).rejects.toThrow('no such host');
    expect(host.asked).toEqual([]);
  });
});
