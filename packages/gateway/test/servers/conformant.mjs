// An MCP server with everything that the official conformance suite asks a server of the revisions with sessions for: on
// standard input and output, or with the argument `http` on a port of the system's choice.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const text = (said) => ({ type: 'text', text: said });
const image = { type: 'image', data: png, mimeType: 'image/png' };
const audio = {
  type: 'audio',
  data: 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=',
  mimeType: 'audio/wav',
};
const resource = (uri) => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: 'a resource' },
});
const user = (...blocks) => ({ messages: blocks.map((content) => ({ role: 'user', content })) });

const one = ['one', 'two', 'three'];
const titled = one.map((each) => ({ const: each, title: `The ${each}` }));
const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const enums = {
  untitledSingle: { type: 'string', enum: one },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: one, enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: one } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};

async function elicited({ sendRequest }, message, properties) {
  const params = { mode: 'form', message, requestedSchema: { type: 'object', properties, required: [] } };
  const { action, content = {} } = await sendRequest(
    { method: 'elicitation/create', params },
    types.ElicitResultSchema,
  );
  return [text(`action=${action}, content=${JSON.stringify(content)}`)];
}

/** The answer of each tool. */
const tools = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [image],
  test_audio_content: () => [audio],
  test_embedded_resource: () => [resource('test://embedded-resource')],
  test_multiple_content_types: () => [text('several'), image, resource('test://mixed-content-resource')],
  test_error_handling() {
    throw new Error('This tool intentionally returns an error for testing');
  },
  async test_tool_with_logging(_, { sendNotification }) {
    for (const data of ['started', 'works', 'ended'])
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
    return [text('logged')];
  },
  async test_tool_with_progress(_, { sendNotification, _meta: { progressToken = 0 } = {} }) {
    for (const progress of [0, 50, 100])
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    return [text('progressed')];
  },
  async test_sampling({ prompt }, { sendRequest }) {
    const messages = [{ role: 'user', content: text(prompt) }];
    const { content } = await sendRequest(
      { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } },
      types.CreateMessageResultSchema,
    );
    return [text(`LLM response: ${content.text}`)];
  },
  test_elicitation: ({ message }, extra) => elicited(extra, message, { response: { type: 'string' } }),
  test_elicitation_sep1034_defaults: (_, extra) => elicited(extra, 'defaults', defaults),
  test_elicitation_sep1330_enums: (_, extra) => elicited(extra, 'enums', enums),
  json_schema_2020_12_tool: () => [text('called')],
};
const schemas = {
  test_sampling: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
};
const resources = {
  'test://static-text': { mimeType: 'text/plain', text: 'a text' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'watched' },
};
const prompts = {
  test_simple_prompt: [[], () => user(text('a prompt'))],
  test_prompt_with_arguments: [['arg1', 'arg2'], ({ arg1, arg2 }) => user(text(`'${arg1}', '${arg2}'`))],
  test_prompt_with_embedded_resource: [['resourceUri'], (args) => user(resource(args.resourceUri))],
  test_prompt_with_image: [[], () => user(image, text('look'))],
};

function contentsOf(uri) {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  const found =
    id === undefined ? resources[uri] : { mimeType: 'application/json', text: JSON.stringify({ id }) };
  if (found === undefined) throw new types.McpError(-32002, `no resource ${uri}`);
  return { contents: [{ uri, ...found }] };
}

function conformant() {
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
  };
  const server = new Server({ name: 'conformant', version: '1' }, { capabilities });
  const on = (schema, answer) =>
    server.setRequestHandler(schema, ({ params }, extra) => answer(params, extra));
  on(types.ListToolsRequestSchema, () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: `Tests ${name}.`,
      inputSchema: schemas[name] ?? { type: 'object', properties: {} },
    })),
  }));
  on(types.CallToolRequestSchema, async ({ name, arguments: args = {} }, extra) => {
    try {
      return { content: await tools[name](args, extra) };
    } catch (error) {
      return { content: [text(error.message)], isError: true };
    }
  });
  on(types.ListResourcesRequestSchema, () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
  }));
  on(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  on(types.ReadResourceRequestSchema, ({ uri }) => contentsOf(uri));
  on(types.SubscribeRequestSchema, () => ({}));
  on(types.UnsubscribeRequestSchema, () => ({}));
  on(types.ListPromptsRequestSchema, () => ({
    prompts: Object.entries(prompts).map(([name, [args]]) => ({
      name,
      description: `Tests ${name}.`,
      arguments: args.map((each) => ({ name: each, required: true })),
    })),
  }));
  on(types.GetPromptRequestSchema, ({ name, arguments: args = {} }) => prompts[name][1](args));
  on(types.CompleteRequestSchema, () => ({ completion: { values: ['one'], total: 1, hasMore: false } }));
  return server;
}

async function listen() {
  const sessions = new Map();
  const answer = async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = sessions.get(id);
    if (id !== undefined && known === undefined) return void response.writeHead(404).end();
    if (known !== undefined) return known.handleRequest(request, response);
    const { port } = http.address();
    const own = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => sessions.set(session, transport),
      onsessionclosed: (session) => sessions.delete(session),
      enableDnsRebindingProtection: true,
      allowedHosts: own,
      allowedOrigins: own.map((each) => `http://${each}`),
    });
    await conformant().connect(transport);
    return transport.handleRequest(request, response);
  };
  const http = createServer((request, response) => void answer(request, response));
  await new Promise((done) => http.listen(0, '127.0.0.1', done));
  process.stdout.write(`listening at http://127.0.0.1:${http.address().port}/mcp\n`);
}

if (process.argv[2] === 'http') await listen();
else await conformant().connect(new StdioServerTransport());
