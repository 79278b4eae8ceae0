import { isIP } from 'node:net';
import { canonicalHost } from '../places/host.js';
import { HttpError } from './failure.js';

/** In order. Rejects for none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Uses the system's resolver, including its own table of hosts. */
export const systemResolve: Resolve = async (name) => {
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(name, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

const mostAddresses = 16;

/** Canonical and distinct. */
export async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const found = (await resolve(host)).map((address) => canonicalHost(address));
  const addresses = [...new Set(found)].filter(
    (address) => address !== null && isIP(address) !== 0,
  ) as string[];
  if (addresses.length === 0) throw new HttpError(`${host}: there is no such host`);
  return addresses.slice(0, mostAddresses);
}
