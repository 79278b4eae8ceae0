import { createServer, IncomingMessage, request, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { webRequest } from '../../src/http/edge.js';
import type { UpstreamOptions } from '../../src/servers/open-upstream.js';
import { call, echoOnly, initialize, listening, posted, sessionClient, textOf } from './stage.js';

const token = 'a-token-for-the-gateway';
const bearer = (given: string) => ({ authorization: `Bearer ${given}` });

describe('the edge', () => {
  it('reports that a client has left, even if its request was collected as garbage', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const incoming = new IncomingMessage(new Socket());
    const response = new ServerResponse(incoming);
    let hasLeft = false;
    const listen = () => {
      webRequest(incoming, response, initialize).signal.addEventListener('abort', () => {
        hasLeft = true;
      });
    };
    listen();
    for (let pass = 0; pass < 3; pass += 1) {
      await setImmediate();
      collect();
    }
    response.emit('close');
    expect(hasLeft).toBe(true);
  });

  it('refuses other hosts, other origins, and bodies that are not exactly one message', async () => {
    const at = await listening(echoOnly);
    const { host, port } = new URL(at.url);
    const status = async (headers: Record<string, string>, body: unknown = initialize) =>
      (await at.post(body, headers)).status;
    for (const wrong of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1.evil.example:${port}`,
    ])
      expect(await status({ host: wrong })).toBe(403);
    for (const origin of ['http://evil.example', 'null', 'http://localhost:1', `http://x@${host}`])
      expect(await status({ origin })).toBe(403);
    expect(await status({ origin: 'http://evil.example', method: 'GET' })).toBe(403);
    for (const type of [
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;charset="latin1"',
    ])
      expect([type, await status({ 'content-type': type })]).toEqual([type, 415]);
    expect(await status({ 'content-encoding': 'gzip' })).toBe(415);
    for (const method of ['TRACE', 'PUT', 'OPTIONS', 'GET']) expect(await status({ method })).toBe(405);
    expect(await status({ method: 'GET', 'mcp-session-id': 'x' })).toBe(404);
    expect(await statusOfRaw(at.url, `Host: ${host}\r\nHost: evil.example\r\n`)).toBe(400);
    expect(await status({}, [initialize, initialize])).toBe(400);
    expect(await status({}, '{"jsonrpc":')).toBe(400);
    expect(await status({}, 'null')).toBe(400);
    expect(await status({}, '{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":9007199254740993}}')).toBe(
      400,
    );
    expect(await status({ 'mcp-method': 'tools/list' })).toBe(400);
    expect(await status({ 'content-length': '999999999', expect: '100-continue' }, '')).toBe(413);
    expect(await status({}, `"${'x'.repeat(5_000_000)}"`).catch(() => 413)).toBe(413);
    expect(at.world.asked().filter((line) => line.startsWith('started'))).toHaveLength(1);
    expect(await status({ origin: `http://localhost:${port}`, host: `localhost:${port}` })).toBe(200);
    for (const type of ['application/json;charset=utf8', 'application/json; charset="UTF-8"'])
      expect([type, await status({ 'content-type': type })]).toEqual([type, 200]);
  });

  it('runs no request that comes on a connection before the answer to the last one', async () => {
    const at = await listening(echoOnly);
    const { headers } = await at.post(initialize);
    const { host, hostname, port } = new URL(at.url);
    const written = (id: number, type: string) => {
      const body = JSON.stringify(call(id, 'echo', { text: 'a' }));
      const own = `Content-Type: ${type}\r\nMcp-Session-Id: ${String(headers['mcp-session-id'])}`;
      const usual = `Accept: application/json, text/event-stream\r\nContent-Length: ${body.length}`;
      return `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${own}\r\n${usual}\r\n\r\n${body}`;
    };
    const statuses = (text: string) =>
      new Promise<readonly string[]>((resolve, reject) => {
        let got = '';
        const socket = connect(Number(port), hostname, () => socket.write(text));
        socket.on('data', (data: Buffer) => {
          got += data.toString();
        });
        socket.once('error', reject);
        socket.once('close', () =>
          resolve([...got.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, each]) => `${each}`)),
        );
      });
    const json = 'application/json; charset=UTF-8';
    expect(await statuses(written(1, json) + written(2, json))).toEqual(['200', '400']);
    expect(await statuses(written(3, 'text/plain') + written(4, json))).toEqual(['415']);
    // The server gets calls in their order.
    expect(await statuses(written(5, json) + written(6, 'text/plain'))).toEqual(['200', '400']);
    expect(at.calls()).toHaveLength(2);
  });

  it('refuses a request target that is not a URL, or that names another server', async () => {
    const at = await listening(echoOnly);
    const { hostname, port } = new URL(at.url);
    const status = (path: string) =>
      new Promise((resolve, reject) => {
        request({ hostname, port, path }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      });
    for (const path of ['http://[', '//', '//[/mcp', 'http://'])
      expect([path, await status(path)]).toEqual([path, 400]);
    for (const path of ['http://evil.example/mcp', '//evil.example/mcp', `http://x@evil.example:${port}/mcp`])
      expect([path, await status(path)]).toEqual([path, 403]);
    // It is not a request of a session.
    expect(await status(`http://localhost:${port}/mcp`)).toBe(405);
    expect(await status('/mcp/../other')).toBe(404);
  });

  it('accepts other machines only with a token', async () => {
    await expect(listening(echoOnly, { host: '0.0.0.0' })).rejects.toThrow(/token/);
    await expect(listening(echoOnly, { access: { token: 'short' } })).rejects.toThrow(/characters/);
  });

  it('does not start with an issuer whose metadata it cannot use, and says why', async () => {
    const { issuer } = await issuing();
    const { issuer: other } = await issuing('not JSON');
    const metadata = 'the issuer has no metadata at ';
    for (const [given, why] of [
      [`${issuer}/`, `it names the issuer \`${issuer}\`, and not \`${issuer}/\``],
      [other, 'status 200, without `issuer` and `jwks_uri` in JSON'],
      ['http://127.0.0.1:1', 'ECONNREFUSED'],
      ['http://tools.example', 'has no `https:` URL'],
    ] as const) {
      const started = listening(echoOnly, { access: { issuer: given } });
      await expect(started, why).rejects.toThrow(why);
      await expect(started).rejects.toThrow(why.startsWith('has') ? 'the issuer ' : metadata);
    }
  });

  it('does not start if a server would receive the token of its clients', async () => {
    const command = [process.execPath, '-e', '0'] as const;
    const site = {
      transport: 'http',
      url: 'http://127.0.0.1:1',
      headers: { 'x-key': `v ${token}` },
    } as const;
    const usual = { name: 'tricky', folder: '/', environment: {}, trusted: false };
    for (const more of [{ command, environment: { TOKEN: token } }, { command: site }])
      await expect(
        listening(echoOnly, { access: { token }, servers: [{ ...usual, ...more }] }),
      ).rejects.toThrow('would get the token');
  });

  it('accepts one bearer token, and forwards none to a server', async () => {
    const inner = await listening(echoOnly, { access: { token: 'the-token-of-the-server' } });
    const at = await listening(echoOnly, {
      access: { token },
      ...serverAt(inner.url, inner.world.folder),
    });
    for (const [wrong, challenge] of [
      [{}, 'Bearer'],
      [{ authorization: token }, 'Bearer'],
      [bearer('the-token-of-the-server'), 'Bearer error="invalid_token"'],
      [bearer(`${token}x`), 'Bearer error="invalid_token"'],
      [bearer(`${token} x`), 'Bearer error="invalid_token"'],
    ] as const) {
      const refused = await at.post(initialize, wrong);
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, challenge]);
    }
    const client = await sessionClient(at.url, undefined, token);
    expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('echo:hi');
    expect(JSON.stringify([inner.world.log(), at.world.log()])).not.toMatch(/a-token-for|the-token-of/);
    await at.end();
  });

  it('accepts tokens of its issuer and audience only, and keeps sessions of users apart', async () => {
    const { issuer, signedFor } = await issuing();
    const at = await listening(echoOnly, { access: { issuer, scope: 'tools' } });
    const signed = signedFor(at.url);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await signed({})).split('.')[1]}.`;
    const refused = [
      none,
      await signed({}, { audience: 'http://127.0.0.1/other' }),
      await signed({}, { audience: new URL(at.url).origin }),
      await signed({}, { typ: 'logout+jwt' }),
      // Bound to a key of its client, which a bearer does not show.
      await signed({ cnf: { jkt: 'x' } }),
      await signed({}, { time: '-1m' }),
      await signed({ iss: 'x' }).then((each) => `${each.slice(0, -6)}AAAAAA`),
    ];
    for (const each of refused)
      expect([each, (await at.post(initialize, bearer(each))).status]).toEqual([each, 401]);
    const { headers } = await at.post(initialize);
    expect(headers['www-authenticate']).toMatch(/^Bearer scope="tools", resource_metadata="[^"]*"$/);
    const narrow = await at.post(initialize, bearer(await signed({ scope: 'toolsx other' })));
    expect([narrow.status, String(narrow.headers['www-authenticate'])]).toEqual([
      403,
      expect.stringContaining('insufficient_scope'),
    ]);
    const place = /resource_metadata="([^"]*)"/.exec(String(narrow.headers['www-authenticate']))?.[1] ?? '';
    const metadata = JSON.parse((await posted(place, '', { method: 'GET' })).text);
    expect(metadata).toMatchObject({ resource: at.url, authorization_servers: [issuer] });
    const begun = await at.post(initialize, bearer(await signed({})));
    expect(begun.status).toBe(200);
    const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
    const echo = call(1, 'echo', { text: 'a' });
    expect((await at.post(echo, session)).status).toBe(401);
    const bob = bearer(await signed({}, { sub: 'bob' }));
    for (const method of ['POST', 'GET', 'DELETE'])
      expect((await at.post(echo, { ...session, ...bob, method })).status).toBe(404);
    const ann = bearer(await signed({}, { typ: 'JWT' }));
    expect(
      (await at.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { ...session, ...ann })).status,
    ).toBe(202);
    expect((await at.post(echo, { ...session, ...ann })).status).toBe(200);
    expect(at.calls()).toHaveLength(1);
  });

  it('lets no principal have more than a quarter of the sessions', async () => {
    const { issuer, signedFor } = await issuing();
    const at = await listening(echoOnly, { access: { issuer }, limits: { sessions: 8 } });
    const signed = signedFor(at.url);
    const [ann, bob] = [bearer(await signed({})), bearer(await signed({}, { sub: 'bob' }))];
    const begin = () => at.post(initialize, ann);
    const tries = await Promise.all([begin(), begin(), begin()]);
    const refused = tries.filter(({ status }) => status !== 200);
    expect(refused.map(({ status }) => status)).toEqual([429]);
    expect((await begin()).text).toContain('this principal has 2 sessions: end one of them first');
    expect((await at.post(initialize, bob)).status).toBe(200);
    const own = tries.find(({ status }) => status === 200);
    const session = { 'mcp-session-id': String(own?.headers['mcp-session-id']) };
    expect((await at.post('', { ...ann, ...session, method: 'DELETE' })).status).toBe(200);
    expect((await begin()).status).toBe(200);
  });

  it('lets no principal hold more than a quarter of the bytes', async () => {
    const { issuer, signedFor } = await issuing();
    const at = await listening(echoOnly, { access: { issuer }, limits: { bytes: 4_000_000 } }, 'hang');
    const signed = signedFor(at.url);
    const begun = async (sub: string) => {
      const of = bearer(await signed({}, { sub }));
      const { headers } = await at.post(initialize, of);
      return { ...of, 'mcp-session-id': String(headers['mcp-session-id']) };
    };
    const [ann, bob] = [await begun('ann'), await begun('bob')];
    const send = (id: number, of: Record<string, string>) =>
      at.post(call(id, 'echo', { text: 'x'.repeat(600_000) }), of).catch(() => null);
    const ran = (count: number) =>
      expect.poll(() => at.calls().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
    const first = send(1, ann);
    await ran(1);
    const second = send(2, ann);
    await Promise.race([second, ran(2)]);
    expect(at.calls()).toHaveLength(1);
    const third = send(3, bob);
    await ran(2);
    await at.end();
    await Promise.all([first, second, third]);
  });
});

/** The status of a request with these headers as they are, which no client library would send. */
function statusOfRaw(url: string, headers: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`POST /mcp HTTP/1.1\r\n${headers}Content-Length: 0\r\n\r\n`),
    );
    socket.once('error', reject).once('data', (data: Buffer) => {
      socket.destroy();
      resolve(Number(data.toString().split(' ')[1]));
    });
  });
}

/** The server behind, at a URL, with a token of its own. */
function serverAt(url: string, folder: string): Pick<UpstreamOptions, 'servers'> {
  const headers = { authorization: 'Bearer the-token-of-the-server' };
  const command = { transport: 'http', url, headers } as const;
  return { servers: [{ name: 'tricky', command, folder, environment: {}, trusted: false }] };
}

/** An authorization server with metadata and keys, and its tokens. `text`: what it answers instead. */
async function issuing(text?: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] };
  const issuing = createServer((request, response) => {
    const metadata = { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader('content-type', 'application/json');
    response.end(text ?? JSON.stringify(request.url === '/keys' ? keys : metadata));
  });
  await new Promise<void>((resolve) => issuing.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void issuing.close());
  const issuer = `http://127.0.0.1:${(issuing.address() as AddressInfo).port}`;
  const signedFor =
    (url: string) =>
    (claims: object, { audience = url, sub = 'ann', time = '5m', typ = 'at+jwt' } = {}) =>
      new SignJWT({ scope: 'tools', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k', typ })
        .setIssuer(issuer)
        .setSubject(sub)
        .setAudience(audience)
        .setExpirationTime(time)
        .sign(privateKey);
  return { issuer, signedFor };
}
