import { isJsonObject } from '@ambit/core';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { instructionsPin } from '../pins/compare-pins.js';
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
    { capabilities: capabilitiesOf(upstream), ...instructionsOf(upstream) },
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

interface Offered {
  readonly tools?: { readonly listChanged: true };
  readonly resources?: { readonly listChanged: true; readonly subscribe?: true };
  readonly prompts?: { readonly listChanged: true };
  readonly completions?: Record<string, never>;
  readonly logging?: Record<string, never>;
}

/** What the client may use: what the server has, as far as the gateway passes it on. */
export function capabilitiesOf({ running }: Upstream): Offered {
  const { capabilities } = running.greeting;
  const { resources = null } = capabilities;
  const subscribe = isJsonObject(resources) && resources.subscribe === true;
  const all: Offered = {
    tools: { listChanged: true },
    resources: { listChanged: true, ...(subscribe && { subscribe }) },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in capabilities));
}

/** What the server tells the model of itself, once it is accepted. */
export function instructionsOf({ running, refused }: Upstream): { readonly instructions?: string } {
  const { instructions } = running.greeting;
  return instructions === null || refused.has(instructionsPin) ? {} : { instructions };
}
