import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { openStateFolder, openStore } from '@ambit/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDeep } from '../../../../test/depth.js';
import { asks, call, echoOnly, initialize, type Listening, listening, stateless } from '../http/stage.js';

const long = { timeout: 100_000, interval: 30 };
const echo = (text: string) => call(1, 'echo', { text });
const statelessEcho = stateless({ method: 'tools/call', params: { name: 'echo', arguments: { text: 'a' } } });
const started = (at: Listening) => at.world.asked().filter((line) => line.startsWith('started'));

async function begun(at: Listening): Promise<Record<string, string>> {
  const { status, headers } = await at.post(initialize);
  expect(status).toBe(200);
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  await at.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return session;
}

function alive(line: string): boolean {
  try {
    return process.kill(Number(line.split(' ')[1]), 0);
  } catch {
    return false;
  }
}

/** A request in its bytes, for a client that reads and writes as it likes. */
async function raw(at: Listening, headers: Record<string, string>, body: string): Promise<Socket> {
  const { hostname, port, host } = new URL(at.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const usual = {
    host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': `${Buffer.byteLength(body)}`,
  };
  const lines = Object.entries({ ...usual, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}

describe('limits over HTTP', () => {
  it('an idle session ends with its server, except during a call', async () => {
    const at = await listening(echoOnly, { limits: { silence: 500 } }, 'hang');
    // A session may be forgotten before its call comes.
    const calling = async () => {
      const session = await begun(at);
      const answered = at.post(echo('a'), session).catch(() => null);
      const running = expect.poll(() => at.calls().length, long).toBe(1);
      return {
        session,
        answered,
        isRunning: await Promise.race([running.then(() => true), answered.then(() => false)]),
      };
    };
    let called = await calling();
    while (!called.isRunning) called = await calling();
    const { session: busy, answered: hanging } = called;
    const silent = await begun(at);
    const list = { ...echo('b'), id: 2, method: 'tools/list' };
    const status = async () => (await at.post(list, silent)).status;
    await expect.poll(status, { ...long, interval: 1_500 }).toBe(404);
    await expect.poll(() => started(at).filter(alive).length, long).toBe(1);
    expect((await at.post(list, busy)).status).toBe(200);
    await at.end();
    await hanging;
    expect(started(at).filter(alive)).toEqual([]);
  });

  it.skipIf(!isDeep)('a session is forgotten whose client left while its server started', async () => {
    const at = await listening(echoOnly, { limits: { silence: 300 } });
    await begun(at);
    const socket = await raw(at, {}, JSON.stringify(initialize));
    socket.destroySoon();
    await expect.poll(() => started(at).length, long).toBe(2);
    await expect.poll(() => started(at).filter(alive).length, long).toBe(0);
  });

  it('an idle stateless client is forgotten with its server, and may start again', async () => {
    const at = await listening(echoOnly, { limits: { silence: 300 } });
    expect((await at.post(...statelessEcho)).status).toBe(200);
    await expect.poll(() => started(at).filter(alive).length, long).toBe(0);
    expect((await at.post(...statelessEcho)).status).toBe(200);
    expect(at.calls()).toHaveLength(2);
  });

  it('a stateless client gets a new server when its own has died', async () => {
    const at = await listening(echoOnly, {}, 'die');
    await at.post(...statelessEcho);
    await expect
      .poll(async () => {
        await at.post(...statelessEcho);
        return started(at).length;
      }, long)
      .toBeGreaterThan(1);
  });

  it('sessions, requests in flight and bytes of bodies are limited', async () => {
    const at = await listening(echoOnly, { limits: { sessions: 1, inFlight: 2, bytes: 3_000_000 } }, 'hang');
    const session = await begun(at);
    expect((await at.post(initialize)).status).toBe(503);
    const hanging = at.post(call(7, 'echo', { text: 'x'.repeat(2_000_000) }), session).catch(() => null);
    await expect.poll(() => at.calls().length, long).toBe(1);
    const large = await at.post(call(8, 'echo', { text: 'x'.repeat(2_000_000) }), session).catch(() => null);
    expect(large?.status ?? 503).toBe(503);
    const second = at.post(call(9, 'echo', { text: 'a' }), session).catch(() => null);
    await expect.poll(() => at.calls().length, long).toBe(2);
    expect((await at.post(call(10, 'echo', { text: 'a' }), session)).status).toBe(503);
    await at.end();
    await Promise.all([hanging, second]);
    expect(at.calls()).toHaveLength(2);
  });

  it.skipIf(!isDeep)(
    'a call counts until it ends, even after its client left; a refused message does not count',
    async () => {
      const at = await listening(echoOnly, { limits: { inFlight: 3, bytes: 3_000_000 } }, 'hang');
      const session = await begun(at);
      for (let id = 1; id <= 5; id += 1)
        expect((await at.post({ jsonrpc: '1.0', id, method: 'tools/call', params: 1 }, session)).status).toBe(
          400,
        );
      const leave = async (id: number, size: number) => {
        const body = JSON.stringify(call(id, 'echo', { text: 'x'.repeat(size) }));
        const socket = await raw(at, session, body);
        await expect.poll(() => at.calls().length, long).toBe(id);
        socket.destroy();
      };
      await leave(1, 1_000_000);
      await leave(2, 1_000_000);
      const large = () =>
        at.post(call(9, 'echo', { text: 'x'.repeat(2_000_000) }), session).catch(() => null);
      expect((await large())?.status ?? 503).toBe(503);
      await leave(3, 1);
      const ping = { jsonrpc: '2.0', id: 4, method: 'ping' };
      expect((await at.post(ping, session)).status).toBe(503);
      await at.end();
      expect(at.calls()).toHaveLength(3);
    },
  );

  it.skipIf(!isDeep)('unread answers are kept up to a limit, and dropped with the connection', async () => {
    const at = await listening(echoOnly, { limits: { bytes: 20_000_000 } }, 'big');
    const session = await begun(at);
    const sockets: Socket[] = [];
    for (let id = 1; id <= 6; id += 1)
      sockets.push((await raw(at, session, JSON.stringify(call(id, 'echo', { text: 'a' })))).pause());
    await expect.poll(() => at.calls().length, long).toBe(6);
    // Writing to an ended connection fails.
    const ended = () => sockets.filter((socket) => !socket.write('\r\n') || socket.destroyed).length;
    await expect.poll(ended, long).toBeGreaterThanOrEqual(3);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(
        async () => (await at.post(call(9, 'echo', { text: 'a' }), session).catch(() => null))?.status,
        long,
      )
      .toBe(200);
  });

  it('one approval runs one of many equal calls', async () => {
    const at = await listening(asks, { hold: 0 });
    const session = await begun(at);
    const tries = (from: number) =>
      Promise.all([0, 1, 2, 3, 4].map((more) => at.post(call(from + more, 'echo', { text: 'a' }), session)));
    const said = (all: Awaited<ReturnType<typeof tries>>) => all.map(({ text }) => text).join('\n');
    expect(said(await tries(10))).toContain('ambit approvals approve');
    expect(at.calls()).toEqual([]);
    const { environment, folder } = at.world;
    const store = await openStore(await openStateFolder(environment, folder));
    onTestFinished(() => store.close());
    const waiting = (await store.questions()).filter(({ state }) => state === 'waiting');
    const [{ question, digest }] = waiting as [(typeof waiting)[0]];
    const answer = { answer: 'approve', person: 'ada' } as const;
    await store.answer(question.id, { digest, answer, at: Date.now() });
    expect(said(await tries(20)).match(/echo:a/g)).toHaveLength(1);
    expect(at.calls()).toHaveLength(1);
  });
});
