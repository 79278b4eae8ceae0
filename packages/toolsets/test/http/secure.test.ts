import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMakeCertificates, selfSigned } from '../../../../test/self-signed.js';
import { webTransport } from '../../src/mcp/connection/web-transport.js';
import { proxyServer } from './proxy-server.js';
import { fetching } from './stage.js';

/** A host with a certificate of its own, and its requests, while the variable has this value. */
async function untrusted(value: string) {
  const asked: unknown[] = [];
  const server = createServer(selfSigned(), (request, response) => {
    asked.push(request.url);
    response.end('x');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

describe.skipIf(!canMakeCertificates)('a host with an untrusted certificate (needs openssl)', () => {
  it.each([
    ['1', false],
    ['0', false],
    ['0', true],
  ])(
    'receives no request, NODE_TLS_REJECT_UNAUTHORIZED=%s, through a proxy: %s',
    async (value, isThrough) => {
      const { port, asked } = await untrusted(value);
      const proxy = await proxyServer();
      const { call } = fetching({}, isThrough ? { proxy: proxy.url } : {});
      expect(await call({ url: `https://127.0.0.1:${port}/secret` })).toMatchObject({
        status: 'failed',
        error: '127.0.0.1: its certificate is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)',
      });
      expect([asked, proxy.asked]).toEqual([[], isThrough ? [`CONNECT 127.0.0.1:${port}`] : []]);
    },
  );

  it.each(['1', '0'])(
    'receives no message for an MCP server, nor its token, NODE_TLS_REJECT_UNAUTHORIZED=%s',
    async (value) => {
      const { port, asked } = await untrusted(value);
      const headers = { authorization: 'Bearer abc' };
      const { transport, end } = await webTransport(
        { transport: 'http', url: `https://127.0.0.1:${port}/mcp`, headers },
        { addresses: ['127.0.0.1'], isPrivate: true },
        () => null,
      );
      onTestFinished(end);
      await transport.start();
      await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toThrow();
      expect(asked).toEqual([]);
    },
  );
});
