import { lookup } from 'node:dns/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { canonicalHost, isPrivateHost } from '../host.js';
import type { McpSite } from './server-definition.js';

/** Where a name leads, once and for the whole run. */
export interface Resolved {
  readonly addresses: readonly { readonly address: string; readonly family: number }[];
  /** Whether one of them is no part of the public network. */
  readonly isPrivate: boolean;
}

export async function resolveSite({ url }: McpSite): Promise<Resolved> {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = await lookup(host, { all: true });
  return {
    addresses,
    isPrivate: addresses.some(({ address }) => {
      const canonical = canonicalHost(address);
      return canonical === null || isPrivateHost(canonical);
    }),
  };
}

/** The SDK's transport over HTTP, held to the addresses that were judged, to its own origin, and to a size. No proxy. */
export async function webTransport(
  site: McpSite,
  { addresses }: Resolved,
): Promise<{ readonly transport: Transport; readonly end: () => Promise<void> }> {
  const { StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/sdk/client/streamableHttp.js'
  );
  const { Agent, fetch, Response } = await import('undici');
  const agent = new Agent({
    connect: {
      lookup: (_name, { all }, done) => {
        const [first] = addresses;
        if (all === true) done(null, [...addresses]);
        else done(null, first?.address ?? '', first?.family ?? 0);
      },
    },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const transport = new StreamableHTTPClientTransport(new URL(site.url), {
    requestInit: { headers: { ...site.headers } },
    // Nothing is opened again and again for a server that lets go.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
    fetch: async (url, init) => {
      const given = await fetch(url, { ...init, dispatcher: agent } as Parameters<typeof fetch>[1]);
      const { status, statusText, headers } = given;
      const body = given.body === null ? null : given.body.pipeThrough(limiting(mostBytes));
      return new Response(body, { status, statusText, headers }) as unknown as globalThis.Response;
    },
  });
  return {
    transport,
    end: async () => {
      // The session is the server's own affair: whether it hears of the end is no reason to wait.
      await Promise.race([transport.terminateSession().catch(() => undefined), pause(patience)]);
      await transport.close().catch(() => undefined);
      await agent.destroy();
    },
  };
}

/** Of one answer, or of one stream of them. */
const mostBytes = 32_000_000;
const patience = 1_000;

function limiting(most: number): TransformStream<Uint8Array, Uint8Array> {
  let taken = 0;
  return new TransformStream({
    transform(chunk, controller) {
      taken += chunk.byteLength;
      if (taken > most) controller.error(new Error(`the server sends more than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds).unref());
}
