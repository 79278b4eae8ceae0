import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  asks,
  call,
  echoOnly,
  initialize,
  listening,
  posted,
  sessionClient,
  stateless,
  textOf,
} from './stage.js';

/** The logs below the folder that this process has open. */
function openLogs(folder: string): readonly string[] {
  const open = readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });
  return open.filter((path) => path.startsWith(folder) && path.endsWith('.jsonl'));
}

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

describe('a session over HTTP', () => {
  it('is judged like a session on standard input, and recorded as a run of its own', async () => {
    const at = await listening(echoOnly);
    const [one, other] = [await sessionClient(at.url), await sessionClient(at.url)];
    for (const client of [one, other]) {
      expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('echo:hi');
      expect(textOf(await client.callTool({ name: 'danger.run', arguments: {} }))).toMatch(
        /^BLOCKED by policy/,
      );
    }
    expect(at.calls()).toHaveLength(2);
    await at.end();
    const runs = at.world
      .log()
      .filter(({ event, tool }) => event === 'decision' && tool === 'mcp-tricky.echo');
    expect(runs).toHaveLength(2);
    for (const line of at.world.asked().filter((each) => each.startsWith('started')))
      expect(() => process.kill(Number(line.split(' ')[1]), 0)).toThrow();
  });

  it('asks on the stream of the call, even if the client opens no other stream', async () => {
    const at = await listening(asks);
    const answers = ['approve', 'deny'];
    const client = await sessionClient(at.url, () => ({
      action: 'accept',
      content: { decision: answers.shift() },
    }));
    const results = [1, 2].map(() => () => client.callTool({ name: 'echo', arguments: { text: 'hi' } }));
    const said: string[] = [];
    for (const each of results) said.push(textOf(await each()));
    expect(said[0]).toBe('echo:hi');
    expect(said[1]).toMatch(/^REFUSED/);
    expect(at.calls()).toHaveLength(1);
  });

  it('forwards a server’s question during a call, and refuses one without a call', async () => {
    const at = await listening(echoOnly, {}, 'asks');
    const client = await sessionClient(at.url, () => ({ action: 'accept', content: { city: 'Rome' } }));
    const result = await client.callTool({ name: 'echo', arguments: { text: 'Where?' } });
    expect(JSON.parse(textOf(result))).toEqual({ action: 'accept', content: { city: 'Rome' } });
  });

  it('runs one request per id at a time, and ends when the client deletes it', async () => {
    const at = await listening(echoOnly, {}, 'hang');
    const begun = await at.post(initialize);
    const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
    expect(begun.status).toBe(200);
    expect((await at.post(initialized, session)).status).toBe(202);
    const hanging = at.post(call(7, 'echo', { text: 'a' }), session).catch(() => null);
    await expect.poll(() => at.calls().length, { timeout: 120_000 }).toBe(1);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    for (const nothing of [null, { ...cancelled, id: 6 }, { ...cancelled, jsonrpc: '1.0' }]) {
      if (nothing !== null) await at.post(nothing, session);
      const again = await at.post(call(7, 'echo', { text: 'a' }), session);
      expect(again.message.error?.code).toBe(-32600);
    }
    expect((await at.post(initialize, session)).status).toBe(400);
    const other = { ...session, 'mcp-protocol-version': '2001-01-01' };
    expect((await at.post(call(8, 'danger.run'), other)).status).toBe(400);
    const resumed = await at.post('', { ...session, method: 'GET', 'last-event-id': '1' });
    expect([resumed.status, resumed.message.error?.code]).toEqual([400, -32000]);
    expect((await at.post('', { ...session, method: 'DELETE' })).status).toBe(200);
    await expect
      .poll(async () => (await at.post(call(9, 'echo'), session)).status, { timeout: 60_000 })
      .toBe(404);
    await hanging;
    expect(at.calls()).toHaveLength(1);
  });

  it('continues a call whose client leaves, and a client without sessions cancels it so', async () => {
    const at = await listening(echoOnly, {}, 'hang');
    const begun = await at.post(initialize);
    const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
    const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const leave = async (message: object, own: Record<string, string>) => {
      const leaving = new AbortController();
      const { signal } = leaving;
      const before = at.calls().length;
      const body = JSON.stringify(message);
      const left = fetch(at.url, { method: 'POST', headers: { ...usual, ...own }, body, signal });
      left.then((response) => response.text()).catch(() => undefined);
      await expect.poll(() => at.calls().length, { timeout: 120_000 }).toBe(before + 1);
      leaving.abort();
    };
    const cancelled = () => at.world.asked().filter((line) => line.startsWith('notifications/cancelled'));
    const { method, params } = call(1, 'echo', { text: 'a' });
    await leave(call(1, 'echo', { text: 'a' }), session);
    await leave(...stateless({ method, params }));
    // That of the session, which left earlier, runs.
    await expect.poll(() => cancelled().length, { timeout: 60_000 }).toBe(1);
    const again = await at.post(call(1, 'echo', { text: 'a' }), session);
    expect(again.message.error?.code).toBe(-32600);
  });

  it('leaves no log open if it ends during a call', async () => {
    const at = await listening(echoOnly, {}, 'hang');
    const begun = await at.post(initialize);
    const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
    const hanging = at.post(call(1, 'echo', { text: 'a' }), session).catch(() => null);
    await expect.poll(() => at.calls().length, { timeout: 120_000 }).toBe(1);
    expect(openLogs(at.world.folder)).toHaveLength(1);
    await at.post('', { ...session, method: 'DELETE' });
    await hanging;
    // It waits for the end of the session.
    await at.end();
    expect(openLogs(at.world.folder)).toEqual([]);
    expect(at.world.log().at(-1)).toMatchObject({ event: 'outcome', error: 'This operation was aborted' });
  });

  it('must be initialized first, and is found only by its own id', async () => {
    const at = await listening(echoOnly);
    expect((await at.post(call(1, 'echo'))).status).toBe(400);
    expect((await at.post(call(1, 'echo'), { 'mcp-session-id': '1' })).status).toBe(404);
    expect((await posted(at.url.replace('/mcp', '/other'), initialize)).status).toBe(404);
  });

  it('is not begun by a notification: its client would not get the id that ends it', async () => {
    const at = await listening(echoOnly, { limits: { sessions: 1 } });
    const { id: _, ...notification } = initialize;
    expect((await at.post(notification)).status).toBe(400);
    expect((await at.post(initialize)).status).toBe(200);
  });
});
