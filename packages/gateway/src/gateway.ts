import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ClientTransport } from './client-transport.js';
import { openUpstream, type UpstreamOptions } from './servers/open-upstream.js';
import { sessionOf } from './servers/session.js';
import { canAnswer, Stateless } from './stateless/stateless.js';

export interface GatewayOptions extends UpstreamOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/**
 * Serves clients in front of MCP servers on standard input and output, until the client closes or `signal` ends it.
 * Calls are judged and recorded before they are forwarded. All started processes end with it. The client's first
 * message decides whether it is served with sessions.
 */
export async function runGateway(options: GatewayOptions): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const opening = openUpstream({ ...options, signal });
  const served: { end(): Promise<void> }[] = [];
  const clientOf: McpServerFactory = async ({ era }) => {
    // It keeps the capabilities that its opening message declares until it ends.
    const can = canAnswer(wire.opening ?? {});
    // If it fails, the gateway ends with the reason.
    const upstream = await opening.catch(() => new Promise<never>(() => undefined));
    if (era === 'modern') {
      const client = new Stateless(upstream, 'stdio', can);
      served.push(client);
      return client.connected();
    }
    const session = sessionOf(upstream);
    served.push(session);
    // Of the SDK's other major version: it is connected and closed in the same way.
    return session.downstream as never;
  };
  const wire = new ClientTransport(options.stdin, options.stdout, () =>
    options.say('the client does not read its answers, so the gateway ends'),
  );
  // The input is read while the servers start: a client may leave meanwhile.
  const serving = serveStdio(clientOf, { transport: wire });
  const { onclose: lost } = wire;
  wire.onclose = () => {
    lost?.();
    ending.abort();
  };
  try {
    await opening;
    wire.opened();
    if (!signal.aborted) await once(signal, 'abort');
  } catch (error) {
    // A client that has left needs no reason.
    if (!ending.signal.aborted) throw error;
  } finally {
    await serving.close();
    for (const each of served) await each.end();
    await (await opening.catch(() => null))?.close();
  }
}
