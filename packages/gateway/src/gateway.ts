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
  const upstream = await openUpstream(options);
  const served: { end(): Promise<void> }[] = [];
  const clientOf: McpServerFactory = ({ era }) => {
    if (era === 'modern') {
      // It keeps the capabilities that its opening message declares until it ends.
      const client = new Stateless(upstream, { principal: 'stdio', can: canAnswer(wire.newest) });
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
  try {
    const serving = serveStdio(clientOf, { transport: wire });
    const { onclose: lost } = wire;
    await new Promise<void>((resolve) => {
      wire.onclose = () => {
        lost?.();
        resolve();
      };
      options.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await serving.close();
  } finally {
    for (const each of served) await each.end();
    await upstream.close();
  }
}
