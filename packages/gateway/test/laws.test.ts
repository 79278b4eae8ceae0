import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../test/depth.js';
import { runGateway } from '../src/gateway.js';
import type { NamedServer } from '../src/upstream/server-of.js';
import { type DrawnMessage, drawnLine, drawnMessage, linesOf } from './drawn-messages.js';
import { call, echoOnly, initialize, listening, posted } from './http/stage.js';
import { createWorld, policyOf, type World } from './world.js';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly message?: unknown };
  readonly result?: unknown;
}

/** A gateway on standard input and output, and all that its client got. */
function connected(world: World, server: NamedServer) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { signal } = new AbortController();
  const options = { ...world.options('good', signal), servers: [server] as const };
  const ended = runGateway({ ...options, stdin: input, stdout: output });
  const got: Message[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop() ?? '';
    got.push(...lines.map((line) => JSON.parse(line) as Message));
    for (const look of waiting) look();
  });
  const isAnswered = (id: unknown) => got.some((each) => each.id === id && each.method === undefined);
  const all = (ids: readonly unknown[]) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!ids.every(isAnswered)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const early = ended.then(() => Promise.reject(new Error('it ended')));
  early.catch(() => undefined);
  return {
    got,
    send: (message: object) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    write: (bytes: Buffer) => void input.write(bytes),
    answered: (ids: readonly unknown[]) => Promise.race([all(ids), early]),
    async end() {
      input.end();
      await ended;
    },
  };
}

/** What the gateway asks of a server by itself, or for a client without a decision. */
const free =
  /^(?:initialize|server\/discover|ping|notifications\/(?:initialized|cancelled)|(?:tools|prompts|resources|resources\/templates|tasks)\/list) |^started /;

const prefix = 'io.modelcontextprotocol';
const discover = {
  [`${prefix}/protocolVersion`]: '2026-07-28',
  [`${prefix}/clientInfo`]: { name: 'c', version: '1' },
  [`${prefix}/clientCapabilities`]: {},
};
const openings = {
  session: [initialize, { method: 'notifications/initialized' }],
  stateless: [{ id: 0, method: 'server/discover', params: { _meta: discover } }],
  none: [],
} as const;

/** A permitted call after all others, which shows that they broke nothing. */
const last = call(1_000, 'echo', { text: 'last' });
const lastCall = 'tools/call {"name":"echo","arguments":{"text":"last"}}';

/** The server got nothing but calls of `echo` that the client wrote, and files and sites by URI, each permitted in the log. */
function requirePermitted(world: World, written: readonly string[]): void {
  const permitted = world
    .log()
    .filter(({ event, decision }) => event === 'decision' && decision === 'pre_approved')
    .map(({ tool, args }) => [String(tool), args] as const);
  const take = (line: string, tool: string, isMeant: (args: unknown) => boolean) => {
    const at = permitted.findIndex(([name, args]) => name.endsWith(tool) && isMeant(args));
    expect([line, at]).not.toEqual([line, -1]);
    permitted.splice(at, 1);
  };
  for (const line of world.asked().filter((each) => !free.test(each))) {
    const blank = line.indexOf(' ');
    const [method, params] = [line.slice(0, blank), JSON.parse(line.slice(blank))];
    if (method === 'resources/read' || method === 'resources/subscribe') {
      expect(params.uri).toMatch(/^(?:file|http):/i);
      take(line, 'gateway.read_resource', (args) => (args as { readonly uri?: unknown }).uri === params.uri);
      continue;
    }
    const { name, arguments: args, _meta, task: _, ...more } = params;
    expect([line, name, more]).toEqual([line, 'echo', {}]);
    take(line, '.echo', (given) => JSON.stringify(given) === JSON.stringify(args));
    expect(written.some((each) => each.includes(JSON.stringify(args)))).toBe(true);
  }
}

it('refuses an `initialize` without its parameters in words, and begins with the next one', async () => {
  const world = createWorld(policyOf(echoOnly));
  const client = connected(world, world.serverAt('tricky', 'good'));
  client.send({ ...initialize, id: 1, params: { protocolVersion: 5 } });
  client.send({ ...initialize, id: 2 });
  await client.answered([1, 2]);
  await client.end();
  const [refused, begun] = [1, 2].map((id) => client.got.find((each) => each.id === id));
  const message = `MCP error -32602: ✖ Invalid input: expected string, received number
  → at params.protocolVersion
✖ Invalid input: expected object, received undefined
  → at params.capabilities
✖ Invalid input: expected object, received undefined
  → at params.clientInfo`;
  expect(refused).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32602, message } });
  expect(begun?.result).toMatchObject({ protocolVersion: '2025-11-25' });
});

