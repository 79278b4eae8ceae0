import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createdPrefix, messageOf as errorText, jsonOr } from '@ambit/core';
import * as z from 'zod';
import { type Script, type ScriptTurn, scriptedTurn } from './script-file.js';

export interface ScriptEndpoint {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The key that a client has to send. */
  readonly key: string;
  close(): Promise<void>;
}

/** Serves a script as the Messages API on loopback. `model` names the worker; the number of answers is the turn. */
export async function startScriptEndpoint(script: Script): Promise<ScriptEndpoint> {
  const key = randomBytes(24).toString('hex');
  const server = createServer((request, response) => {
    answer({ script, key }, request, response).catch((error: unknown) => {
      fail(response, [500, 'api_error', errorText(error)]);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const requestSchema = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })).min(1),
});

async function answer(
  { script, key }: { script: Script; key: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { authorization, 'x-api-key': given } = request.headers;
  if (!isKey(given, key) && !isKey(authorization, `Bearer ${key}`)) {
    return fail(response, [401, 'authentication_error', 'wrong key']);
  }
  if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/messages') {
    return fail(response, [404, 'not_found_error', 'only POST /v1/messages is here']);
  }
  const body = requestSchema.safeParse(jsonOr(await text(request), undefined));
  if (!body.success) return fail(response, [400, 'invalid_request_error', z.prettifyError(body.error)]);
  const { model, messages, stream } = body.data;
  // A creator may name a created worker without its prefix.
  const turns =
    script.get(model) ??
    (model.startsWith(createdPrefix) ? script.get(model.slice(createdPrefix.length)) : undefined);
  if (turns === undefined) {
    return fail(response, [404, 'not_found_error', `the script says nothing for the worker \`${model}\``]);
  }
  const turn = scriptedTurn(turns, {
    opening: textOf(messages[0]?.content),
    answered: messages.filter(({ role }) => role === 'assistant').length,
  });
  const message = messageOf(model, turn);
  if (stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of eventsOf(message))
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown };

function messageOf(model: string, { say, call }: ScriptTurn) {
  const content: Block[] = [
    ...(say === '' ? [] : [{ type: 'text' as const, text: say }]),
    ...call.map(({ tool, args }) => ({
      type: 'tool_use' as const,
      id: id('toolu'),
      name: tool,
      input: args,
    })),
  ];
  return {
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: call.length === 0 ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}

/** The message as a stream of events; texts and inputs come in two pieces. */
function* eventsOf(
  message: ReturnType<typeof messageOf>,
): Generator<{ type: string; [key: string]: unknown }> {
  const { content, stop_reason, stop_sequence, usage } = message;
  yield { type: 'message_start', message: { ...message, content: [], stop_reason: null } };
  for (const [index, block] of content.entries()) {
    const start = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
    yield { type: 'content_block_start', index, content_block: start };
    const whole = block.type === 'text' ? block.text : JSON.stringify(block.input);
    for (const piece of piecesOf(whole, block)) {
      const delta =
        block.type === 'text'
          ? { type: 'text_delta', text: piece }
          : { type: 'input_json_delta', partial_json: piece };
      yield { type: 'content_block_delta', index, delta };
    }
    yield { type: 'content_block_stop', index };
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason, stop_sequence },
    usage: { output_tokens: usage.output_tokens },
  };
  yield { type: 'message_stop' };
}

/** In halves; but half of `null` is unreadable, and a number ends with the next character. */
function piecesOf(whole: string, block: Block): readonly string[] {
  if (block.type === 'tool_use' && (typeof block.input !== 'object' || block.input === null))
    return [`${whole} `];
  const half = Math.ceil(whole.length / 2);
  return [whole.slice(0, half), whole.slice(half)];
}

function fail(response: ServerResponse, error: readonly [status: number, type: string, why: string]): void {
  const [status, type, message] = error;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // A retry would get the same answer.
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' })
    .end(JSON.stringify({ type: 'error', error: { type, message } }));
}

function isKey(given: string | string[] | undefined, key: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(key)];
  // In bytes: another character may take more of them.
  return one.length === other.length && timingSafeEqual(one, other);
}

const blocksSchema = z.array(z.object({ text: z.string().catch('') }));

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = blocksSchema.safeParse(content);
  return blocks.success ? blocks.data.map(({ text }) => text).join('\n') : '';
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function id(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
