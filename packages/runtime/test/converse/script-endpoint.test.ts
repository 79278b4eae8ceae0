import type { Json } from '@ambit/core';
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type ScriptEndpoint, startScriptEndpoint } from '../../src/converse/script-endpoint.js';
import { readScript } from '../../src/converse/script-file.js';

const text = `
main:
  - say: "Looking 👀 at it"
    call:
      - { tool: list_files, args: { path: input } }
      - { tool: reader, args: { input: "👩‍👩‍👧 \\u202e\\0 read", attachments: [input/a.pdf] } }
  - say: done
odd:
  - call:
      - { tool: a, args: null }
      - { tool: b, args: text }
      - { tool: c, args: [1, { d: null }] }
      - { tool: d, args: -1.5 }
      - { tool: e, args: true }
      - { tool: f, args: {} }
      - { tool: "not a name!", args: "" }
two:
  - { say: red, for: the red one }
  - { say: blue, for: the blue one }
silent: []
`;

async function start(): Promise<ScriptEndpoint> {
  const read = readScript('script.yaml', new TextEncoder().encode(text));
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
  return startScriptEndpoint(read.script);
}

const endpoint = await start();
afterAll(() => endpoint.close());

const clientOf = ({ url, key }: ScriptEndpoint, apiKey = key) =>
  new Anthropic({ baseURL: url, apiKey, authToken: null, credentials: null, logLevel: 'off' });

const user = (content: Anthropic.MessageParam['content']) => ({ role: 'user' as const, content });
const assistant = { role: 'assistant' as const, content: 'x' };

/** What the worker's model answers, by both ways that the API has. */
async function answers(model: string, messages: Anthropic.MessageParam[]) {
  const client = clientOf(endpoint);
  const request = { model, max_tokens: 100, messages };
  return [await client.messages.create(request), await client.messages.stream(request).finalMessage()];
}

const plain = ({ model, role, content, stop_reason }: Anthropic.Message) => ({
  model,
  role,
  stop_reason,
  content: content.map((block) =>
    block.type === 'text'
      ? block.text
      : block.type === 'tool_use' && { name: block.name, input: block.input },
  ),
});

