import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from '@ambit/core';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { openUpstream, type UpstreamOptions } from './servers/open-upstream.js';
import { sessionOf } from './servers/session.js';
import { canAnswer, Stateless } from './stateless/stateless.js';

export interface GatewayOptions extends UpstreamOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/**
 * Stands before MCP servers on standard input and output until the client closes or `signal` ends it. What they may do is
 * judged, and recorded before it is passed on. Everything that they started ends with it. The client's first message decides
 * whether it is served by a revision with sessions.
 */
export async function runGateway(options: GatewayOptions): Promise<void> {
  const upstream = await openUpstream(options);
  const served: { end(): Promise<void> }[] = [];
  let opening: JsonObject = {};
  const clientOf: McpServerFactory = ({ era }) => {
    if (era === 'modern') {
      const client = new Stateless(upstream, { principal: 'stdio', can: canAnswer(opening) });
      served.push(client);
      return client.connected();
    }
    const session = sessionOf(upstream);
    served.push(session);
    // Of the SDK's other major version: it is connected and closed in the same way.
    return session.downstream as never;
  };
  const wire = new StdioServerTransport(options.stdin, options.stdout);
  try {
    const serving = serveStdio(clientOf, { transport: wire });
    const { onmessage: take, onclose: lost } = wire;
    wire.onmessage = (message) => {
      // What it declares there, it can do until it ends.
      if (served.length === 0) opening = message as JsonObject;
      take?.(message);
    };
    await new Promise<void>((resolve) => {
      wire.onclose = () => {
        lost?.();
        resolve();
      };
      options.stdin.once('end', resolve).once('close', resolve);
      options.stdout.once('error', resolve);
      options.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await serving.close();
  } finally {
    for (const each of served) await each.end();
    await upstream.close();
  }
}
