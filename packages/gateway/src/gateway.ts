import { setMaxListeners } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from '@ambit/core';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { openUpstream, type UpstreamOptions } from './servers/open-upstream.js';
import { sessionOf } from './servers/session.js';
import { canAnswer, Stateless } from './stateless/stateless.js';
import { holdToProtocol } from './strict-wire.js';

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
  let isStuck = false;
  const wire = new StdioServerTransport(options.stdin, options.stdout, {
    maxBufferSize: Number.POSITIVE_INFINITY,
  });
  try {
    const serving = serveStdio(clientOf, { transport: wire });
    const { onmessage: take, onclose: lost } = wire;
    wire.onmessage = (message) => {
      // It keeps the capabilities that it declares there until it ends.
      if (served.length === 0) opening = message as JsonObject;
      take?.(message);
    };
    holdToProtocol(wire);
    // One of each answer that the client has not read.
    setMaxListeners(0, options.stdout);
    const send = wire.send.bind(wire);
    wire.send = (message) => {
      const sent = send(message);
      if (isStuck || options.stdout.writableLength <= mostUnread) return sent;
      isStuck = true;
      options.say('the client does not read its answers, so the gateway ends');
      void wire.close();
      return sent;
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

/** The most bytes of answers that a client has not read. */
const mostUnread = 64_000_000;
