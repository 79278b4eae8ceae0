import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { changedNumber, unkept } from './http/changed-number.js';

type Id = string | number | null;

/**
 * Lets a client on standard input and output have one request of an id at a time, and answers lines that it does not
 * take.
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
  skipLongLines(lines, refuse);
  const read = lines.readMessage.bind(lines);
  lines.readMessage = () => {
    const { _buffer: before = Buffer.of() } = lines;
    const line = () => {
      const taken = before.toString('utf8', 0, before.length - (lines._buffer?.length ?? 0));
      return taken.trimEnd().split('\n').at(-1) ?? '';
    };
    try {
      const message = read();
      const number = message === null ? null : changedNumber(line());
      if (message === null || number === null) return message;
      if ('method' in message) throw new TypeError('a number would change');
      // The question would wait for another answer until its time limit.
      return { jsonrpc: '2.0', id: message.id, error: { code: -32600, message: unkept(number) } };
    } catch (error) {
      refuseLine(line(), refuse);
      throw error;
    }
  };
}

interface Lines {
  readonly _buffer?: Buffer;
  append: (chunk: Buffer) => void;
  readMessage: () => { readonly id?: unknown } | null;
  clear: () => void;
}

/** Bytes. The SDK would end the connection at such a line. */
export const longestLine = 10_000_000;
/** The id in the beginning or the end of a message, where clients write it. */
const idAtEdge = /^\s*\{"jsonrpc":"2\.0","id":(\d{1,15}|"[\w-]+"),|,"id":(\d{1,15}|"[\w-]+")\}\s*$/;

/** Refuses lines that are too long, and reads on after them. */
function skipLongLines(lines: Lines, refuse: (id: Id, message: string) => void): void {
  const append = lines.append.bind(lines);
  let [isSkipping, head, tail] = [false, '', ''];
  lines.append = (chunk) => {
    const { _buffer: begun = Buffer.of() } = lines;
    const end = chunk.indexOf(10);
    const part = end === -1 ? chunk : chunk.subarray(0, end);
    if (!isSkipping && begun.length + part.length <= longestLine) return append(chunk);
    if (!isSkipping) head = Buffer.concat([begun, part]).toString('latin1', 0, 200);
    isSkipping = true;
    tail = `${tail}${part.subarray(-200).toString('latin1')}`.slice(-200);
    lines.clear();
    if (end === -1) return;
    const [, first, last = first] = idAtEdge.exec(`${head}\n${tail}`) ?? [];
    refuse(last === undefined ? null : JSON.parse(last), `a line has at most ${longestLine} bytes`);
    [isSkipping, head, tail] = [false, '', ''];
    append(chunk.subarray(end + 1));
  };
}

/** Answers each request in a line that is JSON, but no message. */
function refuseLine(line: string, refuse: (id: Id, message: string) => void): void {
  const value: unknown = JSON.parse(line);
  const isBatch = Array.isArray(value);
  const ids = (isBatch ? (value as unknown[]) : [value]).map(requestId).filter((id) => id !== null);
  const number = changedNumber(line);
  const why = isBatch
    ? 'batches are not served: send each request by itself'
    : number === null
      ? 'the line is JSON, but no message of MCP'
      : unkept(number);
  // By JSON-RPC an error has no id where the message has no valid one.
  for (const id of ids.length === 0 ? [null] : ids) refuse(id, why);
}

function requestId(value: unknown): Id {
  const { method, id } = Object(value) as { readonly method?: unknown; readonly id?: unknown };
  if (typeof method !== 'string') return null;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}
