import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import { runGateway } from '../src/gateway.js';
import { type DrawnMessage, drawnMessage, linesOf } from './drawn-messages.js';
import { call, echoOnly, initialize, listening, posted } from './http/stage.js';
import { createWorld, policyOf, type World } from './world.js';

/** What the gateway asks of a server by itself, or for a client without a decision. */
const free =
  /^(?:initialize|server\/discover|ping|notifications\/(?:initialized|cancelled)|(?:tools|prompts|resources|resources\/templates|tasks)\/list) |^started /;

const opening = {
  session: [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    },
    { method: 'notifications/initialized' },
  ],
  stateless: [
    {
      id: 0,
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  ],
  none: [],
};

const sequence = fc.record({
  mode: fc.constantFrom('good', 'tasks'),
  begin: fc.constantFrom<keyof typeof opening>('session', 'stateless', 'none'),
  messages: fc.array(drawnMessage, { minLength: 1, maxLength: 25 }),
  piece: fc.integer({ min: 1, max: 3_000 }),
});

/** A permitted call after all others, which shows that they broke nothing. */
const last = call(1_000, 'echo', { text: 'last' });
const lastCall = 'tools/call {"name":"echo","arguments":{"text":"last"}}';

/** The server got nothing but calls of `echo`, each of them written by the client, and permitted in the log before. */
function requirePermitted(world: World, written: readonly string[]): void {
  const beyond = world.asked().filter((line) => !free.test(line));
  const permitted = world
    .log()
    .filter(
      ({ event, tool, decision }) =>
        event === 'decision' && String(tool).endsWith('.echo') && decision === 'pre_approved',
    );
  const texts = permitted.map(({ args }) => JSON.stringify(args));
  for (const line of beyond) {
    const call = line.startsWith('tools/call ') ? line.slice(11) : '{}';
    const { name, arguments: args, _meta, task: _, ...more } = JSON.parse(call);
    expect([line, name, more]).toEqual([line, 'echo', {}]);
    const at = texts.indexOf(JSON.stringify(args));
    expect([line, at]).not.toEqual([line, -1]);
    texts.splice(at, 1);
    expect(written.some((each) => each.includes(JSON.stringify(args)))).toBe(true);
  }
}

describe('whatever a client sends', { timeout: 600_000 }, () => {
  it('on standard input, the server gets only permitted calls, and each request has one answer', async () => {
    const law = fc.asyncProperty(sequence, async ({ mode, begin, messages, piece }) => {
      const world = createWorld(policyOf(echoOnly));
      const first = opening[begin].map((each) => JSON.stringify({ jsonrpc: '2.0', ...each }));
      const lines = [...first, ...linesOf(messages), JSON.stringify(last)];
      const awaited = new Set(idsOf(messages));
      if (first.length > 0) awaited.add(0);
      if (begin === 'session') awaited.add(last.id);
      const [input, output] = [new PassThrough(), new PassThrough()];
      const ending = new AbortController();
      const ended = runGateway({ ...world.options(mode, ending.signal), stdin: input, stdout: output });
      const answers: (number | null)[] = [];
      const all = new Promise<void>((resolve) => {
        let rest = '';
        const take = (chunk: string) => {
          const parts = `${rest}${chunk}`.split('\n');
          rest = parts.pop() ?? '';
          for (const { id, method } of parts.map((part) => JSON.parse(part)))
            if (method === undefined) answers.push(id);
          if ([...awaited].every((id) => answers.includes(id))) resolve();
        };
        output.on('data', (chunk: Buffer) => take(chunk.toString()));
        take('');
      });
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      for (let at = 0; at < bytes.length; at += piece) {
        input.write(bytes.subarray(at, at + piece));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.race([all, ended.then(() => Promise.reject(new Error('it ended')))]);
      input.end();
      await ended;
      for (const id of awaited) expect(answers.filter((each) => each === id)).toEqual([id]);
      const refused = messages.filter(({ kind, params }) => kind === 'request' && !isMessage(params));
      expect(answers.filter((id) => id === null).length).toBeGreaterThanOrEqual(refused.length);
      requirePermitted(world, lines);
      if (begin === 'session') expect(world.asked()).toContain(lastCall);
    });
    await fc.assert(law, { ...explore(60), endOnFailure: true });
  });

  it('over HTTP, the server gets only permitted calls', async () => {
    const posts = fc.array(fc.tuple(drawnMessage, fc.constantFrom('none', 'session', 'stateless', 'wrong')), {
      minLength: 1,
      maxLength: 25,
    });
    const law = fc.asyncProperty(posts, async (all) => {
      const { url, world, post, end } = await listening(echoOnly);
      const session = String((await post(initialize)).headers['mcp-session-id']);
      const bodies = linesOf(all.map(([message]) => message));
      const sent = all.map(([{ method, params }, kind], index) => {
        const { name } = Object(params) as { readonly name?: unknown };
        const named = { 'mcp-method': encodeURI(method), 'mcp-name': encodeURI(String(name)) };
        const headers = {
          none: {},
          session: { 'mcp-session-id': session },
          stateless: { 'mcp-protocol-version': '2026-07-28', ...named },
          wrong: { 'mcp-protocol-version': '2026-07-28', ...named, 'mcp-name': 'echo' },
        };
        return posted(url, bodies[index], headers[kind]).catch(() => null);
      });
      await Promise.all(sent);
      await post(last, { 'mcp-session-id': session });
      await end();
      requirePermitted(world, [...bodies, JSON.stringify(last)]);
      expect(world.asked()).toContain(lastCall);
    });
    await fc.assert(law, { ...explore(30), endOnFailure: true });
  });
});

/** The ids of requests that nothing can cancel. */
function idsOf(messages: readonly DrawnMessage[]): readonly number[] {
  const cancelled = messages.flatMap(({ method, params }) =>
    method === 'notifications/cancelled'
      ? [(Object(params) as { readonly requestId?: unknown }).requestId]
      : [],
  );
  return messages.flatMap(({ kind, params }, index) =>
    kind === 'request' && isMessage(params) && !cancelled.includes(index + 1) ? [index + 1] : [],
  );
}

function isMessage(params: unknown): boolean {
  return params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params));
}
