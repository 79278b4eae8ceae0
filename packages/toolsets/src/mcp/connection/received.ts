import type { JsonObject } from '@ambit/core';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { withTexts } from './changed-number.js';

type Id = string | number;

interface Received {
  readonly message: JSONRPCMessage;
  readonly text: string;
}

/** The message in a server's text, or null. `id`: of the only request that the text can answer. */
export type Receive = (text: string, id?: Id) => Received | null;

/** Results with one of these hold data that nothing here reads as numbers. */
const data = ['content', 'structuredContent', 'contents', 'messages', 'result'];

/**
 * Takes an answer that is not a message for an error: its request would wait for another one until the time limit.
 * `isExact`: results keep their numbers for `asWritten`, because the gateway passes them on.
 */
export function receiving(
  /** Throws for a value that is not a message. */
  parse: (value: unknown) => JSONRPCMessage,
  isExact: boolean,
): Receive {
  let list: List | null = null;
  return (text, only) => {
    const again = list && listAgain(text, list);
    if (again !== null) return again;
    let value: unknown = only === undefined ? null : { jsonrpc: '2.0', id: only };
    try {
      value = JSON.parse(text);
      const message = parse(value);
      const result: object = isExact && 'result' in message ? message.result : {};
      const kept = data.some((key) => key in result) ? withTexts(text) : text;
      if (kept !== text) return { message: parse(JSON.parse(kept)), text: kept };
      list = listIn(text, message) ?? list;
      return { message, text };
    } catch {
      const { jsonrpc, method, id = only, ...rest } = Object(value) as JsonObject;
      const isAnswer = method === undefined || 'result' in rest || 'error' in rest;
      // Servers also print their logs, as JSON too.
      if (jsonrpc === undefined || !isAnswer || (typeof id !== 'string' && typeof id !== 'number'))
        return null;
      const error = { code: -32_000, message: 'its response is not an MCP message' };
      const message = { jsonrpc: '2.0', id, error } as const;
      return { message, text: JSON.stringify(message) };
    }
  };
}

/** The last list of tools: its message, and the text before and after the id. */
interface List {
  readonly message: Extract<JSONRPCMessage, { result: unknown }>;
  readonly head: string;
  readonly tail: string;
}

function listIn(text: string, message: JSONRPCMessage): List | null {
  const isList = 'result' in message && Array.isArray(message.result.tools);
  const parts = isList ? aroundId(text) : null;
  return isList && parts?.id === message.id ? { message, ...parts } : null;
}

/** The list again, under another id: a server is asked before each call, and mostly gives the same bytes. */
function listAgain(text: string, { message, head, tail }: List): Received | null {
  const parts = aroundId(text);
  const isSame = parts !== null && parts.head === head && parts.tail === tail;
  return isSame ? { message: { ...message, id: parts.id }, text } : null;
}

/** Takes a text apart at the id of its message, where servers write it; null if it is elsewhere. */
function aroundId(text: string) {
  const [begun, first] = /^\{(?:"jsonrpc":"2\.0",)?"id":(0|[1-9]\d{0,14})(?=,)/.exec(text) ?? [];
  const [ended, last] = /(?<=,"id":)(0|[1-9]\d{0,14})\}\s*$/.exec(text.slice(-50)) ?? [];
  const id = first ?? last;
  if (id === undefined) return null;
  const to = begun?.length ?? text.length - (ended ?? '').length + id.length;
  return { id: Number(id), head: text.slice(0, to - id.length), tail: text.slice(to) };
}

/** Takes the text of a stream of events apart, and writes each event with the data that `read` makes of it. */
export function eventsOf(read: (text: string) => string): TransformStream<string, string> {
  let [line, isAfterReturn] = [[] as string[], false];
  let event: string[] = [];
  return new TransformStream({
    transform(chunk, controller) {
      const [first = '', ...others] = chunk
        .slice(isAfterReturn && chunk[0] === '\n' ? 1 : 0)
        .split(/\r\n?|\n/);
      isAfterReturn = chunk.endsWith('\r');
      line.push(first);
      for (const begun of others) {
        event.push(line.join(''));
        line = [begun];
        if (event.at(-1) !== '') continue;
        controller.enqueue(event.length === 1 ? '\n' : written(event, read));
        event = [];
      }
    },
  });
}

const field = /^data(?:: ?|$)/;

function written(event: readonly string[], read: (text: string) => string): string {
  const text = event.flatMap((line) => (field.test(line) ? [line.replace(field, '')] : [])).join('\n');
  const others = event.filter((line) => line !== '' && !field.test(line));
  return [...others, `data: ${text === '' ? '' : read(text)}`, '', ''].join('\n');
}
