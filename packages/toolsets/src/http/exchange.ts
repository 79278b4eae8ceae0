import type { Readable } from 'node:stream';
import type { buildConnector, Client } from 'undici';
import { connectorTo, type Place } from './connector.js';
import type { HeaderList } from './request-headers.js';
import { originOf } from './target.js';
import { connectorThrough } from './tunnel.js';

export interface Exchange {
  readonly method: string;
  readonly headers: HeaderList;
  readonly body: string | null;
  /** Where it goes. */
  readonly place: Place;
  /** What it goes through; null where it goes there directly. */
  readonly proxy: Place | null;
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
 * One request and its answer over a connection of its own, to one of the given addresses and nowhere else: no cookies, no
 * redirect, no connection kept, and no proxy but the one that is given. What `use` returns is read before the connection is closed.
 */
export async function exchange<T>(asked: Exchange, use: (answer: Answer) => Promise<T>): Promise<T> {
  // Loaded first, Node's own `fetch` keeps its own ways: undici puts itself in its place where it finds none.
  void globalThis.Headers;
  const undici = await import('undici');
  const { method, headers, body, place, timeout, signal } = asked;
  const { target } = place;
  const opened: Client[] = [];
  const client = new undici.Client(originOf(target), {
    connect: connectorFor(undici, asked, (proxy) => opened.push(proxy)),
    maxHeaderSize: mostHeaderBytes,
    pipelining: 1,
    allowH2: false,
  });
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
    await Promise.all([client, ...opened].map((each) => each.destroy()));
  }
}

function connectorFor(
  undici: typeof import('undici'),
  { place, proxy, timeout }: Exchange,
  opened: (client: Client) => void,
): buildConnector.connector {
  if (proxy === null) return connectorTo(place, undici.buildConnector, timeout);
  return connectorThrough({ place, proxy }, { undici, timeout, opened });
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  const entries = Object.entries(given).map(
    ([name, value]) => [name.toLowerCase(), [value].flat().join(', ')] as const,
  );
  return new Map(entries);
}
