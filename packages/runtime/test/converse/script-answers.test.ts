import type { Json } from '@ambit/core';

import type Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeTurn } from '../../src/converse/model-turn.js';
import { createModels } from '../../src/converse/models.js';
import { readScript, type Script, scriptFetch } from '../../src/converse/script.js';

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

function scriptIn(source: string): Script {
  const read = readScript('script.yaml', new TextEncoder().encode(source));
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
  return read.script;
}

async function clientOf(script: Script): Promise<Anthropic> {
  const models = createModels({ environment: {}, scripts: new Map([['s', script]]) });
  return (await models.connect('script:s', 'main')).client;
}

const client = await clientOf(scriptIn(text));

const user = (content: Anthropic.MessageParam['content']) => ({ role: 'user' as const, content });
const assistant = { role: 'assistant' as const, content: 'x' };

/** The answer as a conversation of a run takes it. */
async function turnOf(of: Anthropic, model: string, messages: Anthropic.MessageParam[]) {
  const request = {
    connection: { client: of, model },
    system: '',
    tools: [],
    providerTools: async () => [],
    signal: new AbortController().signal,
    answerTokens: () => 100,
    onText: () => undefined,
    onTurn: () => undefined,
  };
  return (await takeTurn(request, messages)).message;
}

/** What the worker's model answers, to a request of any program, and in a run. */
async function answers(model: string, messages: Anthropic.MessageParam[]) {
  const request = { model, max_tokens: 100, messages };
  return [await client.messages.create(request), await turnOf(client, model, messages)];
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

describe('scriptFetch', () => {
  it('answers with text and parallel calls, to any program and in a run', async () => {
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

  it('passes args of any kind unchanged', async () => {
    const inputs = [null, 'text', [1, { d: null }], -1.5, true, {}, ''];
    const both = await answers('odd', [user('go')]);
    expect(
      both.map(({ content }) => content.map((block) => block.type === 'tool_use' && block.input)),
    ).toEqual([inputs, inputs]);
  });

  it('passes any JSON value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 30, maxLength: 60 }), async (values) => {
        const inputs = JSON.parse(JSON.stringify(values)) as Json[];
        const turn = { say: '', call: inputs.map((args) => ({ tool: 't', args })), for: null };
        const other = await clientOf(new Map([['main', [turn]]]));
        const { content } = await turnOf(other, 'main', [user('go')]);
        expect(content.map((block) => block.type === 'tool_use' && block.input)).toEqual(inputs);
      }),
      { numRuns: 40 },
    );
  });

  it('continues after the answers that the conversation contains', async () => {
    const both = await answers('main', [user('go'), assistant, user('results')]);
    const expected = { model: 'main', role: 'assistant', stop_reason: 'end_turn', content: ['done'] };
    expect(both.map(plain)).toEqual([expected, expected]);
  });

  it('returns an empty answer if the script is exhausted or empty', async () => {
    const both = [
      ...(await answers('main', [user('go'), assistant, user('a'), assistant, user('b')])),
      ...(await answers('silent', [user('go')])),
    ];
    expect(both.map(({ content, stop_reason }) => ({ content, stop_reason }))).toEqual(
      both.map(() => ({ content: [], stop_reason: 'end_turn' })),
    );
  });

  it('distinguishes conversations by the text of their first message, in any block', async () => {
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

  it('refuses a worker that the script omits, without a retry', async () => {
    const request = { model: 'nobody', max_tokens: 1, messages: [user('go')] };
    await expect(client.messages.create(request)).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('the script has no turns for the worker `nobody`'),
    });
    await expect(client.messages.stream(request).finalMessage()).rejects.toMatchObject({
      status: 404,
    });
    await expect(client.messages.create({ ...request, model: '__proto__' })).rejects.toMatchObject({
      status: 404,
    });
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
  ])('refuses the request %j permanently', async (body) => {
    const response = await scriptFetch(scriptIn(text))('', { method: 'POST', body });
    expect([response.status, response.headers.get('x-should-retry'), await response.json()]).toMatchObject([
      400,
      'false',
      { type: 'error' },
    ]);
  });
});
