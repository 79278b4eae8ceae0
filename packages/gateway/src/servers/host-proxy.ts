import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Capability } from '@ambit/core';
import { canonicalHost, resolveSite } from '@ambit/toolsets';

/** A host that a confined server may connect to. */
export interface Reached {
  readonly host: string;
  /** Null for every port. */
  readonly port: number | null;
  /** Whether addresses outside the public network were permitted. */
  readonly isPrivate: boolean;
}

/** The hosts of the judged connections; null if one of them may lead to any host. */
export function reachedIn(described: readonly Capability[]): readonly Reached[] | null {
  const connections = described.filter(({ name }) => /^net\.connect(?:\.|$)/.test(name));
  const reached = connections.flatMap(({ name, host, port }) =>
    typeof host === 'string'
      ? [{ host, port: typeof port === 'number' ? port : null, isPrivate: name === 'net.connect.private' }]
      : [],
  );
  return reached.length === connections.length ? reached : null;
}

/** A proxy on a socket in the file system, which a program without a network can reach. */
export interface HostProxy {
  readonly socket: string;
  /** The password of the proxy: other programs of this user must not use it. */
  readonly secret: string;
  close(): Promise<void>;
}

class Refused extends Error {
  override readonly name = 'Refused';
}

/** Serves `CONNECT` and plain HTTP to these hosts only. `refused` is called once for each other host. */
export async function openHostProxy(
  hosts: readonly Reached[],
  refused: (host: string) => void,
): Promise<HostProxy> {
  const folder = await mkdtemp('/var/tmp/ambit-');
  const secret = randomBytes(24).toString('hex');
  const reach = connecting(secret, hosts, refused);
  const sockets = new Set<Duplex>();
  const keep = (socket: Duplex) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  };
  const server = createServer((request, response) => {
    const target = urlIn(request.url ?? '');
    if (target === null || target.protocol !== 'http:') return void response.writeHead(400).end();
    reach(request, target).then(
      (socket) => {
        keep(socket);
        forward(request, response, { target, socket });
      },
      (error: unknown) => response.writeHead(statusOf(error)).end(),
    );
  });
  server.on('connection', keep);
  server.maxConnections = mostConnections;
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = urlIn(`https://${request.url ?? ''}`);
    const refusal = (status: number) => client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    if (target === null) return void refusal(400);
    reach(request, target).then(
      (socket) => {
        keep(socket);
        client.write('HTTP/1.1 200 Connected\r\n\r\n');
        socket.write(head);
        client.pipe(socket).pipe(client);
        client.once('close', () => socket.destroy());
      },
      (error: unknown) => refusal(statusOf(error)),
    );
  });
  const socket = `${folder}/proxy`;
  const close = async () => {
    server.close();
    for (const each of sockets) each.destroy();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(socket, resolve);
    });
    await chmod(socket, 0o600);
  } catch (error) {
    await close();
    throw error;
  }
  return { socket, secret, close };
}

const mostTold = 20;
const mostConnections = 500;

/** Connects for requests that know the secret. */
function connecting(secret: string, hosts: readonly Reached[], refused: (host: string) => void) {
  const expected = Buffer.from(`Basic ${Buffer.from(`ambit:${secret}`).toString('base64')}`);
  const told = new Set<string>();
  return async (request: IncomingMessage, target: URL): Promise<Socket> => {
    const given = Buffer.from(request.headers['proxy-authorization'] ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Refused();
    try {
      return await connected(target, hosts);
    } catch (error) {
      const isNew = error instanceof Refused && told.size < mostTold && !told.has(target.hostname);
      if (isNew) refused(target.hostname);
      if (isNew) told.add(target.hostname);
      throw error;
    }
  };
}

/** Passes a plain HTTP request on over the socket, and its answer back. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { target, socket }: { readonly target: URL; readonly socket: Socket },
): void {
  const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers;
  const own = { ...headers, host: target.host };
  const path = `${target.pathname}${target.search}`;
  const { method } = request;
  const passed = send({ method, path, headers: own, createConnection: () => socket }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  response.once('close', () => socket.destroy());
  request.pipe(passed);
}

function statusOf(error: unknown): number {
  return error instanceof Refused ? 403 : 502;
}

function urlIn(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** A connection to a current address of the host. A name with a private address is refused. */
async function connected(target: URL, hosts: readonly Reached[]): Promise<Socket> {
  const host = canonicalHost(target.hostname);
  const port = Number(target.port || (target.protocol === 'http:' ? 80 : 443));
  const mayReach = hosts.filter((each) => each.host === host && (each.port ?? port) === port);
  if (host === null || mayReach.length === 0) throw new Refused();
  const { addresses, isPrivate } = await resolveSite({ transport: 'http', url: target.href, headers: {} });
  if (isPrivate && !mayReach.some((each) => each.isPrivate)) throw new Refused();
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connect({
    host,
    port,
    autoSelectFamily: true,
    lookup: (_, __, done) => done(null, found),
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

/** Runs a program that finds the proxy on loopback, in its variables. It is started inside the isolation. */
const script = `
const { connect, createServer } = require('node:net');
const [socket, secret, program, ...args] = process.argv.slice(1);
const server = createServer((client) => {
  const proxy = connect(socket);
  client.on('error', () => proxy.destroy()).on('close', () => proxy.destroy());
  proxy.on('error', () => client.destroy()).on('close', () => client.destroy());
  client.pipe(proxy).pipe(client);
});
server.listen(0, '127.0.0.1', () => {
  const url = 'http://ambit:' + secret + '@127.0.0.1:' + server.address().port;
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1' };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) env[name] = env[name.toLowerCase()] = url;
  env.NO_PROXY = env.no_proxy = 'localhost,127.0.0.1,::1';
  const child = require('node:child_process').spawn(program, args, { stdio: 'inherit', env });
  child.on('error', (error) => { console.error(error.message); process.exit(1); });
  child.on('exit', (code) => process.exit(code ?? 1));
});
`;

/** The words of a command that runs another one with the proxy. */
export function throughProxy({ socket, secret }: HostProxy, words: readonly string[]): readonly string[] {
  return [process.execPath, '-e', script, '--', socket, secret, ...words];
}
