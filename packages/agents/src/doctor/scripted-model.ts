import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { isJsonObject, type Json, type JsonObject, objectOf } from '@ambit/core';

/** The only call of the model: it uses the first of these tools that the client offers. */
export interface ScriptedCall {
  readonly tools: readonly string[];
  readonly args: JsonObject;
  /** Its id in the client's transcript. */
  readonly id: string;
}

/**
 * A model on loopback. It answers the first question with one tool call, and every other question with
 * `done`.
 */
export interface ScriptedModel {
  readonly url: string;
  /** The events so far. `results`: the texts that the model received about its call. */
  seen(): { readonly requests: number; readonly called: boolean; readonly results: readonly string[] };
  close(): Promise<void>;
}

/** An answer of the model: a text, or its call. */
type Turn =
  | { readonly text: string }
  | { readonly tool: string; readonly args: JsonObject; readonly id: string };

/**
 * The interface of one provider: which requests belong to it, their content, and the format of its answers.
 */
interface Dialect {
  readonly takes: (path: string) => boolean;
  readonly offered: (body: JsonObject) => readonly string[];
  readonly results: (body: JsonObject) => readonly Json[];
  readonly write: (turn: Turn, to: { readonly body: JsonObject; readonly path: string }) => Reply;
}

/** JSON, or a stream of events. */
type Reply = { readonly json: JsonObject } | { readonly events: readonly string[] };

/** Starts the model on a free port of loopback. */
export async function startScriptedModel({ tools, args, id }: ScriptedCall): Promise<ScriptedModel> {
  const seen = { requests: 0, called: false, results: [] as string[] };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    const body = await bodyOf(request);
    const dialect = dialects.find((each) => each.takes(path));
    if (request.method !== 'POST' || dialect === undefined || body === null) {
      send(response, 404, { error: { message: 'the scripted model does not have this', code: 404 } });
      return;
    }
    seen.requests += 1;
    const results = dialect
      .results(body)
      .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
    if (results.length > 0) seen.results = results;
    const offered = new Set(dialect.offered(body));
    const tool = tools.find((each) => offered.has(each));
    const turn: Turn = tool === undefined || results.length > 0 ? { text: 'done' } : { tool, args, id };
    if ('tool' in turn) seen.called = true;
    const reply = dialect.write(turn, { body, path: request.url ?? path });
    if ('json' in reply) return send(response, 200, reply.json);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(reply.events.join(''));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen: () => seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listIn = (of: unknown, key: string): readonly JsonObject[] => {
  const value = objectOf(of)[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
};
const textsIn = (list: readonly JsonObject[], key: string): readonly string[] =>
  list.map((each) => each[key]).filter((each) => typeof each === 'string');

const anthropic: Dialect = {
  takes: (path) => /\/messages\/?$/.test(path),
  offered: (body) => textsIn(listIn(body, 'tools'), 'name'),
  results: (body) =>
    listIn(body, 'messages')
      .flatMap((message) => listIn(message, 'content'))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => content ?? ''),
  write: (turn, { body }) => {
    const block =
      'tool' in turn
        ? { type: 'tool_use', id: turn.id, name: turn.tool, input: turn.args }
        : { type: 'text', text: turn.text };
    const stop_reason = 'tool' in turn ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = {
      id: 'msg_ambit',
      type: 'message',
      role: 'assistant',
      model: body.model ?? 'scripted',
      usage,
    };
    if (body.stream !== true)
      return { json: { ...message, content: [block], stop_reason, stop_sequence: null } };
    const [empty, delta] =
      'tool' in turn
        ? [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(turn.args) },
          ]
        : [
            { ...block, text: '' },
            { type: 'text_delta', text: turn.text },
          ];
    return {
      events: [
        {
          type: 'message_start',
          message: { ...message, content: [], stop_reason: null, stop_sequence: null },
        },
        { type: 'content_block_start', index: 0, content_block: empty },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
        { type: 'message_stop' },
      ].map(typed),
    };
  },
};

