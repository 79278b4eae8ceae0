import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '@ambit/core';
import { onTestFinished } from 'vitest';
import type { Options } from '../session.js';

/** A request to the Messages endpoint, as far as tests read it. */
export interface Asked {
  readonly model: string;
  readonly system?: string;
  readonly tools: readonly { readonly name: string; readonly type?: string }[];
  readonly messages: readonly { readonly role: string; readonly content: readonly JsonObject[] }[];
}

export interface Turn {
  readonly content: readonly JsonObject[];
  readonly stop?: string;
}

export const say = (text: string): Turn => ({ content: [{ type: 'text', text }] });
export const use = (...list: readonly (readonly [name: string, input: Json])[]): Turn => ({
  content: list.map(([name, input], index) => ({
    type: 'tool_use',
    id: `toolu_${name}_${index}`,
    name,
    input,
  })),
  stop: 'tool_use',
});

/** A Messages endpoint that answers with these turns, one a request, or as the test says. */
export async function endpoint(answers: readonly (Turn | ((response: ServerResponse) => void))[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      asked.push(JSON.parse(body) as Asked);
      const answer = answers[asked.length - 1] ?? say('done');
      if (typeof answer === 'function') answer(response);
      else stream(response, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const environment = {
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const options: Options = { model: 'anthropic:a-model', environment };
  return { asked, options };
}

function stream(response: ServerResponse, { content, stop = 'end_turn' }: Turn): void {
  const send = (type: string, data: JsonObject) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const usage = { input_tokens: 10, output_tokens: 1 };
  send('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
  content.forEach((block, index) => {
    const isText = block.type === 'text';
    const isUse = block.type === 'tool_use' || block.type === 'server_tool_use';
    const begun = isText ? { ...block, text: '' } : isUse ? { ...block, input: {} } : block;
    send('content_block_start', { index, content_block: begun });
    if (isText || isUse)
      send('content_block_delta', {
        index,
        delta: isText
          ? { type: 'text_delta', text: block.text ?? '' }
          : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      });
    send('content_block_stop', { index });
  });
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } });
  send('message_stop', {});
  response.end();
}