describe('whatever a client sends', () => {
  it('on standard input, the server gets only permitted calls, and each request has one answer', async () => {
    const sequence = fc.record({
      mode: fc.constantFrom('good', 'tasks'),
      begin: fc.constantFrom<keyof typeof openings>('session', 'stateless', 'none'),
      messages: fc.array(drawnMessage, { minLength: 1, maxLength: 25 }),
      piece: fc.integer({ min: 1, max: 3_000 }),
    });
    const law = fc.asyncProperty(sequence, async ({ mode, begin, messages, piece }) => {
      const world = createWorld(policyOf(echoOnly));
      const client = connected(world, world.serverAt('tricky', mode));
      for (const message of openings[begin]) client.send(message);
      const lines = linesOf(messages);
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      for (let at = 0; at < bytes.length; at += piece) {
        client.write(bytes.subarray(at, at + piece));
        await new Promise((resolve) => setImmediate(resolve));
      }
      client.send(last);
      const awaited = [...(begin === 'none' ? [] : [0]), ...idsOf(messages), last.id];
      await client.answered(awaited);
      await client.end();
      const answers = client.got.filter(({ method }) => method === undefined).map(({ id }) => id);
      for (const id of awaited) expect(answers.filter((each) => each === id)).toEqual([id]);
      requirePermitted(world, [...lines, JSON.stringify(last)]);
      if (begin === 'session') expect(world.asked()).toContain(lastCall);
    });
    await fc.assert(law, { ...explore(60), endOnFailure: true });
  });

  it('over HTTP, the server gets only permitted calls', async () => {
    const kinds = fc.constantFrom('none', 'session', 'stateless', 'wrong');
    const posts = fc.array(fc.tuple(drawnMessage, kinds), { minLength: 1, maxLength: 25 });
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
  return messages.flatMap(({ kind }, index) =>
    kind === 'request' && !cancelled.includes(index + 1) ? [index + 1] : [],
  );
}

const script = new URL('servers/scripted.mjs', import.meta.url).pathname;
const passedOn = /^notifications\/(?:(?:tools|resources|prompts)\/list_changed|message|cancelled)$/;
const asks = /^The MCP server tricky asks \(not Ambit\): /;
const hidden = /\\u00[01]|[\u202e\u2028]/;

describe('whatever a server sends', () => {
  it('its client gets one answer a call, and what a server may send, without hidden characters', async () => {
    const rounds = fc.array(fc.array(drawnLine, { maxLength: 12 }), { minLength: 1, maxLength: 4 });
    const law = fc.asyncProperty(rounds, async (lines) => {
      const world = createWorld(policyOf(echoOnly));
      const file = join(world.folder, 'lines.json');
      writeFileSync(file, JSON.stringify(lines));
      const command = [process.execPath, script, file] as const;
      const client = connected(world, { ...world.serverAt('tricky', 'good'), command });
      const params = { ...initialize.params, capabilities: { elicitation: {} } };
      client.send({ ...initialize, params });
      client.send({ method: 'notifications/initialized' });
      const ids = lines.map((_, index) => index + 1);
      for (const id of ids) {
        client.send(call(id, 'echo', { text: 'x' }));
        await client.answered([id]);
      }
      client.send(last);
      await client.answered([last.id]);
      await client.end();
      const answers = client.got.filter(({ method }) => method === undefined);
      expect(answers.map(({ id }) => id)).toEqual([0, ...ids, last.id]);
      expect(answers.at(-1)?.result).toEqual({ content: [{ type: 'text', text: 'echo:last' }] });
      for (const { id, method = '', params: sent } of client.got.filter(
        (each) => each.method !== undefined,
      )) {
        if (id === undefined) expect(method).toMatch(passedOn);
        else expect([method, sent?.message]).toEqual(['elicitation/create', expect.stringMatching(asks)]);
        expect(JSON.stringify(sent ?? null)).not.toMatch(hidden);
      }
    });
    await fc.assert(law, { ...explore(60), endOnFailure: true });
  });
});
