import type { Socket } from 'node:net';
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
    const use = (socket: Socket) => {
      if (target.scheme === 'http') callback(null, socket);
      else secure({ ...to, httpSocket: socket }, callback);
    };
    const fail = (error: unknown) => callback(failureOf(error, `the proxy ${proxy.target.host}`), null);
    void tunnel(client, place).then(use, fail);
  };
}

async function tunnel(client: Client, { target, addresses }: Place): Promise<Socket> {
  let status = 0;
  for (const address of addresses) {
    const path = `${address.includes(':') ? `[${address}]` : address}:${target.port}`;
    const { statusCode, socket } = await client.connect({ path, headers: { host: path } });
    if (statusCode === 200) return socket as Socket;
    status = statusCode;
    socket.destroy();
  }
  throw new HttpError(`the proxy does not connect to ${target.host} (${status})`);
}
