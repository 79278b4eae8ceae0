import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import {
  type CallOutcome,
  type Capability,
  type CapabilityRule,
  defaultAdmission,
  entryAuthority,
  guard,
  type JsonObject,
  type LogEvent,
  type Policy,
  plainRule,
  Run,
  resultOf,
} from '@ambit/core';
import { onTestFinished } from 'vitest';
import type { HttpOptions } from '../../src/http/http.js';
import { http } from '../../src/index.js';

/** A server on one address of this machine, with what it was asked. */
export interface Host {
  readonly port: number;
  /** `METHOD /path host` of each request. */
  readonly asked: string[];
}

export async function serve(answer: RequestListener, address = '127.0.0.1', port = 0): Promise<Host> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.host}`);
    answer(request, response);
  });
  return { port: await listen(server, address, port), asked };
}

/** A server that says what it likes, HTTP or not. */
export async function serveRaw(answer: (socket: Socket) => void): Promise<{ readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { port: await listen(server, '127.0.0.1', 0) };
}

export type Judging = Readonly<Record<string, CapabilityRule['decision'] | { readonly blockedBut: string }>>;

/** The toolset behind a guard, under one policy; connections that it does not name are permitted. */
export function fetching(judging: Judging = {}, options: HttpOptions = {}, carries: Policy['carries'] = []) {
  const events: LogEvent[] = [];
  let ids = 0;
  const run = new Run({
    policies: [{ ...policyOf(judging), carries }],
    mode: 'strict',
    approver: null,
    log: { append: async (more) => void events.push(...more) },
    context: {},
    clock: { now: () => 0, after: () => new Promise(() => undefined) },
    newId: () => `id-${++ids}`,
  });
  const toolset = guard(http(options), entryAuthority(run, 'main'));
  const call = (args: JsonObject): Promise<CallOutcome> => toolset.call({ tool: 'fetch', args });
  return {
    call,
    fetch: async (args: JsonObject) => resultOf(await call(args)) as JsonObject,
    /** What each judgement was about, in order: the names of the connections. */
    judged: () =>
      events.flatMap((event) =>
        event.event === 'decision' && event.decision !== null
          ? [event.capabilities.filter(isConnection).map(({ name, host }) => `${name} ${host as string}`)]
          : [],
      ),
    events,
    stop: () => run.stop('enough'),
  };
}

/** What a call would be described by. */
export async function describeFetch(args: JsonObject, options: HttpOptions = {}) {
  const [tool] = http(options).tools;
  const parsed = tool?.input.parse(args);
  if (tool === undefined || parsed?.ok !== true) throw new Error('these arguments do not fit');
  return tool.describe(parsed.value, { chain: ['main'], signal: new AbortController().signal });
}

export function isConnection({ name }: Capability): boolean {
  return name.startsWith('net.connect');
}

function policyOf(judging: Judging): Policy {
  const rules = Object.entries({
    'net.connect': 'pre_approved',
    'net.connect.private': 'pre_approved',
    'content.untrusted': 'pre_approved',
    ...judging,
  } as Judging);
  return {
    name: 'policy.yaml',
    default: { decision: 'needs_approval', answer: 'any' },
    rules: rules.flatMap(([name, judged]) =>
      typeof judged === 'string'
        ? [rule(name, judged, () => true)]
        : [
            rule(name, 'pre_approved', (host) => host === judged.blockedBut),
            rule(name, 'blocked', (host) => host !== judged.blockedBut),
          ],
    ),
    carries: [],
    admits: defaultAdmission,
  };
}

function rule(
  name: string,
  decision: CapabilityRule['decision'],
  holds: (host: unknown) => boolean,
): CapabilityRule {
  return {
    about: 'capability',
    name,
    below: false,
    id: `${name} ${decision}`,
    at: 'policy.yaml:1:1',
    decision,
    ...plainRule,
    condition: ({ capability }) => holds(capability.host),
  };
}

async function listen(server: Server | TcpServer, address: string, port: number): Promise<number> {
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, address, done);
  });
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
