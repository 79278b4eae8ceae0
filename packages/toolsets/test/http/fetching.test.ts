import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fetching, serve, serveRaw } from './stage.js';

describe('http.fetch', () => {
  it('returns status, headers and text, and sends the given request', async () => {
    const sent: unknown[] = [];
    const { port } = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => sent.push(chunk.toString()));
      request.on('end', () => {
        sent.push(request.method, request.url, request.headers['x-a'], request.headers.cookie);
        response.setHeader('set-cookie', 'session=1').setHeader('content-type', 'application/json');
        response.writeHead(201).end('{"a":"ä"}');
      });
    });
    const { fetch } = fetching();
    const url = `http://127.0.0.1:${port}/things?q=1`;
    expect(await fetch({ url, method: 'POST', headers: { 'X-A': 'b' }, body: 'ä' })).toEqual({
      url,
      status: 201,
      headers: { 'content-type': 'application/json', date: expect.any(String) },
      text: '{"a":"ä"}',
      rest: null,
    });
    expect(sent).toEqual(['ä', 'POST', '/things?q=1', 'b', undefined]);
    await fetch({ url });
    // No cookie was kept.
    expect(sent.at(-1)).toBe(undefined);
  });

  it('accepts an answer without a body', async () => {
    const { port } = await serve((_, response) => response.writeHead(204).end());
    expect(await fetching().fetch({ url: `http://127.0.0.1:${port}/`, method: 'DELETE' })).toMatchObject({
      status: 204,
      rest: null,
    });
  });

  it('ignores proxies of the environment', async () => {
    const proxy = await serve((_, response) => response.end('proxy'));
    const host = await serve((_, response) => response.end('host'));
    const before = { ...process.env };
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])
      process.env[name] = `http://127.0.0.1:${proxy.port}`;
    process.env.NODE_USE_ENV_PROXY = '1';
    try {
      expect(await fetching().fetch({ url: `http://127.0.0.1:${host.port}/` })).toMatchObject({
        text: 'host',
      });
    } finally {
      process.env = before;
    }
    expect(proxy.asked).toEqual([]);
  });

  it('does not change Node’s own fetch', async () => {
    const { port } = await serve((_, response) => response.end('x'));
    await fetching().fetch({ url: `http://127.0.0.1:${port}/` });
    const { Agent } = await import('undici');
    const own: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
    expect(own).not.toBeInstanceOf(Agent);
  });

  it('is cancelled with its run', async () => {
    const set = fetching();
    const { port } = await serve(() => set.stop());
    expect(await set.call({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
      status: 'failed',
      error: 'it was cancelled',
    });
  });

  it.each([
    ['no server listens', 'http://127.0.0.1:1/', 'failed', /refused/],
    ['there is no TLS', 'https://127.0.0.1:PORT/', 'failed', /secure connection|closed|SSL/],
  ])('fails with a message if %s', async (_, url, status, words) => {
    const { port } = await serve((__, response) => response.end('x'));
    const outcome = await fetching().call({ url: url.replace('PORT', String(port)) });
    expect(outcome).toMatchObject({ status, error: expect.stringMatching(words) });
  });
});

