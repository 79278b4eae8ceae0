import { failureOf } from '../../http/failure.js';
import { addressesOf, type Resolve, systemResolve } from '../../http/resolve.js';
import { canonicalHost, isPrivateHost } from '../../places/host.js';
import type { McpSite } from './server-definition.js';

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
