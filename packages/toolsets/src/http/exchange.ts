import { isIPv6, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { buildConnector, Client } from 'undici';
import { canonicalHost } from '../host.js';
import { HttpError } from './failure.js';
import type { HeaderList } from './request-headers.js';
import { originOf, type Target } from './target.js';

export interface Exchange {
  readonly method: string;
  readonly headers: HeaderList;
  readonly body: string | null;
  /** The only addresses that a connection may be made to. */
  readonly addresses: readonly string[];
  /** Milliseconds for each step; the whole is bounded by `signal`. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case; a header that stands more than once, joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readable;
}

const mostHeaderBytes = 32_768;

/**
 * One request and its answer over a connection of its own, to one of the given addresses and nowhere else: no proxy, no cookies, no
 * redirect, no connection kept. What `use` returns is read before the connection is closed.
 */
export async function exchange<T>(
  target: Target,
  asked: Exchange,
  use: (answer: Answer) => Promise<T>,
): Promise<T> {
  // Loaded first, Node's own `fetch` keeps its own ways: undici puts itself in its place where it finds none.
  void globalThis.Headers;
  const undici = await import('undici');
  const { method, headers, body, timeout, signal } = asked;
  const client = new undici.Client(originOf(target), clientOptions(undici.buildConnector, target, asked));
  try {
    const {
      statusCode,
      headers: given,
      body: stream,
    } = await client.request({
      path: target.path,
      method: method as 'GET',
      headers: headers.flat(),
      body,
      signal,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      reset: true,
    });
    // What is still on its way when the connection is closed is an error of the stream that nobody waits for.
    stream.on('error', () => undefined);
    return await use({ status: statusCode, headers: headersOf(given), body: stream });
  } finally {
    await client.destroy();
  }
}

function clientOptions(
  build: typeof buildConnector,
  target: Target,
  { addresses, timeout }: Exchange,
): Client.Options {
  const connect = build({
    lookup: lookupOf(addresses),
    timeout,
    allowH2: false,
    // Whatever the environment says about certificates.
    rejectUnauthorized: true,
  } as buildConnector.BuildOptions);
  return {
    connect: onlyTo(target, addresses, connect),
    maxHeaderSize: mostHeaderBytes,
    pipelining: 1,
    allowH2: false,
  };
}

/** Connects to the target alone, and looks afterwards where the connection leads. */
function onlyTo(
  target: Target,
  addresses: readonly string[],
  connect: buildConnector.connector,
): buildConnector.connector {
  return (to, callback) => {
    if (to.hostname !== target.host || to.protocol !== `${target.scheme}:`)
      return callback(new HttpError(`${target.host}: the client would connect to another host`), null);
    connect(to, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const reached = canonicalHost(socket.remoteAddress ?? '');
      if (reached !== null && addresses.includes(reached)) return callback(null, socket);
      socket.destroy();
      callback(new HttpError(`${target.host}: the connection leads to another address`), null);
    });
  };
}

/** Answers with what was judged, whoever asks for which name. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, options, callback) => {
    const [first] = found;
    if (first === undefined) return callback(new HttpError('there is no such host'), '');
    if (options.all === true) return callback(null, found);
    callback(null, first.address, first.family);
  };
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  const entries = Object.entries(given).map(
    ([name, value]) => [name.toLowerCase(), [value].flat().join(', ')] as const,
  );
  return new Map(entries);
}
