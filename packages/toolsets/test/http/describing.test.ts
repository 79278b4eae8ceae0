import { isCanonicalHost } from '@ambit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { lastPoint, numberOf, pointAt } from '../../../../test/texts.js';
import { isPrivateHost } from '../../src/places/host.js';
import { describeFetch, isConnection } from './stage.js';

describe('describing a request', () => {
  it('reports its connection and untrusted content', async () => {
    expect(
      await describeFetch({ url: 'https://Example.com/a b?q=ä#part', method: 'POST', body: 'x' }),
    ).toEqual({
      capabilities: [
        {
          name: 'net.connect',
          host: 'example.com',
          port: 443,
          scheme: 'https',
          method: 'POST',
          url: 'https://example.com/a%20b?q=%C3%A4',
          by: 'toolset:http',
        },
        { name: 'content.untrusted', source: 'https://example.com/a%20b?q=%C3%A4' },
      ],
    });
  });

  it.each([
    ['http://127.1/', 'net.connect.private', '127.0.0.1', 80],
    ['http://0x7f.1:8080/', 'net.connect.private', '127.0.0.1', 8080],
    ['http://2130706433/', 'net.connect.private', '127.0.0.1', 80],
    ['http://0177.0.0.1/', 'net.connect.private', '127.0.0.1', 80],
    ['http://①②⑦.0.0.1/', 'net.connect.private', '127.0.0.1', 80],
    ['http://0/', 'net.connect.private', '0.0.0.0', 80],
    ['http://[::]/', 'net.connect.private', '::', 80],
    ['http://[0:0::1]/', 'net.connect.private', '::1', 80],
    ['http://[::ffff:127.0.0.1]/', 'net.connect.private', '127.0.0.1', 80],
    ['http://[::ffff:a9fe:a9fe]/', 'net.connect.private', '169.254.169.254', 80],
    ['http://[64:ff9b::127.0.0.1]/', 'net.connect.private', '64:ff9b::7f00:1', 80],
    ['http://169.254.169.254./latest', 'net.connect.private', '169.254.169.254', 80],
    ['http://LOCALHOST./', 'net.connect.private', 'localhost', 80],
    ['http://ｌｏｃａｌｈｏｓｔ/', 'net.connect.private', 'localhost', 80],
    ['http://%6cocalhost/', 'net.connect.private', 'localhost', 80],
    ['http://lo\u00adcal\thost/', 'net.connect.private', 'localhost', 80],
    ['http:\\\\localhost\\@example.com/', 'net.connect.private', 'localhost', 80],
    ['  http://localhost\n', 'net.connect.private', 'localhost', 80],
    ['http:localhost', 'net.connect.private', 'localhost', 80],
    ['https:////localhost//x', 'net.connect.private', 'localhost', 443],
    ['http://metadata.google.internal/', 'net.connect.private', 'metadata.google.internal', 80],
    ['http://example.com#@localhost/', 'net.connect', 'example.com', 80],
    ['http://example.com?@localhost/', 'net.connect', 'example.com', 80],
    ['http://bücher.example/', 'net.connect', 'xn--bcher-kva.example', 80],
    ['HTTPS://Example.COM:0443/', 'net.connect', 'example.com', 443],
  ])('reports for %j: %s of %s', async (url, name, host, port) => {
    const { capabilities, cannot } = await describeFetch({ url });
    expect([
      capabilities.filter(isConnection).map((each) => [each.name, each.host, each.port]),
      cannot,
    ]).toEqual([[[name, host, port]], undefined]);
  });

  it.each([
    ['no URL', 'example.com'],
    ['', 'http://'],
    ['an invalid address', 'http://256.0.0.1/'],
    ['a zone', 'http://[fe80::1%25eth0]/'],
    ['an invalid label', 'http://a..b/'],
    ['another scheme', 'file:///etc/passwd'],
    ['', 'ftp://localhost/'],
    ['', 'gopher://localhost:70/'],
    ['', 'data:text/plain,hello'],
    ['', 'javascript:1'],
    ['', 'ws://localhost/'],
    ['', 'blob:http://localhost/1'],
    ['', 'unix:/var/run/docker.sock'],
  ])('refuses %s: %j, under both names', async (_, url) => {
    const { capabilities, cannot } = await describeFetch({ url });
    expect(capabilities).toEqual([
      { name: 'net.connect', method: 'GET', by: 'toolset:http' },
      { name: 'net.connect.private', method: 'GET', by: 'toolset:http' },
    ]);
    expect(cannot).toMatch(/URL|http and https/);
  });

  it.each([
    ['a name and a password in the URL', { url: 'http://user:hunter2@example.com/' }],
    ['a name in the URL', { url: 'http://good.example@example.com/' }],
    ['port 0', { url: 'http://example.com:0/' }],
    ['CONNECT', { url: 'http://example.com/', method: 'CONNECT' }],
    ['TRACE', { url: 'http://example.com/', method: 'TRACE' }],
    ['a body in a GET request', { url: 'http://example.com/', body: 'x' }],
    ['a repeated header', { url: 'http://example.com/', headers: { 'X-A': '1', 'x-a': '2' } }],
  ])('reports that %s cannot be done, with its destination', async (_, args) => {
    const { capabilities, cannot } = await describeFetch(args);
    expect([typeof cannot, capabilities[0]?.name, capabilities[0]?.host]).toEqual([
      'string',
      'net.connect',
      'example.com',
    ]);
    expect(JSON.stringify(capabilities)).not.toMatch(/hunter2|user|good/);
  });

  it.each([
    'Host',
    'host',
    'Connection',
    'Keep-Alive',
    'Transfer-Encoding',
    'transfer_encoding',
    'Content-Length',
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
    'Proxy',
    'Proxy-Authorization',
    'proxy_connection',
    'Via',
    'Forwarded',
    'X-Forwarded-Host',
    'X-HTTP-Method-Override',
    'X-Original-Host',
    'X-Forwarded-Uri',
    'X-Envoy-Original-Dst-Host',
    'X_HTTP_METHOD',
    'X-Original-URL',
    'X-Rewrite-URL',
    'a b',
    'a:b',
    'a\r\nHost',
    '',
    '__proto__\n',
    'ä',
  ])('refuses the header %j', async (header) => {
    const { cannot } = await describeFetch({ url: 'http://example.com/', headers: { [header]: 'x' } });
    expect(cannot).toMatch(/header/);
  });

  it.each(['a\r\nHost: b', 'a\nb', 'a\rb', 'a\0', 'a\u010dHost: b', 'ä', 'x'.repeat(9000)])(
    'refuses the value %j',
    async (value) => {
      const { cannot } = await describeFetch({ url: 'http://example.com/', headers: { 'x-a': value } });
      expect(cannot).toMatch(/`x-a`/);
    },
  );

  it.each(['get', 'GET /', 'GET\r\n', 'G T', '', 'É'])('rejects the method %j', async (method) => {
    await expect(describeFetch({ url: 'http://example.com/', method })).rejects.toThrow('do not fit');
  });

  it('resolves no names', async () => {
    const resolve = () => Promise.reject(new Error('asked'));
    expect((await describeFetch({ url: 'http://example.com/' }, { resolve })).cannot).toBe(undefined);
  });

  it('reports a canonical host, public or private, or an error, for any text', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'http://',
        'https:',
        '//',
        '@',
        ':',
        ':80',
        '.',
        '%',
        '\\',
        '#',
        '?',
        '127',
        '0x7f',
        '[::1]',
        '\t',
        '。',
      ),
      fc.constantFrom('localhost', 'example.com', 'user:pass', '１', 'ｌ', '\u00ad', 'xn--', '::ffff:'),
      fc.webUrl(),
      fc.string({ unit: fc.nat(lastPoint).map(pointAt, numberOf), maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async (pieces) => {
        const url = `http://${pieces.join('')}`;
        const { capabilities, cannot } = await describeFetch({ url });
        const connections = capabilities.filter(isConnection);
        const [first] = connections;
        if (first?.host === undefined) {
          expect([connections.length, typeof cannot]).toEqual([2, 'string']);
          return;
        }
        const host = first.host as string;
        const hostname = new URL(url).hostname.replace(/\.$/, '');
        expect(isCanonicalHost(host)).toBe(true);
        expect(first.name).toBe(isPrivateHost(host) ? 'net.connect.private' : 'net.connect');
        // The URL standard's own reading of it, except for IPv6 and the dot at the end.
        if (!host.includes(':') && !hostname.startsWith('[')) expect(host).toBe(hostname);
        expect(new URL(first.url as string).href).toBe(first.url);
      }),
      explore(3000),
    );
  });
});
