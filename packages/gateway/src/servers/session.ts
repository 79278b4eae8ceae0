import { printableLines } from '@ambit/core';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode, InitializeRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { ServerCapabilities } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { instructionsPin } from '../pins/compare-pins.js';
import { canElicit } from '../serve/ask.js';
import { handlerOf, serve, takesSubscriptions } from '../serve/serve.js';
import { tasksOffered } from '../serve/tasks.js';
import type { Upstream } from './open-upstream.js';

/** One client of the revisions with sessions, with the server that was started for it. */
export interface Session {
  readonly downstream: Server;
  end(): Promise<void>;
}

/** Its parameters are looked at in the handler: the SDK would answer a list of its own. */
const Initialize = InitializeRequestSchema.extend({ params: z.unknown() });

/**
 * Connects a server of the SDK to the requests for a running server. Its transport is connected afterwards.
 */
export function sessionOf(upstream: Upstream): Session {
  const downstream = new Server(
    { name: nameOf(upstream), version: '1' },
    { capabilities: capabilitiesOf(upstream), ...instructionsOf(upstream) },
  );
  // Clients of the SDK ignore the withdrawal of a question with the id 0.
  // biome-ignore lint/complexity/useLiteralKeys: the SDK's counter is private.
  downstream['_requestMessageId'] = 1;
  // biome-ignore lint/complexity/useLiteralKeys: the SDK's own handler is private.
  const begin = downstream['_oninitialize'].bind(downstream);
  downstream.setRequestHandler(Initialize, (given) => {
    // A second one would change what the client is asked.
    if (downstream.getClientCapabilities() !== undefined)
      throw new McpError(ErrorCode.InvalidRequest, 'the session has begun already');
    const request = InitializeRequestSchema.safeParse(given);
    if (request.success) return begin(request.data);
    throw new McpError(ErrorCode.InvalidParams, printableLines(z.prettifyError(request.error)));
  });
  const handler = handlerOf(upstream, () => canElicit(downstream));
  upstream.downstream = serve(downstream, handler);
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

/** The gateway's own name and version. */
export function nameOf({ routes }: Upstream): string {
  return `ambit-gateway: ${routes.servers.map(({ running }) => running.server.key).join(', ')}`;
}

/** The capabilities for the client: those of a server that the gateway passes on. */
export function capabilitiesOf({ routes }: Upstream): ServerCapabilities {
  const all = routes.servers.map(({ running }) => running.greeting.capabilities);
  const subscribe = all.some(takesSubscriptions);
  const passed: ServerCapabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true, ...(subscribe && { subscribe }) },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  };
  const known = Object.entries(passed).filter(([name]) => all.some((each) => name in each));
  return { ...Object.fromEntries(known), ...tasksOffered(all) };
}

/** The servers' instructions for the model, after they are accepted. */
export function instructionsOf({ routes }: Upstream): { readonly instructions?: string } {
  const said = routes.servers.flatMap(({ running, refused }) => {
    const { instructions } = running.greeting;
    const isAlone = routes.servers.length === 1;
    if (instructions === null || refused.has(instructionsPin)) return [];
    return [isAlone ? instructions : `The MCP server ${running.server.key} says:\n${instructions}`];
  });
  return said.length === 0 ? {} : { instructions: said.join('\n\n') };
}
