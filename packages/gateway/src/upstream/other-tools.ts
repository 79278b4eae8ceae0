import { type Capability, defineTool, defineToolset, type Toolset } from '@ambit/core';
import { type CarriedWorld, carriedCapabilities, toolsetNameOf } from '@ambit/toolsets';
import * as z from 'zod';

/** The judge's tool names for requests that are not tool calls. */
export const otherNames = {
  resource: 'gateway.read_resource',
  prompt: 'gateway.get_prompt',
  sampling: 'gateway.sample',
  start: 'gateway.start',
} as const;

/**
 * Requests that are not tool calls, as tools that policies judge: `gateway.read_resource`,
 * `gateway.get_prompt`, `gateway.sample`.
 */
export function otherTools(world: CarriedWorld): Toolset {
  const untrusted = (source: string) => ({ name: 'content.untrusted', source });
  const text = z.string().max(10_000);
  const texts = z.record(z.string(), z.string());
  return defineToolset({
    name: 'gateway',
    tools: [
      defineTool({
        name: 'read_resource',
        offered_as: otherNames.resource,
        description: 'Reads a resource of an MCP server.',
        input: z.union([
          z.strictObject({ server: text, uri: text }),
          z.strictObject({ server: text, template: text, arguments: texts }),
        ]),
        describe: async (args) => {
          const source = toolsetNameOf({ key: args.server });
          const isTemplate = 'template' in args;
          const read = isTemplate
            ? templateIn(args.template, source)
            : await capabilitiesOf(args.uri, { source, world });
          return { capabilities: [...read, untrusted(source)] };
        },
        execute: () => null,
      }),
      defineTool({
        name: 'get_prompt',
        offered_as: otherNames.prompt,
        description: 'Gets a prompt of an MCP server.',
        input: z.strictObject({
          server: text,
          prompt: text,
          arguments: texts,
        }),
        describe: ({ server }) => {
          const source = toolsetNameOf({ key: server });
          return { capabilities: [otherCall(source, 'prompts/get'), untrusted(source)] };
        },
        execute: () => null,
      }),
      defineTool({
        name: 'sample',
        offered_as: otherNames.sampling,
        description: 'Lets an MCP server ask the model of the client.',
        input: z.strictObject({ server: text, request: z.record(z.string(), z.json()) }),
        describe: ({ server }) => {
          const source = toolsetNameOf({ key: server });
          const call = otherCall(source, 'sampling/createMessage');
          return { capabilities: [{ ...call, name: 'mcp.call.sampling' }, untrusted(source)] };
        },
        execute: () => null,
      }),
    ],
  });
}

/** The files that servers may read for a `file:` URL; an empty text for an unknown one. */
export function readingsOf({ href, host, pathname }: URL): readonly string[] {
  return [
    href,
    // Some servers only cut `file://` off, and do not decode the path.
    ...(pathname.includes('%') ? [pathname] : []),
    // Some decode the URL before they parse it, and read another file. Some read the host as a folder or a file.
    ...(host !== '' || /%(?:25|23|3f)/i.test(pathname) ? [''] : []),
  ];
}

/** The URI of a file or a site behind other schemes, as in `url:file:` and `git+https:`, which readers cut off; null for any other URI. */
export function innerUri(uri: string): string | null {
  const [, inner = null] =
    /^[\s\p{C}<]*(?:[a-z][a-z0-9.-]*[:+][\s\p{C}]*)*?((?:file|https?)[\s\p{C}]*:.*)/isu.exec(
      uri.replace(/[\t\n\r]/g, ''),
    ) ?? [];
  return inner;
}

/** `file:` reads a file and `http:` connects; the meaning of any other URI is known only to the server. */
async function capabilitiesOf(
  uri: string,
  { source, world }: { readonly source: string; readonly world: CarriedWorld },
): Promise<readonly Capability[]> {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  const arg = { arg: ['uri'] } as const;
  const args = { uri: url?.href ?? uri };
  if (url?.protocol === 'file:') {
    const readings = readingsOf(url);
    const paths = readings.map((is) => ({ name: 'fs.read', facts: is === '' ? {} : { path: { is } } }));
    const others = readings.includes('') ? [{ name: 'secret.read' }] : [];
    return [...(await carriedCapabilities(paths, args, world)), ...others];
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:')
    return carriedCapabilities([{ name: 'net.connect', facts: { host: arg } }], args, world);
  // A server may take what is not a URI for a path.
  const file =
    url === null ? await carriedCapabilities([{ name: 'fs.read', facts: { path: arg } }], args, world) : [];
  const inner = url === null ? null : innerUri(uri);
  const within = inner === null ? [] : await capabilitiesOf(inner, { source, world });
  // Readers let the path end in places of their own.
  const unknown =
    inner !== null && /^file/i.test(inner) ? [{ name: 'fs.read' }, { name: 'secret.read' }] : [];
  return [otherCall(source, 'resources/read'), ...file, ...within, ...unknown];
}

/** The file or site of a template is unknown; what every reading does is first. */
function templateIn(template: string, source: string): readonly Capability[] {
  const scheme = schemeOf(template);
  const [file, sites] = [{ name: 'fs.read' }, [{ name: 'net.connect' }, { name: 'net.connect.private' }]];
  if (scheme === 'file') return [file];
  if (scheme === 'http' || scheme === 'https') return sites;
  const inner = innerUri(template);
  const within = inner === null ? [] : templateIn(inner, source);
  // A variable may hold the scheme of a file or a site.
  const isOpen = scheme === undefined || /^[\w.+:\s\p{C}-]*\{/u.test(template);
  return [otherCall(source, 'resources/read'), ...within, ...(isOpen ? [file, ...sites] : [])];
}

function schemeOf(template: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*(?=:)/i.exec(template)?.[0].toLowerCase();
}

/**
 * The capabilities of every reading by a template. `net.connect` also covers private hosts: a rule that
 * blocks it blocks them.
 */
export function sharedBy(template: string, server: string): readonly Capability[] {
  const source = toolsetNameOf({ key: server });
  const first = schemeOf(template) === undefined ? [] : templateIn(template, source).slice(0, 1);
  return [...first, { name: 'content.untrusted', source }];
}

function otherCall(server: string, tool: string): Capability {
  return { name: 'mcp.call', server, tool, read_only: false, destructive: true, open_world: true };
}
