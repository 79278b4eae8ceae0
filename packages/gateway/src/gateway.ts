import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { openUpstream, type UpstreamOptions } from './servers/open-upstream.js';
import { sessionOf } from './servers/session.js';

export interface GatewayOptions extends UpstreamOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/**
 * Stands before MCP servers on standard input and output until the client closes or `signal` ends it. What they may do is
 * judged, and recorded before it is passed on. Everything that they started ends with it.
 */
export async function runGateway(options: GatewayOptions): Promise<void> {
  const session = sessionOf(await openUpstream(options));
  const { downstream } = session;
  const ended = new Promise<void>((resolve) => {
    downstream.onclose = resolve;
    options.stdin.once('end', resolve).once('close', resolve);
    options.stdout.once('error', resolve);
    options.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await downstream.connect(new StdioServerTransport(options.stdin, options.stdout));
    await ended;
  } finally {
    await session.end();
  }
}
