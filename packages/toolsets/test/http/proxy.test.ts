import { describe, expect, it } from 'vitest';
import { http } from '../../src/index.js';
import { proxyServer } from './proxy-server.js';
import { describeFetch, fetching, serve } from './stage.js';

describe('a proxy', () => {
  it('is used if configured, judged, and asked only for the judged address', async () => {
    const host = await serve((_, response) => response.end('there'));
    const proxy = await proxyServer();
    const { fetch, judged } = fetching({}, { proxy: proxy.url, resolve: async () => ['203.0.113.7'] });
    expect(await fetch({ url: `http://site.example:${host.port}/a` })).toMatchObject({ text: 'there' });
    expect(judged()).toEqual([['net.connect site.example', 'net.connect.private 127.0.0.1']]);
    expect([proxy.asked, host.asked]).toEqual([
      [`CONNECT 203.0.113.7:${host.port}`],
      [`GET /a site.example:${host.port}`],
    ]);
  });

  it('cannot bypass a judgement: not to a private address, nor to itself', async () => {
    const host = await serve((_, response) => response.end('there'));
    const proxy = await proxyServer();
    const options = { proxy: proxy.url, resolve: async () => ['10.0.0.1'] };
    const inside = fetching({ 'net.connect.private': { blockedBut: '127.0.0.1' } }, options);
    expect(await inside.call({ url: `http://site.example:${host.port}/` })).toMatchObject({
      status: 'refused',
    });
    const none = fetching(
      { 'net.connect.private': 'blocked' },
      { ...options, resolve: async () => ['203.0.113.7'] },
    );
    expect(await none.call({ url: `http://site.example:${host.port}/` })).toMatchObject({
      status: 'refused',
    });
    expect([proxy.asked, host.asked]).toEqual([[], []]);
  });

  it('restarts the call if its name leads to a private address', async () => {
    const host = await serve((_, response) => response.end('there'));
    const proxy = await proxyServer();
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return name === 'proxy.example' ? ['127.0.0.1'] : ['203.0.113.7'];
    };
    const url = proxy.url.replace('127.0.0.1', 'Proxy.example');
    const { fetch, judged } = fetching({}, { proxy: url, resolve });
    expect(await fetch({ url: `http://site.example:${host.port}/` })).toMatchObject({ text: 'there' });
    expect(judged()).toEqual([
      ['net.connect site.example', 'net.connect proxy.example'],
      ['net.connect site.example', 'net.connect.private proxy.example'],
    ]);
    expect(asked.sort()).toEqual(['proxy.example', 'site.example']);
  });

  it('fails the call with a message if it refuses', async () => {
    const proxy = await proxyServer(403);
    const { call } = fetching({}, { proxy: proxy.url, resolve: async () => ['203.0.113.7', '203.0.113.8'] });
    expect(await call({ url: 'http://site.example/' })).toMatchObject({
      status: 'failed',
      error: 'the proxy does not connect to site.example (403)',
    });
    expect(proxy.asked).toEqual(['CONNECT 203.0.113.7:80', 'CONNECT 203.0.113.8:80']);
  });

  it('is reported in the description of a call', async () => {
    const { capabilities } = await describeFetch(
      { url: 'https://a.example/' },
      { proxy: 'http://Proxy.corp:3128' },
    );
    expect(capabilities.map(({ name, host, port, method }) => [name, host, port, method])).toEqual([
      ['net.connect', 'a.example', 443, 'GET'],
      ['net.connect.private', 'proxy.corp', 3128, 'CONNECT'],
      ['content.untrusted', undefined, undefined, undefined],
    ]);
  });

  it.each(['proxy:3128', 'https://proxy', 'http://user:pw@proxy', 'http://proxy/path', 'socks5://proxy', ''])(
    'is rejected as %j',
    (proxy) => {
      expect(() => http({ proxy })).toThrow('a proxy must be');
    },
  );
});
