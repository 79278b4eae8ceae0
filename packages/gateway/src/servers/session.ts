import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { canElicit } from '../serve/ask.js';
import { handlerOf, serve } from '../serve/serve.js';
import type { Upstream } from './open-upstream.js';

/** One client of the revisions with sessions, with the server that was started for it. */
export interface Session {
  readonly downstream: Server;
  end(): Promise<void>;
}

/** Puts a server of the SDK before a server that runs. It is connected to a transport afterwards. */
export function sessionOf(upstream: Upstream): Session {
  const { running } = upstream;
  const { key } = running.server;
  const downstream = new Server(
    { name: `ambit-gateway: ${key}`, version: '1' },
    { capabilities: capabilitiesOf(upstream) },
  );
  const handler = handlerOf(upstream, () => canElicit(downstream));
  upstream.downstream = serve(downstream, handler, key);
  return {
    downstream,
    async end() {
      try {
        await downstream.close();
        await handler.end();
      } finally {
        await upstream.close();
      }
    },
  };
}

/** What the gateway offers of what its server offers. */
export function capabilitiesOf({ running }: Upstream) {
  const offered = ['tools', 'resources', 'prompts'].filter((name) => name in running.greeting.capabilities);
  return Object.fromEntries(offered.map((name) => [name, { listChanged: true }]));
}
