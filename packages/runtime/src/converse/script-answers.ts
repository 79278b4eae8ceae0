import { randomBytes } from 'node:crypto';
import { createdPrefix, jsonOr } from '@ambit/core';
import * as z from 'zod';
import { type Script, type ScriptTurn, scriptedTurn } from './script-file.js';

/** The address that the client of a script is given. Nothing is sent there. */
export const scriptUrl = 'http://127.0.0.1';

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })).min(1),
});

/**
 * Answers Messages requests from a script, in this process and not streamed. `model` names the worker; the number of
 * answers is the turn.
 */
export function scriptFetch(script: Script): typeof fetch {
  return async (_url, init) => {
    const given = typeof init?.body === 'string' ? init.body : '';
    const body = requestSchema.safeParse(jsonOr(given, undefined));
    if (!body.success) return failed(400, z.prettifyError(body.error));
    const { model, messages } = body.data;
    // A creator may name a created worker without its prefix.
    const turns =
      script.get(model) ??
      (model.startsWith(createdPrefix) ? script.get(model.slice(createdPrefix.length)) : undefined);
    if (turns === undefined) return failed(404, `the script says nothing for the worker \`${model}\``);
    const turn = scriptedTurn(turns, {
      opening: textOf(messages[0]?.content),
      answered: messages.filter(({ role }) => role === 'assistant').length,
    });
    return Response.json(messageOf(model, turn));
  };
}

/** The client would get the same answer again, so it must not retry. */
function failed(status: number, message: string): Response {
  const headers = { 'x-should-retry': 'false' };
  return Response.json({ type: 'error', error: { type: 'api_error', message } }, { status, headers });
}

function messageOf(model: string, { say, call }: ScriptTurn) {
  return {
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(say === '' ? [] : [{ type: 'text', text: say }]),
      ...call.map(({ tool, args }) => ({ type: 'tool_use', id: id('toolu'), name: tool, input: args })),
    ],
    stop_reason: call.length === 0 ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}

const blocksSchema = z.array(z.object({ text: z.string().catch('') }));

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = blocksSchema.safeParse(content);
  return blocks.success ? blocks.data.map(({ text }) => text).join('\n') : '';
}

function id(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