describe('a body', () => {
  it('is cut with a note if it is too long', async () => {
    const { port } = await serve((_, response) => {
      response.setHeader('content-type', 'text/plain');
      const more = () => {
        while (response.write('ä'.repeat(5000)));
        response.once('drain', more);
      };
      more();
    });
    const { text, rest } = await fetching({}, { max_bytes: 1001 }).fetch({
      url: `http://127.0.0.1:${port}/`,
    });
    expect([text, rest]).toEqual(['ä'.repeat(500), expect.stringContaining('cut after 1001 bytes')]);
  });

  it.each([
    ['gzip', (bytes: Buffer) => gzipSync(bytes)],
    ['x-gzip', (bytes: Buffer) => gzipSync(bytes)],
  ])('is decompressed (%s) up to the limit', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(50_000_000, 'a'));
    const { port } = await serve((request, response) => {
      response.writeHead(200, { 'content-encoding': encoding, 'content-type': 'text/plain' });
      response.end(request.url === '/bomb' ? bomb : pack(Buffer.from('hello')));
    });
    const { fetch } = fetching({}, { max_bytes: 1000 });
    expect(await fetch({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ text: 'hello', rest: null });
    expect(await fetch({ url: `http://127.0.0.1:${port}/bomb` })).toMatchObject({
      text: 'a'.repeat(1000),
      rest: expect.stringContaining('cut'),
    });
  });

  it('is abandoned if its decompression never ends', async () => {
    // Empty stored blocks.
    const nothing = Buffer.alloc(500_000, Buffer.from([0, 0, 0, 0xff, 0xff]));
    const { port } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
      const more = () => {
        while (response.write(nothing));
        response.once('drain', more);
      };
      more();
    });
    const outcome = await fetching({}, { max_bytes: 1000 }).call({ url: `http://127.0.0.1:${port}/` });
    expect(outcome).toMatchObject({ status: 'failed', error: expect.stringContaining('unpacked') });
  });

  it('is not decompressed if absent: HEAD, 304', async () => {
    const { port } = await serve((request, response) =>
      response.writeHead(request.method === 'HEAD' ? 200 : 304, { 'content-encoding': 'gzip' }).end(),
    );
    const { fetch } = fetching();
    const url = `http://127.0.0.1:${port}/`;
    expect(await fetch({ url, method: 'HEAD' })).toMatchObject({ status: 200, rest: null });
    expect(await fetch({ url })).toMatchObject({ status: 304, rest: null });
  });

  it.each([0, 25])('fails if it ends too soon, compressed or not, after %i bytes', async (bytes) => {
    const { port } = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 1000\r\n\r\n');
      socket.end(gzipSync('hello').subarray(0, bytes));
    });
    expect(await fetching().call({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/closed|not as long/),
    });
  });

  it('fails with a wrong encoding; an unknown encoding stays unchanged', async () => {
    const { port } = await serve((request, response) => {
      response.writeHead(200, {
        'content-encoding': request.url === '/a' ? 'gzip' : 'gzip, br',
        'content-type': 'text/plain',
      });
      response.end('hello');
    });
    const { call } = fetching();
    expect(await call({ url: `http://127.0.0.1:${port}/a` })).toMatchObject({ status: 'failed' });
    expect(await call({ url: `http://127.0.0.1:${port}/b` })).toMatchObject({
      result: { base64: 'aGVsbG8=' },
    });
  });

  it.each([
    ['text/html; charset=ISO-8859-1', [0xe4], { text: 'ä' }],
    ['text/plain; charset="utf-16le"', [0xe4, 0], { text: 'ä' }],
    ['text/plain', [0xc3, 0xa4], { text: 'ä' }],
    ['', [0xc3, 0xa4], { text: 'ä' }],
    ['application/problem+json', [0x7b, 0x7d], { text: '{}' }],
    ['text/plain', [0xe4], { base64: '5A==' }],
    ['text/plain; charset=unheard-of', [0x61], { base64: 'YQ==' }],
    ['text/plain', [0x61, 0], { base64: 'YQA=' }],
    ['image/png', [0x61], { base64: 'YQ==' }],
  ])('is decoded by its type %j', async (type, bytes, expected) => {
    const { port } = await serve((_, response) => {
      if (type !== '') response.setHeader('content-type', type);
      response.end(Buffer.from(bytes));
    });
    const { text, base64 } = await fetching().fetch({ url: `http://127.0.0.1:${port}/` });
    expect(JSON.parse(JSON.stringify({ text, base64 }))).toEqual(expected);
  });

  it('is omitted with a note if it is long and not text', async () => {
    const { port } = await serve((_, response) => {
      response.setHeader('content-type', 'image/png').end(Buffer.alloc(40_000));
    });
    expect(await fetching().fetch({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
      note: '40000 bytes of image/png, which is not text, are left out',
      rest: null,
    });
  });
});

describe('a hostile host', () => {
  const quick = { timeout: 0.2 };
  const patient = { timeout: 60 };

  it.each([
    ['says nothing', () => undefined, /0.2 seconds/],
    [
      'never ends its headers',
      (write: (text: string) => void) => write('HTTP/1.1 200 OK\r\nx: '),
      /0.2 seconds/,
    ],
    [
      'drips its body',
      (write: (text: string) => void) => write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\na'),
      /0.2 seconds/,
    ],
    [
      'sends endless headers',
      (write: (text: string) => void) =>
        write(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(60)}\r\n`),
      /headers of the response are too large/,
    ],
    ['is not a web server', (write: (text: string) => void) => write('220 mail ESMTP\r\n'), /not HTTP/],
    [
      'frames its answer twice',
      (write: (text: string) => void) =>
        write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
      /not as long as it says/,
    ],
    [
      'wants another protocol',
      (write: (text: string) => void) =>
        write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      /closed|failed/,
    ],
  ])('is abandoned if it %s', async (_, answer, words) => {
    const { port } = await serveRaw((socket) => answer((text) => socket.write(text)));
    // Only an endless answer may meet the limit, also on a busy machine.
    const limit = words.source.includes('seconds') ? quick : patient;
    const outcome = await fetching({}, limit).call({ url: `http://127.0.0.1:${port}/` });
    expect(outcome).toMatchObject({ status: 'failed', error: expect.stringMatching(words) });
  });

  it('is heard only once if it answers twice', async () => {
    const { port } = await serveRaw((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nb',
      ),
    );
    expect(await fetching().fetch({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ text: 'a' });
  });
});
