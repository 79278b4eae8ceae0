import { orNull } from '@ambit/core';
import { canonicalHost } from '../places/host.js';

/** Read once: both the description and the request use it. */
export interface Target {
  readonly scheme: 'http' | 'https';
  /** Canonical: IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Without user name, password and fragment, which are not sent. */
  readonly url: string;
}

export interface ReadTarget {
  /** Null if it has no host to connect to. */
  readonly target: Target | null;
  /** For the model. */
  readonly cannot: string | null;
}

const defaultPorts = { http: 80, https: 443 } as const;

/** Reads a URL as the URL standard does: its host is the host. */
export function readTarget(text: string): ReadTarget {
  const url = orNull(() => new URL(text));
  if (url === null)
    return { target: null, cannot: 'this is not a URL: write an absolute one, https://host/path' };
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https')
    return { target: null, cannot: 'only http and https can be fetched' };
  const host = canonicalHost(url.hostname);
  if (host === null) return { target: null, cannot: 'the host of this URL is neither a name nor an address' };
  const target = targetOf(url, scheme, host);
  return { target, cannot: oddity(url, target) };
}

/** In the way that browsers compare origins. */
export function isSameOrigin(one: Target, other: Target): boolean {
  return one.scheme === other.scheme && one.host === other.host && one.port === other.port;
}

export function originOf({ scheme, host, port }: Target): string {
  const isDefault = port === defaultPorts[scheme];
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}${isDefault ? '' : `:${port}`}`;
}

function targetOf(url: URL, scheme: Target['scheme'], host: string): Target {
  const port = url.port === '' ? defaultPorts[scheme] : Number(url.port);
  const path = `${url.pathname}${url.search}`;
  const target = { scheme, host, port, path, url: '' };
  return { ...target, url: `${originOf(target)}${path}` };
}

function oddity({ username, password }: URL, { port }: Target): string | null {
  if (username !== '' || password !== '')
    return 'a URL must not hold a name or a password: what belongs to the host goes into `headers`';
  return port === 0 ? 'nothing listens on port 0' : null;
}
