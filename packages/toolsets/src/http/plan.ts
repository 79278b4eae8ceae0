import { type Capability, isJsonObject, type Json, ownMember } from '@ambit/core';
import { hostCapabilities, isPrivateHost } from '../places/host.js';
import { saidBy } from '../places/said-by.js';
import { headersProblem } from './request-headers.js';
import { readTarget, type Target } from './target.js';

export interface FetchArguments {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null, like an empty one, counts as absent. */
  readonly body: string | null;
}

/** Methods that change the kind of a connection, or return what proxies added. */
const refusedMethods: readonly string[] = ['CONNECT', 'TRACE', 'TRACK'];

/** Addresses by name, from an execution to the next description. */
export type Learnt = Readonly<Record<string, readonly string[]>>;

const by = 'toolset:http';

/** `learnt` is empty before the first resolution. */
export function planOf(request: FetchArguments, proxy: Target | null, learnt: Learnt) {
  const { target, cannot } = readTarget(request.url);
  const { method } = request;
  if (target === null)
    return { capabilities: saidBy(by, hostCapabilities(null, { method })), cannot, target };
  const problem = cannot ?? methodProblem(request) ?? headersProblem(request.headers);
  return {
    capabilities: saidBy(by, [
      ...connections(target, method, learnt),
      ...(proxy === null ? [] : connections(proxy, 'CONNECT', learnt)),
      { name: 'content.untrusted', source: target.url },
    ]),
    cannot: problem,
    /** Null if it cannot be made. */
    target: problem === null ? target : null,
  };
}

export function connectionName(address: string): string {
  return isPrivateHost(address) ? 'net.connect.private' : 'net.connect';
}

export function learntFrom(learnt: Json | undefined): Learnt {
  return isJsonObject(learnt) ? (learnt as Learnt) : {};
}

export function learntOf(learnt: Learnt, host: string): readonly string[] | null {
  return ownMember(learnt, host) ?? null;
}

/** Private by its spelling, or by its addresses once they are known. */
function connections(target: Target, method: string, learnt: Learnt): readonly Capability[] {
  const { host, port, scheme, url } = target;
  const addresses = learntOf(learnt, host);
  const written = isPrivateHost(host) || addresses === null ? [connectionName(host)] : [];
  const names = new Set([...written, ...(addresses ?? []).map(connectionName)]);
  return [...names].map((name) => ({ name, host, port, scheme, method, url }));
}

function methodProblem({ method, body }: FetchArguments): string | null {
  if (refusedMethods.includes(method)) return `the method ${method} is not offered`;
  if (body !== null && body !== '' && (method === 'GET' || method === 'HEAD'))
    return `${method} takes no body`;
  return null;
}