const responses: Dialect = {
  takes: (path) => /\/responses\/?$/.test(path),
  offered: (body) => textsIn(listIn(body, 'tools'), 'name'),
  results: (body) =>
    listIn(body, 'input')
      .filter(({ type }) => type === 'function_call_output' || type === 'custom_tool_call_output')
      .map(({ output }) => output ?? ''),
  write: (turn, { body }) => {
    const item =
      'tool' in turn
        ? {
            type: 'function_call',
            id: 'fc_ambit',
            call_id: turn.id,
            name: turn.tool,
            arguments: JSON.stringify(turn.args),
          }
        : {
            type: 'message',
            id: 'msg_ambit',
            role: 'assistant',
            content: [{ type: 'output_text', text: turn.text, annotations: [] }],
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const base = { id: 'resp_ambit', object: 'response', created_at: 1, model: body.model ?? 'scripted' };
    const done = { ...base, status: 'completed', output: [{ ...item, status: 'completed' }], usage };
    if (body.stream !== true) return { json: done };
    const begun = { ...base, status: 'in_progress', output: [] };
    return {
      events: [
        { type: 'response.created', sequence_number: 0, response: begun },
        { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item },
        {
          type: 'response.output_item.done',
          sequence_number: 2,
          output_index: 0,
          item: done.output[0] ?? item,
        },
        { type: 'response.completed', sequence_number: 3, response: done },
      ].map(typed),
    };
  },
};

const completions: Dialect = {
  takes: (path) => /\/chat\/completions\/?$/.test(path),
  offered: (body) =>
    textsIn(
      listIn(body, 'tools').flatMap((tool) => (isJsonObject(tool.function) ? [tool.function] : [])),
      'name',
    ),
  results: (body) =>
    listIn(body, 'messages')
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content ?? ''),
  write: (turn, { body }) => {
    const calls =
      'tool' in turn
        ? [
            {
              id: turn.id,
              type: 'function',
              function: { name: turn.tool, arguments: JSON.stringify(turn.args) },
            },
          ]
        : [];
    const content = 'tool' in turn ? null : turn.text;
    const finish_reason = 'tool' in turn ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const base = { id: 'chatcmpl-ambit', created: 1, model: body.model ?? 'scripted' };
    const message = { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    if (body.stream !== true)
      return {
        json: { ...base, object: 'chat.completion', choices: [{ index: 0, finish_reason, message }], usage },
      };
    const chunk = (choices: readonly JsonObject[], more: JsonObject = {}) =>
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
    const delta = {
      ...message,
      ...(calls.length > 0 ? { tool_calls: calls.map((call) => ({ index: 0, ...call })) } : {}),
    };
    return {
      events: [
        chunk([{ index: 0, delta, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason }]),
        chunk([], { usage }),
        'data: [DONE]\n\n',
      ],
    };
  },
};

const gemini: Dialect = {
  takes: (path) => /\/models\/[^/]+:\w+$/.test(path),
  offered: (body) =>
    textsIn(
      listIn(body, 'tools').flatMap((tool) => listIn(tool, 'functionDeclarations')),
      'name',
    ),
  results: (body) =>
    listIn(body, 'contents')
      .flatMap((content) => listIn(content, 'parts'))
      .flatMap(({ functionResponse: of }) => (isJsonObject(of) ? [of.response ?? ''] : [])),
  write: (turn, { path }) => {
    if (path.includes(':countTokens')) return { json: { totalTokens: 1 } };
    const part =
      'tool' in turn
        ? { functionCall: { id: turn.id, name: turn.tool, args: turn.args } }
        : { text: turn.text };
    const json = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'scripted',
      responseId: 'ambit',
    };
    return path.includes(':streamGenerateContent')
      ? { events: [`data: ${JSON.stringify(json)}\r\n\r\n`] }
      : { json };
  },
};

const dialects: readonly Dialect[] = [anthropic, responses, completions, gemini];

function typed(event: JsonObject & { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Null if the text is not a JSON object. */
async function bodyOf(request: IncomingMessage): Promise<JsonObject | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  try {
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const value: unknown = JSON.parse(text.toString('utf8'));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
