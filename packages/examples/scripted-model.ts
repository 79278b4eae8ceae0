import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer of a scripted model. */
export interface ScriptedTurn {
  readonly say?: string;
  /** An input as text is sent as it is. */
  readonly calls?: readonly {
    readonly name: string;
    readonly input: object | string;
    readonly id?: string;
  }[];
}

export interface ScriptedModel {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The bodies of all requests, with their paths. */
  readonly requests: {
    readonly path: string;
    readonly key: string;
    readonly body: Record<string, unknown>;
  }[];
  close(): Promise<void>;
}

/**
 * A model endpoint on the loopback interface that gives one of these answers for each request: `/v1/messages` in Anthropic's
 * form, `/v1/responses` and `/v1/chat/completions` in OpenAI's, whole or as a stream. So the examples need no account.
 */
export async function startScriptedModel(turns: readonly ScriptedTurn[]): Promise<ScriptedModel> {
  const requests: ScriptedModel['requests'] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const form = Object.hasOwn(forms, path) ? forms[path] : undefined;
      if (form === undefined) return response.writeHead(404).end('{}');
      const body = JSON.parse(text) as Record<string, unknown>;
      const { authorization = '', 'x-api-key': key = authorization } = request.headers;
      const number = requests.push({ path, key: String(key), body });
      const events = form(withIds(turns[number - 1] ?? { say: 'done' }, number));
      if (body.stream !== true) {
        const whole = JSON.stringify(events.at(-1)?.whole);
        return response.writeHead(200, { 'content-type': 'application/json' }).end(whole);
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const { name, data } of events)
        response.write(`${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
      return response.end(path === '/v1/chat/completions' ? 'data: [DONE]\n\n' : '');
    });
  });
  // A failing program ends without waiting for its model.
  server.unref().on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly say: string;
  readonly calls: readonly { readonly name: string; readonly input: object | string; readonly id: string }[];
}

/** An event of a stream; the last one also has the whole answer. */
interface Event {
  readonly name: string | null;
  readonly data: object;
  readonly whole?: object;
}

function withIds({ say = '', calls = [] }: ScriptedTurn, number: number): Answer {
  return {
    say,
    calls: calls.map((call, index) => ({ ...call, id: call.id ?? `call_${number}_${index}_000` })),
  };
}

const forms: Readonly<Record<string, (answer: Answer) => readonly Event[]>> = {
  '/v1/messages': ofMessages,
  '/v1/responses': ofResponses,
  '/v1/chat/completions': ofChat,
};

function ofMessages({ say, calls }: Answer): readonly Event[] {
  const content = [
    ...(say === '' ? [] : [{ type: 'text', text: say }]),
    ...calls.map(({ name, input, id }) => ({ type: 'tool_use', id, name, input })),
  ];
  const end = { stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const whole = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content,
    ...end,
    usage,
  };
  const events = [
    { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptied(block) },
      { type: 'content_block_delta', index, delta: deltaOf(block) },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: end, usage },
    { type: 'message_stop' },
  ];
  return events.map((data) => ({ name: data.type, data, whole }));
}

type Block =
  | { readonly type: string; readonly text: string }
  | { readonly type: string; readonly id: string; readonly name: string; readonly input: object | string };

const textOf = (input: object | string) => (typeof input === 'string' ? input : JSON.stringify(input));

/** A stream begins a block without its content. */
function emptied(block: Block): object {
  return 'text' in block ? { ...block, text: '' } : { ...block, input: {} };
}

function deltaOf(block: Block): object {
  return 'text' in block
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: textOf(block.input) };
}

function ofResponses({ say, calls }: Answer): readonly Event[] {
  const part = { type: 'output_text', text: say, annotations: [], logprobs: [] };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] };
  const output = [
    ...(say === '' ? [] : [message]),
    ...calls.map(({ name, input, id }) => ({
      id: `fc_${id}`,
      type: 'function_call',
      status: 'completed',
      call_id: id,
      name,
      arguments: textOf(input),
    })),
  ];
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    total_tokens: 15,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const whole = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'scripted',
    status: 'completed',
    output,
    usage,
  };
  const deltas = say === '' ? [] : [{ type: 'response.output_text.delta', item_id: 'msg_1', delta: say }];
  const all = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
    ...deltas,
    { type: 'response.completed', response: whole },
  ];
  return all.map((data, sequence_number) => ({ name: data.type, data: { ...data, sequence_number }, whole }));
}

function ofChat({ say, calls }: Answer): readonly Event[] {
  const tool_calls = calls.map(({ name, input, id }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: textOf(input) },
  }));
  const message = { role: 'assistant', content: say, ...(calls.length === 0 ? {} : { tool_calls }) };
  const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls';
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const base = { id: 'chat_1', created: 1, model: 'scripted' };
  const whole = {
    ...base,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason }],
    usage,
  };
  const chunk = { ...base, object: 'chat.completion.chunk' };
  return [
    { name: null, data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
    { name: null, data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] } },
    { name: null, data: { ...chunk, choices: [], usage }, whole },
  ];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
