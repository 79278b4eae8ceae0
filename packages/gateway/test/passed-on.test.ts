import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { NamedServer } from '../src/upstream/server-of.js';
import { listening, stateless, statelessClient } from './http/stage.js';
import { createWorld, policyOf } from './world.js';

const script = new URL('servers/given.mjs', import.meta.url).pathname;
const schema = { type: 'object' };
/** A definition with every member that the protocol knows. */
const tool = {
  name: 'weather',
  title: 'Weather',
  description: 'Tells the weather.',
  icons: [{ src: 'https://a.example/a.png', mimeType: 'image/png', sizes: ['48x48'] }],
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  outputSchema: { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] },
  annotations: { title: 'Weather', readOnlyHint: true, openWorldHint: false },
  execution: { taskSupport: 'forbidden' },
  _meta: { 'a.example/version': 1 },
};
const result = {
  content: [
    { type: 'text', text: '{"degrees":3}', annotations: { audience: ['user'], priority: 0.5 } },
    { type: 'resource_link', uri: 'file:///etc/passwd', name: 'a', mimeType: 'text/plain', size: 3 },
    { type: 'resource', resource: { uri: 'made://a', text: 'a', _meta: { a: 1 } } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  ],
  structuredContent: { degrees: 3, more: [null, true] },
  _meta: { 'a.example/took': 5 },
};
const given = { 'tools/list': { tools: [tool] }, 'tools/call': result };
const own = 'io.modelcontextprotocol/';
const reserved = {
  [`${own}serverInfo`]: { name: 'another', version: '9' },
  [`${own}related-task`]: { taskId: 'a' },
  [`${own}subscriptionId`]: 'a',
};
const calls = '  mcp.call: pre_approved\n';

async function opened(rules: string, results: object = given) {
  const at = createWorld(policyOf(rules));
  const file = join(at.folder, 'given.json');
  const give = (all: object) => writeFileSync(file, JSON.stringify(all));
  give(results);
  const command = [process.execPath, script, file, join(at.folder, 'asked')] as const;
  return {
    at,
    give,
    open: (more: Partial<NamedServer> = {}) => at.open('good', undefined, { command, ...more }),
  };
}

describe('a tool', () => {
  it('is passed on with its whole definition, and its result with every kind of content', async () => {
    const { at, open } = await opened(calls);
    const { client } = await open();
    expect((await client.listTools()).tools).toEqual([tool]);
    expect(await client.callTool({ name: 'weather', arguments: { city: 'Rome' } })).toEqual(result);
    expect(client.getServerVersion()?.name).toBe('ambit-gateway: tricky');
    await client.ping();
    expect(at.asked().filter((line) => line.startsWith('ping'))).toEqual([]);
    // A link in a result permits nothing.
    await expect(client.readResource({ uri: 'http://a.example/' })).rejects.toThrow(/BLOCKED/);
  });

  it('is passed on in the same way to a client without sessions', async () => {
    const at = await listening(calls, {}, 'good', (record) => {
      const file = `${record}.json`;
      writeFileSync(file, JSON.stringify(given));
      return [process.execPath, script, file, record];
    });
    const client = await statelessClient(at.url);
    // Its revision has no tasks of this kind.
    const { execution: _, ...definition } = tool;
    expect((await client.listTools()).tools).toEqual([definition]);
    const { _meta, ...passed } = await client.callTool({ name: 'weather', arguments: { city: 'Rome' } });
    expect({ ...passed, _meta: result._meta }).toEqual(result);
    expect(_meta).toMatchObject(result._meta);
  });

  it('cannot name its server as the one that answers, nor a task or a stream of the client', async () => {
    const said = { ...given, 'tools/call': { ...result, _meta: { ...result._meta, ...reserved } } };
    const expected = { name: 'ambit-gateway: tricky', version: '1' };
    const at = await listening(calls, {}, 'good', (record) => {
      writeFileSync(`${record}.json`, JSON.stringify(said));
      return [process.execPath, script, `${record}.json`, record];
    });
    const [message, headers] = stateless({
      method: 'tools/call',
      params: { name: 'weather', arguments: {} },
    });
    const { message: answer } = await at.post(message, headers);
    expect(answer.result?._meta).toEqual({ ...result._meta, [`${own}serverInfo`]: expected });
    const { client } = await (await opened(calls, said)).open();
    expect(await client.callTool({ name: 'weather', arguments: {} })).toEqual(result);
  });

  it('with a schema for its results is refused in words that its client takes', async () => {
    const { open } = await opened('  mcp.call: blocked\n');
    const { client } = await open();
    await client.listTools();
    const refused = await client.callTool({ name: 'weather', arguments: { city: 'Rome' } });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^BLOCKED/) }] });
  });

  it.each<[keyof typeof tool, unknown]>([
    ['title', 'Weather, and more'],
    ['inputSchema', schema],
    ['outputSchema', schema],
    ['annotations', { readOnlyHint: false }],
    ['execution', undefined],
    ['_meta', {}],
  ])('whose `%s` changes is not called again, and hidden until a person accepts it', async (key, value) => {
    const { at, give, open } = await opened(calls);
    const { client, close } = await open();
    await client.listTools();
    give({ ...given, 'tools/list': { tools: [{ ...tool, [key]: value }] } });
    const refused = await client.callTool({ name: 'weather', arguments: {} });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused)).toContain('the server changed the definition');
    await close();
    const again = await open();
    expect((await again.client.listTools()).tools).toEqual([]);
    expect(again.said.join()).toContain('its definition differs from the accepted one');
    expect(at.asked().filter((line) => line.startsWith('tools/call'))).toEqual([]);
  });

  it('whose icons change keeps the accepted ones, and is hidden from the next session on', async () => {
    const { give, open } = await opened(calls);
    const { client, close } = await open();
    give({ ...given, 'tools/list': { tools: [{ ...tool, icons: [{ src: 'https://b.example/' }] }] } });
    expect(await client.callTool({ name: 'weather', arguments: {} })).toEqual(result);
    expect((await client.listTools()).tools).toEqual([tool]);
    await close();
    expect((await (await open()).client.listTools()).tools).toEqual([]);
  });
});

describe('what a server says', () => {
  it.each([
    ['a result', 'tools/call', { name: 'weather', arguments: {} }],
    ['a resource', 'resources/read', { uri: 'made://a' }],
    ['a prompt', 'prompts/get', { name: 'p' }],
  ])('counts for later calls of the run: %s', async (_, method, params) => {
    const together =
      'together: [{ decision: blocked, within: run, capabilities: [content.untrusted, fs.write] }]';
    const { open } = await opened(`${calls}  fs.write: pre_approved\n${together}\n`, {
      ...given,
      'tools/list': {
        tools: [
          { name: 'weather', inputSchema: schema },
          { name: 'save', inputSchema: schema, annotations: { openWorldHint: false } },
        ],
      },
      'resources/read': { contents: [{ uri: 'made://a', text: 'a' }] },
      'prompts/list': { prompts: [{ name: 'p' }] },
      'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }] },
    });
    // Its own words at the start count too, unless it is trusted.
    const carries = { save: [{ name: 'fs.write', facts: { path: { is: './a' } } }] };
    const begin = () => open({ trusted: true, carries });
    const save = { name: 'save', arguments: {} };
    const before = await begin();
    expect(await before.client.callTool(save)).toEqual(result);
    await before.close();
    const { client } = await begin();
    await client.request({ method, params } as never, z.looseObject({}));
    expect(JSON.stringify(await client.callTool(save))).toContain('BLOCKED by policy');
  });
});
