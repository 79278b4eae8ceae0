import { isIPv6, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { canonicalHost } from '../places/host.js';
import { HttpError } from './failure.js';
import type { Target } from './target.js';

/** A host, and the only addresses that a connection to it may be made to. */
export interface Place {
  readonly target: Target;
  readonly addresses: readonly string[];
}

/** Checks where the connection leads before anything is sent. */
export function connectorTo(
  { target, addresses }: Place,
  build: typeof buildConnector,
  timeout: number,
): buildConnector.connector {
  const connect = build({ lookup: lookupOf(addresses), ...connectionOptions(timeout) });
  return (to, callback) => {
    if (!isTo(target, to))
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

/** Certificates are checked, whatever the environment says. */
export function connectionOptions(timeout: number): buildConnector.BuildOptions {
  return { timeout, allowH2: false, rejectUnauthorized: true };
}

export function isTo(target: Target, to: buildConnector.Options): boolean {
  return to.hostname === target.host && to.protocol === `${target.scheme}:`;
}

/** Gives these addresses, whatever the name. */
export function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, options, callback) => {
    const [first] = found;
    if (first === undefined) return callback(new HttpError('there is no such host'), '');
    if (options.all === true) return callback(null, found);
    callback(null, first.address, first.family);
  };
}
