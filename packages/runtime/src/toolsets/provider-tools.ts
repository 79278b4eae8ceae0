import {
  type Capability,
  defineTool,
  defineToolset,
  inputSchema,
  type JsonObject,
  type Toolset,
} from '@ambit/core';
import { canonicalHost, saidBy } from '@ambit/toolsets';
import * as z from 'zod';

/**
 * One tool for each provider tool. Its call is the offer in one request: a connection and outside text. Executing
 * does nothing.
 */
export function providerToolset(
  names: readonly string[],
  of: { readonly endpoint: string; readonly model: string },
): Toolset {
  const tools = names.map((name) =>
    defineTool({
      name,
      description: `Offers the model ${name} of its provider, in one request.`,
      input: inputSchema(z.strictObject({ model: z.string() }) as unknown as z.ZodType<JsonObject>),
      summary: () =>
        `let the model use ${name} of its provider, where nothing can be guarded, for one answer`,
      describe: () => ({
        capabilities: saidBy('toolset:provider', [
          connectionTo(of),
          { name: 'content.untrusted', source: `provider.${name}` },
        ]),
      }),
      execute: () => null,
    }),
  );
  return defineToolset({ name: 'provider', tools });
}

/** Unknown facts are left out. */
function connectionTo({
  endpoint,
  model,
}: {
  readonly endpoint: string;
  readonly model: string;
}): Capability {
  try {
    const { hostname, port, protocol } = new URL(endpoint);
    const scheme = protocol.replace(/:$/, '');
    const host = canonicalHost(hostname);
    // A scripted model uses another port each time, which is irrelevant.
    if (model.startsWith('script:'))
      return { name: 'net.connect', ...(host === null ? {} : { host }), scheme };
    const known = port === '' ? { https: 443, http: 80 }[scheme] : Number(port);
    return {
      name: 'net.connect',
      ...(host === null ? {} : { host }),
      ...(known === undefined ? {} : { port: known }),
      scheme,
    };
  } catch {
    return { name: 'net.connect' };
  }
}
