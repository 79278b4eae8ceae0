import { failureOf } from '../../http/failure.js';
import { addressesOf, type Resolve, systemResolve } from '../../http/resolve.js';
import { canonicalHost, isPrivateHost } from '../../places/host.js';
import type { McpSite } from './server-definition.js';
import type { ProcessToStart } from './server-process.js';

/** The addresses of a name, for the whole run. */
export interface Resolved {
  readonly addresses: readonly string[];
  /** Whether one of them is outside the public network. */
  readonly isPrivate: boolean;
}

/** Rejects a name without addresses. */
export async function resolveSite({ url }: McpSite, resolve: Resolve = systemResolve): Promise<Resolved> {
  const host = canonicalHost(new URL(url).hostname);
  if (host === null) throw new TypeError('no client would accept this host');
  const addresses = await addressesOf(host, resolve).catch((error: unknown) => {
    throw failureOf(error, host);
  });
  return { addresses, isPrivate: isPrivateHost(host) || addresses.some(isPrivateHost) };
}

/** Where a server is started or found. */
export interface Place {
  readonly searchPath: readonly string[];
  readonly home: string;
  /** The program to start instead, with further environment. */
  readonly started?: Pick<ProcessToStart, 'path' | 'args' | 'environment'>;
  readonly resolved: Resolved | null;
  readonly signal: AbortSignal;
}
