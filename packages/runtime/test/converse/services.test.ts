import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ScriptedTurn, startScriptedModel } from '../../../examples/scripted-model.js';
import { takeTurn } from '../../src/converse/model-turn.js';
import { createModels } from '../../src/converse/models.js';
import { type Files, out, runAt, worker, workplace } from '../session.js';

const files: Files = {
  'policy.yaml': {
    version: 1,
    default: 'blocked',
    capabilities: { 'fs.read': 'pre_approved', 'content.untrusted': 'pre_approved' },
  },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }, 'You are main.'),
  'out/a.txt': 'alpha',
};

const reading: readonly ScriptedTurn[] = [
  {
    say: 'I look.',
    calls: [
      { name: 'read_file', input: { path: 'out/a.txt' } },
      { name: 'delete_file', input: { path: 'out/a.txt' } },
    ],
  },
  { say: 'It says alpha.' },
];

async function scripted(turns: readonly ScriptedTurn[]) {
  const model = await startScriptedModel(turns);
  onTestFinished(() => model.close());
  return model;
}

/** A server that answers everything with this. */
async function answering(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const forms = [
  ['anthropic', ''],
  ['openai', '/v1'],
  ['openai-chat', '/v1'],
] as const;

describe('a model by its address', () => {
  it.each(forms)('%s: works in a worker’s conversation, including calls', async (service, path) => {
    const { url, requests } = await scripted(reading);
    const result = await runAt(
      workplace(files),
      { model: `${service}:m@${url}${path}` },
      { input: 'go', attachments: ['out/a.txt'] },
    );
    expect([result.status, result.output]).toEqual(['finished', 'It says alpha.']);
    const [first, second] = requests.map(({ body }) => JSON.stringify(body));
    for (const text of ['You are main.', 'go', 'alpha', 'read_file', '"m"']) expect(first).toContain(text);
    // The results of both calls, under their ids, and what the model said before.
    for (const text of ['I look.', 'call_1_0_000', 'call_1_1_000', 'alpha', 'refused (blocked)'])
      expect(second).toContain(text);
    expect(result.totals.tokens).toEqual({ input: 20, output: 10 });
  });

  it.each(forms)('%s: gets only the key of its own address', async (service, path) => {
    const { url, requests } = await scripted([{ say: 'hi' }, { say: 'hi' }]);
    const keys = { ANTHROPIC_API_KEY: 'secret-a', OPENAI_API_KEY: 'secret-o' };
    for (const AMBIT_MODEL_KEYS of [
      `https://other.example=wrong ${url}=mine`,
      `${url}0=wrong ${url}.example=wrong`,
    ]) {
      const environment = { ...keys, AMBIT_MODEL_KEYS };
      await runAt(workplace(files), { model: `${service}:m@${url}${path}`, environment }, { input: 'go' });
    }
    expect(requests.map(({ key }) => key.replace('Bearer ', ''))).toEqual(['mine', 'none']);
  });

  it.each(forms)('%s: does not follow a redirect to another address', async (service, path) => {
    const { url, requests } = await scripted([{ say: 'hi' }]);
    const from = await answering(307, { location: `${url}${path}/messages` }, '');
    const result = await runAt(workplace(files), { model: `${service}:m@${from}${path}` }, { input: 'go' });
    expect([result.status, requests.length]).toEqual(['failed', 0]);
  });

  it.each(forms)('%s: reports the message of the endpoint', async (service, path) => {
    const error = JSON.stringify({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'no such model' },
    });
    const url = await answering(404, { 'content-type': 'application/json' }, error);
    const result = await runAt(workplace(files), { model: `${service}:m@${url}${path}` }, { input: 'go' });
    expect([result.status, result.why]).toEqual(['failed', expect.stringContaining('no such model')]);
  });

  it('an answer in JSON with a number as its text is refused, and told to nobody', async () => {
    const content = [{ type: 'text', text: 5 }];
    const whole = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content,
      stop_reason: 'end_turn',
    };
    const url = await answering(200, { 'content-type': 'application/json' }, JSON.stringify(whole));
    const environment = { ANTHROPIC_API_KEY: 'key' };
    const connection = await createModels({ environment, scripts: new Map() }).connect(
      `anthropic:m@${url}`,
      'main',
    );
    const told: unknown[] = [];
    const turn = takeTurn(
      {
        connection,
        system: '',
        tools: [],
        providerTools: async () => [],
        signal: new AbortController().signal,
        answerTokens: () => 100,
        onText: (text) => told.push(text),
        onTurn: () => undefined,
      },
      [{ role: 'user', content: 'go' }],
    );
    await expect(turn).rejects.toThrow('cannot be used');
    expect(told).toEqual([]);
  });
});

describe('a model of OpenAI', () => {
  it.each(['openai', 'openai-chat'])(
    '%s requires a key, and reads the address from the environment',
    async (service) => {
      vi.stubEnv('OPENAI_API_KEY', 'of-the-process');
      const { url, requests } = await scripted([{ say: 'hi' }]);
      const model = `${service}:gpt`;
      await expect(runAt(workplace(files), { model }, { input: 'go' })).rejects.toThrow('OPENAI_API_KEY');
      const environment = { OPENAI_API_KEY: 'given', OPENAI_BASE_URL: `${url}/v1` };
      expect((await runAt(workplace(files), { model, environment }, { input: 'go' })).output).toBe('hi');
      expect(requests.map(({ key }) => key)).toEqual(['Bearer given']);
      vi.unstubAllEnvs();
    },
  );

  it('sends the model its own reasoning back, and stores nothing at the service', async () => {
    const { url, requests } = await scripted(reading);
    await runAt(workplace(files), { model: `openai:m@${url}/v1` }, { input: 'go' });
    expect(requests[0]?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
  });

  it.each([
    [
      'a call with arguments that are not JSON',
      { output: [{ type: 'function_call', call_id: 'c', name: 'read_file', arguments: '{"path":' }] },
      'budget',
    ],
    [
      'an answer that was cut',
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      'cut',
    ],
    [
      'a refusal',
      { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }] },
      'refused',
    ],
    ['something unknown', { output: [{ type: 'computer_call', call_id: 'c' }] }, 'computer_call'],
    ['a failure', { status: 'failed' }, 'finished'],
  ])('%s executes nothing', async (_what, said, word) => {
    const whole = { id: 'r', object: 'response', model: 'm', status: 'completed', output: [], ...said };
    const url = await answering(200, { 'content-type': 'application/json' }, JSON.stringify(whole));
    const options = { model: `openai:m@${url}/v1`, budget: { calls: 2 } };
    const result = await runAt(workplace(files), options, { input: 'go' });
    expect([result.status, result.why]).toEqual([
      word === 'budget' ? 'stopped' : 'failed',
      expect.stringContaining(word),
    ]);
  });
});
