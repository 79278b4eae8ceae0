import type { Readable } from 'node:stream';
import type { buildConnector, Client } from 'undici';
import { loadOptional } from '../places/load-optional.js';
import { connectorTo, type Place } from './connector.js';
import type { HeaderList } from './request-headers.js';
import { originOf } from './target.js';
import { connectorThrough } from './tunnel.js';

export interface Exchange {
  readonly method: string;
  readonly headers: HeaderList;
  readonly body: string | null;
  readonly place: Place;
  /** Null for a direct connection. */
  readonly proxy: Place | null;
  /** Milliseconds for each step. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case; repeated headers are joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readable;
}

const mostHeaderBytes = 32_768;

/** One request over its own connection, to the given addresses only: no cookies, redirects or reuse. */
export async function exchange<T>(asked: Exchange, use: (answer: Answer) => Promise<T>): Promise<T> {
  // Loaded first, so Node's own `fetch` keeps its dispatcher: undici replaces an unset one.
  void globalThis.Headers;
  const undici = await loadOptional('undici', () => import('undici'));
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
    const answer = await client.request({
      path: target.path,
      method,
      headers: headers.flat(),
      body,
      signal,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      reset: true,
    });
    // Data in flight at the close cause a stream error that no code awaits.
    answer.body.on('error', () => undefined);
    return await use({
      status: answer.statusCode,
      headers: headersOf(answer.headers),
      body: answer.body,
    });
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
