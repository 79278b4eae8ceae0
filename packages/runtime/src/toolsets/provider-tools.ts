import {
  type Capability,
  defineTool,
  defineToolset,
  inputSchema,
  type JsonObject,
  type Toolset,
} from '@ambit/core';
import { readTarget, saidBy } from '@ambit/toolsets';
import * as z from 'zod';

interface Provider {
  readonly endpoint: string;
  readonly model: string;
}

/**
 * One tool for each provider tool. Its call is the offer in one request: a connection and outside text. Executing
 * does nothing.
 */
export function providerToolset(names: readonly string[], of: Provider): Toolset {
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
function connectionTo({ endpoint, model }: Provider): Capability {
  const { target } = readTarget(endpoint);
  if (target === null) return { name: 'net.connect' };
  const { host, port, scheme } = target;
  // Nothing listens there for a scripted model, so there is no port.
  return { name: 'net.connect', host, ...(model.startsWith('script:') ? {} : { port }), scheme };
}
