import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

type Id = string | number | null;

/**
 * Lets a client on standard input and output have one request of an id at a time, and answers lines that are no message.
 * The SDK answers two requests under one id, and drops such lines: the client would wait until its time limit.
 */
export function holdToProtocol(wire: StdioServerTransport): void {
  const running = new Set<unknown>();
  const { onmessage: take } = wire;
  const send = wire.send.bind(wire);
  const refuse = (id: Id, message: string) => {
    // An error under the id of a running request would be taken for its answer.
    const error = { jsonrpc: '2.0', id: running.has(id) ? null : id, error: { code: -32600, message } };
    send(error as never).catch(() => undefined);
  };
  wire.send = (message) => {
    if ('id' in message && !('method' in message)) running.delete(message.id);
    return send(message);
  };
  wire.onmessage = (message) => {
    if (!('method' in message)) return take?.(message);
    if ('id' in message) {
      if (running.has(message.id)) return refuse(message.id, 'a request with this id runs already');
      running.add(message.id);
    } else if (message.method === 'notifications/cancelled') running.delete(message.params?.requestId);
    take?.(message);
  };
  // biome-ignore lint/complexity/useLiteralKeys: the SDK does not say which line it refused.
  const lines = wire['_readBuffer'] as unknown as Lines;
  const read = lines.readMessage.bind(lines);
  lines.readMessage = () => {
    const { _buffer: before = Buffer.of() } = lines;
    try {
      return read();
    } catch (error) {
      const taken = before.toString('utf8', 0, before.length - (lines._buffer?.length ?? 0));
      refuseLine(taken.trimEnd().split('\n').at(-1) ?? '', refuse);
      throw error;
    }
  };
}

interface Lines {
  readonly _buffer?: Buffer;
  readMessage: () => unknown;
}

/** Answers each request in a line that is JSON, but no message. */
function refuseLine(line: string, refuse: (id: Id, message: string) => void): void {
  const value: unknown = JSON.parse(line);
  const isBatch = Array.isArray(value);
  const ids = (isBatch ? (value as unknown[]) : [value]).map(requestId).filter((id) => id !== null);
  const why = isBatch ? 'batches are not served: send each request by itself' : notAMessage;
  // By JSON-RPC an error has no id where the message has no valid one.
  for (const id of ids.length === 0 ? [null] : ids) refuse(id, why);
}

const notAMessage = 'the line is JSON, but no message of MCP';

function requestId(value: unknown): Id {
  const { method, id } = Object(value) as { readonly method?: unknown; readonly id?: unknown };
  if (typeof method !== 'string') return null;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}
