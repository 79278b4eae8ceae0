import type { Capability, Json } from '@ambit/core';
import { type ConnectionFacts, hostCapabilities, isPrivateHost } from '../host.js';
import { headersProblem } from './request-headers.js';
import { readTarget, type Target } from './target.js';

export interface FetchArguments {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null, like an empty one, is none. */
  readonly body: string | null;
}

/** What a request would do, found by reading it alone. */
export interface Plan {
  readonly capabilities: readonly Capability[];
  readonly cannot: string | null;
  /** Null where it cannot be made. */
  readonly target: Target | null;
}

/** Methods that turn a connection into something else, or send back what proxies have added. */
const refusedMethods: readonly string[] = ['CONNECT', 'TRACE', 'TRACK'];

/** `addresses` are those that the name was found to have; null as long as nobody has looked. */
export function planOf(request: FetchArguments, addresses: readonly string[] | null): Plan {
  const { target, cannot } = readTarget(request.url);
  const { method } = request;
  if (target === null) return { capabilities: hostCapabilities(null, { method }), cannot, target };
  const problem = cannot ?? methodProblem(request) ?? headersProblem(request.headers);
  return {
    capabilities: [
      ...connections(target, { method }, addresses),
      { name: 'content.untrusted', source: target.url },
    ],
    cannot: problem,
    target: problem === null ? target : null,
  };
}

/** The name under which connecting to an address is judged. */
export function connectionName(address: string): string {
  return isPrivateHost(address) ? 'net.connect.private' : 'net.connect';
}

/** What an execution learnt of a name, as it is handed to the next description. */
export function learntAddresses(learnt: Json | undefined): readonly string[] | null {
  return Array.isArray(learnt) && learnt.every((address) => typeof address === 'string') ? learnt : null;
}

/** As the host is written, where that says private; and as its addresses are, once they are known. */
function connections(
  { host, port, scheme, url }: Target,
  { method }: { readonly method: string },
  addresses: readonly string[] | null,
): readonly Capability[] {
  const facts: ConnectionFacts & { readonly host: string } = { host, port, scheme, method, url };
  const written = isPrivateHost(host) || addresses === null ? [connectionName(host)] : [];
  const names = new Set([...written, ...(addresses ?? []).map(connectionName)]);
  return [...names].map((name) => ({ name, ...facts }));
}

function methodProblem({ method, body }: FetchArguments): string | null {
  if (refusedMethods.includes(method)) return `the method ${method} is not offered`;
  if (body !== null && body !== '' && (method === 'GET' || method === 'HEAD'))
    return `${method} takes no body`;
  return null;
}
