import { describe, expect, it } from 'vitest';
import { fetching, serve } from './stage.js';

describe('a redirect', () => {
  it('is followed as its own described, judged and recorded call under the first', async () => {
    const host = await serve((request, response) =>
      request.url === '/a' ? response.writeHead(302, { location: 'b?c' }).end() : response.end('there'),
    );
    const { fetch, events } = fetching();
    const url = `http://127.0.0.1:${host.port}`;
    expect(await fetch({ url: `${url}/a` })).toMatchObject({ url: `${url}/b?c`, status: 200, text: 'there' });
    expect(
      events.map((event) => [event.event, 'call' in event && event.call, 'parent' in event && event.parent]),
    ).toEqual([
      ['decision', 'id-1', false],
      ['decision', 'id-3', 'id-1'],
      ['outcome', 'id-3', false],
      ['outcome', 'id-1', false],
    ]);
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data/'],
    ['http://localhost:PORT/secret'],
    ['//127.1:PORT/secret'],
    ['http://[::ffff:127.0.0.1]:PORT/secret'],
    ['http:\\\\localhost:PORT\\secret'],
  ])('from outside does not lead to a blocked private address: %s', async (location) => {
    const inside = await serve((_, response) => response.end('secret'));
    const outside = await serve((_, response) =>
      response.writeHead(302, { location: location.replace('PORT', String(inside.port)) }).end('moved'),
    );
    const { fetch, judged } = fetching(
      { 'net.connect.private': { blockedBut: 'outside.example' } },
      { resolve: async () => ['127.0.0.1'] },
    );
    expect(await fetch({ url: `http://outside.example:${outside.port}/` })).toMatchObject({
      status: 302,
      text: 'moved',
      redirect: { why: expect.stringContaining('blocked') },
    });
    expect(judged().at(-1)?.[0]).toMatch(
      /^net\.connect\.private (?:127\.0\.0\.1|localhost|169\.254\.169\.254)$/,
    );
    expect([outside.asked.length, inside.asked]).toEqual([1, []]);
  });

  it('returns the redirect answer and the reason if it is refused', async () => {
    const host = await serve((_, response) =>
      response.writeHead(307, { location: 'file:///etc/passwd' }).end('moved'),
    );
    expect(await fetching().fetch({ url: `http://127.0.0.1:${host.port}/` })).toMatchObject({
      status: 307,
      text: 'moved',
      redirect: { to: 'file:///etc/passwd', why: 'only http and https can be fetched' },
    });
  });

  it('sends no credentials to another host or port', async () => {
    const seen: unknown[] = [];
    const other = await serve((request, response) => {
      seen.push([
        request.headers.authorization,
        request.headers.cookie,
        request.headers['x-key'],
        request.headers.accept,
      ]);
      response.end();
    });
    const host = await serve((request, response) => {
      seen.push([request.headers.authorization]);
      const location = request.url === '/a' ? '/b' : `http://127.0.0.1:${other.port}/`;
      response.writeHead(302, { location }).end();
    });
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Key': 'k', Accept: 'text/html' };
    await fetching().fetch({ url: `http://127.0.0.1:${host.port}/a`, headers });
    expect(seen).toEqual([['Bearer x'], ['Bearer x'], [undefined, undefined, undefined, 'text/html']]);
  });

  it.each(['POST', 'PUT', 'DELETE'])('is not followed for %s: the model is told', async (method) => {
    const host = await serve((_, response) => response.writeHead(308, { location: '/b' }).end());
    const to = `http://127.0.0.1:${host.port}/b`;
    expect(await fetching().fetch({ url: `http://127.0.0.1:${host.port}/a`, method })).toMatchObject({
      status: 308,
      redirect: { to, why: expect.stringContaining('call again') },
    });
    expect(host.asked).toHaveLength(1);
  });

  it('ends if it leads to itself', async () => {
    const host = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    const result = await fetching().fetch({ url: `http://127.0.0.1:${host.port}/` });
    expect(result).toMatchObject({ status: 302, redirect: { why: expect.stringContaining('deep') } });
    expect(host.asked).toHaveLength(16);
  });

  it('is an ordinary answer without a valid target', async () => {
    const host = await serve((request, response) =>
      response.writeHead(302, request.url === '/a' ? {} : { location: 'http://[' }).end('x'),
    );
    const { fetch } = fetching();
    for (const path of ['/a', '/b']) {
      const result = await fetch({ url: `http://127.0.0.1:${host.port}${path}` });
      expect([result.status, result.text, 'redirect' in result]).toEqual([302, 'x', false]);
    }
  });
});
