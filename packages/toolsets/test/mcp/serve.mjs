// A server of the Model Context Protocol without any manners of its own: the scripts of tests say what it does.
import { createInterface } from 'node:readline';

export function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** Asks the client, and returns its answer: a result, or an error. */
export function ask(method, params = {}) {
  asked += 1;
  const id = `ask-${asked}`;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

export const text = (said) => ({ content: [{ type: 'text', text: said }] });

export const tool = (name, more = {}) => ({
  name,
  description: `It is ${name}.`,
  inputSchema: { type: 'object' },
  ...more,
});

/**
 * Answers what a client asks. `tools` is a list, or is asked for the list each time with the number of the time; `call` gives
 * a result, or undefined for no answer at all.
 */
export function serve({
  tools = [],
  call = () => text('done'),
  capabilities = { tools: {} },
  onMessage = () => {},
}) {
  let times = 0;
  createInterface({ input: process.stdin }).on('line', (line) => void respond(line));

  async function respond(line) {
    const message = JSON.parse(line);
    onMessage(message);
    const { id, method, params } = message;
    if (method === undefined) return waiting.get(id)?.(message.result ?? message.error);
    if (method === 'initialize') {
      const { protocolVersion } = params;
      send({ id, result: { protocolVersion, capabilities, serverInfo: { name: 'hostile', version: '1' } } });
    } else if (method === 'tools/list') {
      times += 1;
      const list = typeof tools === 'function' ? await tools(times, params) : tools;
      if (list !== undefined) send({ id, result: Array.isArray(list) ? { tools: list } : list });
    } else if (method === 'tools/call') {
      const result = await Promise.resolve(call(params, id));
      if (result !== undefined) send({ id, result });
    } else if (method === 'server/discover') send({ id, error: { code: -32601, message: 'no' } });
  }
}

let asked = 0;
const waiting = new Map();