describe('startScriptEndpoint', () => {
  it('answers with text and parallel calls, streaming and not', async () => {
    const expected = {
      model: 'main',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [
        'Looking 👀 at it',
        { name: 'list_files', input: { path: 'input' } },
        { name: 'reader', input: { input: '👩‍👩‍👧 \u202e\0 read', attachments: ['input/a.pdf'] } },
      ],
    };
    const both = await answers('main', [user('go')]);
    expect(both.map(plain)).toEqual([expected, expected]);
    const ids = both.flatMap(({ content }) => content.map((block) => block.type === 'tool_use' && block.id));
    expect(new Set(ids).size).toBe(5);
  });

  it('streams a text in pieces, which are the text together', async () => {
    const pieces: string[] = [];
    const stream = clientOf(endpoint).messages.stream({
      model: 'main',
      max_tokens: 100,
      messages: [user('go')],
    });
    stream.on('text', (piece) => pieces.push(piece));
    await stream.finalMessage();
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe('Looking 👀 at it');
  });

  it('hands over args of any kind as they are', async () => {
    const inputs = [null, 'text', [1, { d: null }], -1.5, true, {}, ''];
    const both = await answers('odd', [user('go')]);
    expect(
      both.map(({ content }) => content.map((block) => block.type === 'tool_use' && block.input)),
    ).toEqual([inputs, inputs]);
  });

  it('hands over whatever JSON can say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 30, maxLength: 60 }), async (values) => {
        const inputs = JSON.parse(JSON.stringify(values)) as Json[];
        const turn = { say: '', call: inputs.map((args) => ({ tool: 't', args })), for: null };
        const other = await startScriptEndpoint(new Map([['main', [turn]]]));
        const request = { model: 'main', max_tokens: 1, messages: [user('go')] };
        const { content } = await clientOf(other).messages.stream(request).finalMessage();
        await other.close();
        expect(content.map((block) => block.type === 'tool_use' && block.input)).toEqual(inputs);
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('continues by the number of answers in the conversation', async () => {
    const both = await answers('main', [user('go'), assistant, user('results')]);
    const expected = { model: 'main', role: 'assistant', stop_reason: 'end_turn', content: ['done'] };
    expect(both.map(plain)).toEqual([expected, expected]);
  });

  it('says nothing when the script is exhausted, or empty', async () => {
    const both = [
      ...(await answers('main', [user('go'), assistant, user('a'), assistant, user('b')])),
      ...(await answers('silent', [user('go')])),
    ];
    expect(both.map(({ content, stop_reason }) => ({ content, stop_reason }))).toEqual(
      both.map(() => ({ content: [], stop_reason: 'end_turn' })),
    );
  });

  it('tells conversations apart by the text of their first message, in whichever block it is', async () => {
    const document: Anthropic.DocumentBlockParam = {
      type: 'document',
      title: 'the red one',
      source: { type: 'text', media_type: 'text/plain', data: 'the red one' },
    };
    const blue = [document, { type: 'text' as const, text: 'Now the blue one.' }];
    const messages = [
      [user('the red one')],
      [user(blue)],
      [user('the red one, the blue one'), assistant, user('x')],
    ];
    const said = await Promise.all(messages.map((conversation) => answers('two', conversation)));
    expect(said.map((both) => both.map(plain).map(({ content }) => content))).toEqual([
      [['red'], ['red']],
      [['blue'], ['blue']],
      [['blue'], ['blue']],
    ]);
  });

  it('refuses a worker of which the script says nothing, and is not asked again', async () => {
    const request = { model: 'nobody', max_tokens: 1, messages: [user('go')] };
    await expect(clientOf(endpoint).messages.create(request)).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('the script says nothing for the worker `nobody`'),
    });
    await expect(clientOf(endpoint).messages.stream(request).finalMessage()).rejects.toMatchObject({
      status: 404,
    });
    await expect(
      clientOf(endpoint).messages.create({ ...request, model: '__proto__' }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['none', {}],
    ['another', { 'x-api-key': 'sk-other' }],
    ['one of the same length', { 'x-api-key': 'a'.repeat(48) }],
    ['one of the same length, in other characters', { 'x-api-key': `${'a'.repeat(47)}é` }],
    ['an empty one', { 'x-api-key': '' }],
    ['another token', { authorization: 'Bearer a' }],
    ['its own without the word before it', { authorization: endpoint.key }],
    ['its own and more', { 'x-api-key': `${endpoint.key}a` }],
  ])('refuses whoever has no key but %s', async (_title, headers) => {
    const body = JSON.stringify({ model: 'main', messages: [user('go')] });
    const response = await fetch(`${endpoint.url}/v1/messages`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toEqual([
      401,
      { type: 'error', error: { type: 'authentication_error', message: 'wrong key' } },
    ]);
  });

  it('takes its key as a token too', async () => {
    const response = await fetch(`${endpoint.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${endpoint.key}` },
      body: JSON.stringify({ model: 'main', messages: [user('go')] }),
    });
    expect(response.status).toBe(200);
  });

  it.each([
    ['GET', '/v1/messages'],
    ['PUT', '/v1/messages'],
    ['POST', '/'],
    ['POST', '/v1/messages/'],
    ['POST', '/v1/messages/batches'],
    ['POST', '/v1/messages/../complete'],
    ['GET', '/v1/models'],
  ])('has nothing at %s %s', async (method, path) => {
    const headers = { 'x-api-key': endpoint.key };
    const response = await fetch(`${endpoint.url}${path}`, { method, headers });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { type: 'not_found_error' } },
    ]);
  });

  it.each([
    '',
    'nonsense',
    'null',
    '[]',
    '{}',
    '{"model":"main"}',
    '{"model":"main","messages":[]}',
    '{"model":1,"messages":[{}]}',
  ])('refuses the request %j', async (body) => {
    const headers = { 'x-api-key': endpoint.key };
    const response = await fetch(`${endpoint.url}/v1/messages`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error' } },
    ]);
  });

  it('listens on the loopback interface, each time with a key of its own', async () => {
    const other = await start();
    expect([endpoint.url, other.url]).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)),
    );
    expect(other.key).not.toBe(endpoint.key);
    await expect(
      clientOf(other, endpoint.key).messages.create({ model: 'main', max_tokens: 1, messages: [user('go')] }),
    ).rejects.toMatchObject({ status: 401 });
    await other.close();
  });

  it('closes with open connections, and may be closed twice', async () => {
    const other = await start();
    const request = { model: 'main', max_tokens: 1, messages: [user('go')] };
    await clientOf(other).messages.create(request);
    await other.close();
    const client = new Anthropic({ baseURL: other.url, apiKey: other.key, maxRetries: 0, logLevel: 'off' });
    await expect(client.messages.create(request)).rejects.toThrow(Anthropic.APIConnectionError);
    await other.close();
  });
});
