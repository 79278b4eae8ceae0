import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { buildConnector, Client } from 'undici';
import { connectionOptions, connectorTo, isTo, type Place } from './connector.js';
import { failureOf, HttpError } from './failure.js';
import { originOf } from './target.js';

type Undici = typeof import('undici');

/** Connects through a proxy, by judged addresses only. `opened` receives what must be closed. */
export function connectorThrough(
  { place, proxy }: { readonly place: Place; readonly proxy: Place },
  {
    undici,
    timeout,
    opened,
  }: { readonly undici: Undici; readonly timeout: number; readonly opened: (client: Client) => void },
): buildConnector.connector {
  const { target } = place;
  const secure = undici.buildConnector(connectionOptions(timeout));
  return (to, callback) => {
    if (!isTo(target, to))
      return callback(new HttpError(`${target.host}: the client would connect to another host`), null);
    const client = new undici.Client(originOf(proxy.target), {
      connect: connectorTo(proxy, undici.buildConnector, timeout),
      headersTimeout: timeout,
    });
    opened(client);
    void handOver(() => tunnel(client, place), {
      socket: (socket) => {
        if (target.scheme === 'http') callback(null, socket);
        else secure({ ...to, httpSocket: socket }, callback);
      },
      error: (error) => callback(failureOf(error, `the proxy ${proxy.target.host}`), null),
    });
  };
}

async function handOver(
  open: () => Promise<Duplex>,
  to: { readonly socket: (socket: Socket) => void; readonly error: (error: unknown) => void },
): Promise<void> {
  let socket: Duplex;
  try {
    socket = await open();
  } catch (error) {
    return to.error(error);
  }
  to.socket(socket as Socket);
}

async function tunnel(client: Client, { target, addresses }: Place): Promise<Duplex> {
  let status = 0;
  for (const address of addresses) {
    const path = `${address.includes(':') ? `[${address}]` : address}:${target.port}`;
    const { statusCode, socket } = await client.connect({ path, headers: { host: path } });
    if (statusCode === 200) return socket;
    status = statusCode;
    socket.destroy();
  }
  throw new HttpError(`the proxy does not connect to ${target.host} (${status})`);
}
