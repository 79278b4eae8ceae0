import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createModels, loadModels, modelProblem } from '../../src/converse/models.js';
import { isModelName } from '../../src/worker-file/model-name.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-models-')));
writeFileSync(join(root, 'script.yaml'), 'main: [{ say: hello }]\nreader: [{ say: read }]\n');
writeFileSync(join(root, 'wrong.yaml'), 'main: [{ sya: hello, say: a }]\n');
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const load = (models: readonly string[], environment = {}) => loadModels(models, { root, environment });
const messages = [{ role: 'user' as const, content: 'go' }];

describe('isModelName', () => {
  it.each([
    'anthropic:claude-x',
    'anthropic:a:b',
    'anthropic:a@b',
    'anthropic:x@https://model.example/base',
    'openai:gpt@http://127.0.0.1:8000/v1',
    'openai-chat:qwen@http://localhost:11434/v1',
    'script:a.yaml',
    'script:/a/b c',
    'script:./a',
  ])('accepts %s', (name) => {
    expect([isModelName(name), modelProblem(name, { ANTHROPIC_API_KEY: 'k' })]).toEqual([true, null]);
  });

  it.each([
    '',
    ':',
    'claude-x',
    'anthropic',
    'anthropic:',
    'script:',
    'script: ',
    'openai:',
    'openai-responses:x',
    'anthropic:@https://a',
    'anthropic:x@http://model.example',
    'anthropic:x@http://127.0.0.1.example',
    'anthropic:x@https://user:word@model.example',
    'anthropic:x@https://model.example/?key=1',
    'anthropic:x@https:',
    'Script:a',
    ' script:a',
    'constructor:a',
  ])('refuses %j', (name) => {
    expect(isModelName(name)).toBe(false);
    expect(modelProblem(name, { ANTHROPIC_API_KEY: 'k' })).toBe(
      `\`${name}\` is not a model: anthropic:NAME, openai:NAME, openai-chat:NAME or script:FILE`,
    );
  });
});

describe('modelProblem', () => {
  it.each([{}, { ANTHROPIC_API_KEY: '' }, { ANTHROPIC_AUTH_TOKEN: 'x' }])(
    'requires a key in %j',
    (environment) => {
      expect(modelProblem('anthropic:x', environment)).toBe(
        'the model `anthropic:x` needs a key in ANTHROPIC_API_KEY; script:FILE needs none',
      );
      expect(modelProblem('script:x', environment)).toBeNull();
    },
  );

  it('escapes a name from a file', () => {
    expect(modelProblem('anthropic:\u001b[2J\u202e', {})).toBe(
      '`anthropic:\\u001b[2J\\u202e` is not a model: anthropic:NAME, openai:NAME, openai-chat:NAME or script:FILE',
    );
  });
});

describe('loadModels', () => {
  it('loads each script once, by its requested name', async () => {
    const names = [
      'script:script.yaml',
      'script:./script.yaml',
      'script:script.yaml',
      `script:${root}/script.yaml`,
    ];
    const { scripts, problems } = await load(names);
    expect([[...scripts.keys()], problems]).toEqual([
      ['script.yaml', './script.yaml', `${root}/script.yaml`],
      [],
    ]);
    expect([...(scripts.get('script.yaml')?.keys() ?? [])]).toEqual(['main', 'reader']);
  });

  it('reports all problems', async () => {
    const { scripts, problems } = await load([
      'nonsense',
      'anthropic:x',
      'script:wrong.yaml',
      'script:gone.yaml',
      'script:script.yaml',
    ]);
    expect([...scripts.keys()]).toEqual(['script.yaml']);
    expect(
      problems.map(({ code, diagnostic }) => [
        code,
        diagnostic && `${diagnostic.file}:${diagnostic.line}:${diagnostic.column}`,
      ]),
    ).toEqual([
      ['BAD_MODEL', null],
      ['BAD_MODEL', null],
      ['UNKNOWN_KEY', 'wrong.yaml:1:10'],
      ['CANNOT_READ', 'gone.yaml:1:1'],
    ]);
  });

  it('does not read a script from a device', async () => {
    const { problems } = await load(['script:/dev/zero']);
    expect(problems.map(({ message }) => message)).toEqual([
      'the script cannot be read: it is a device, not a regular file',
    ]);
  });
});

describe('createModels', () => {
  it('connects each worker with its part of a script', async () => {
    const { scripts } = await load(['script:script.yaml']);
    const models = createModels({ environment: {}, scripts });
    const connections = await Promise.all(
      ['main', 'reader'].map((worker) => models.connect('script:script.yaml', worker)),
    );
    const said = await Promise.all(
      connections.map(({ client, model }) => client.messages.create({ model, max_tokens: 1, messages })),
    );
    expect(said.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'hello' }],
      [{ type: 'text', text: 'read' }],
    ]);
  });

  it.each([
    ['script:gone.yaml', 'the script gone.yaml was not loaded'],
    ['anthropic:x', 'needs a key in ANTHROPIC_API_KEY'],
    ['claude', 'is not a model'],
  ])('rejects %s', async (model, message) => {
    const models = createModels({ environment: {}, scripts: new Map() });
    await expect(models.connect(model, 'main')).rejects.toThrow(message);
  });

  it('uses only the key and the address of its given environment', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'other-key');
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'other-token');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1');
    const of = (environment: Readonly<Record<string, string>>) =>
      createModels({ environment: { ANTHROPIC_API_KEY: 'key', ...environment }, scripts: new Map() }).connect(
        'anthropic:claude-x',
        'main',
      );
    const connections = await Promise.all([
      of({}),
      of({ ANTHROPIC_BASE_URL: '' }),
      of({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:2/a' }),
    ]);
    expect(
      connections.map(({ client, model }) => [client.baseURL, client.apiKey, client.authToken, model]),
    ).toEqual([
      ['https://api.anthropic.com', 'key', null, 'claude-x'],
      ['https://api.anthropic.com', 'key', null, 'claude-x'],
      ['http://127.0.0.1:2/a', 'key', null, 'claude-x'],
    ]);
  });

  it('sends the key to the address that was given', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const environment = {
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    const { client, model } = await createModels({ environment, scripts: new Map() }).connect(
      'anthropic:claude-x',
      'main',
    );
    await expect(client.messages.create({ model, max_tokens: 1, messages })).rejects.toMatchObject({
      status: 400,
    });
    server.closeAllConnections();
    server.close();
    expect(seen.map((headers) => [headers['x-api-key'], headers.authorization])).toEqual([
      [undefined, 'Bearer key'],
    ]);
  });
});
