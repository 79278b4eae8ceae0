import {
  type Capability,
  defineTool,
  defineToolset,
  inputSchema,
  type Json,
  type JsonObject,
  namesTool,
  type Policy,
  type Toolset,
} from '@ambit/core';
import { canonicalHost, saidBy } from '@ambit/toolsets';
import type Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';
import { problem } from '../open/opening-problems.js';
import type { Problem } from '../open/session.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';

/** Tools that run at the model's provider, where nothing here can guard what they do; as the provider's interface names them. */
const offered = {
  web_search: { name: 'web_search', type: 'web_search_20250305' },
  web_fetch: { name: 'web_fetch', type: 'web_fetch_20250910' },
  code_execution: { name: 'code_execution', type: 'code_execution_20250825' },
} as const satisfies Readonly<Record<string, Anthropic.ToolUnion>>;

export const providerTools: readonly string[] = Object.keys(offered);

/** What a request for a model's answer offers the model, besides what runs here. */
export function providerTool(name: string): Anthropic.ToolUnion | null {
  return Object.hasOwn(offered, name) ? offered[name as keyof typeof offered] : null;
}

/** The names in a reference `provider: { tools: […] }`. */
export function providerToolsIn({ tools }: JsonObject): readonly string[] {
  return Array.isArray(tools) ? (tools as readonly Json[]).filter((name) => typeof name === 'string') : [];
}

/**
 * One tool for each that a worker names. A call of it is the leave to offer it in one request to the model: what the provider then does is
 * seen by nobody, so it carries a connection, and text from outside. Executing does nothing: the request is what follows.
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

/** What cannot be known is left out. */
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
    // What stands in for a model listens on another port each time, which says nothing.
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

/** Workers that name a tool of a provider about which no policy says anything of its own. */
export function providerProblems(
  workers: ReadonlyMap<string, WorkerDefinition>,
  policies: readonly Policy[],
): readonly Problem[] {
  return [...workers.values()].flatMap(({ toolsets }) =>
    toolsets
      .filter(({ key }) => key === 'provider')
      .flatMap(({ at, configuration }) =>
        providerToolsIn(configuration)
          .map((name) => `provider.${name}`)
          .filter((tool) => !policies.some((policy) => speaksAbout(policy, tool)))
          .map((tool) =>
            problem(
              'PROVIDER_TOOL',
              `${at} \`${tool}\` runs at the model’s provider, where nothing can guard it, and no policy speaks about it`,
              `say under \`tools:\` of a policy what \`${tool}\` is: pre_approved, needs_approval or blocked; or leave it out`,
            ),
          ),
      ),
  );
}

/** A rule that only observes says nothing. */
function speaksAbout({ rules }: Policy, tool: string): boolean {
  return rules.some(({ about, observe, ...rule }) => {
    return about === 'tool' && !observe && 'name' in rule && namesTool(rule.name, tool);
  });
}
