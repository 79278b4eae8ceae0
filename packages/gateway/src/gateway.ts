import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { openJudge } from '@ambit/agents/judge';
import { homeFolder, logKey, openStateFolder } from '@ambit/runtime';
import { usualSearchPath } from '@ambit/shell';
import {
  type Asked,
  type FingerprintStore,
  listedTool,
  type McpServer,
  mcpToolset,
  startServer,
} from '@ambit/toolsets';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { comparePins } from './pins/compare-pins.js';
import { type Pins, pinFileOf, pinFolder, readPins, writePins } from './pins/pin-file.js';
import { ask, canElicit } from './serve/ask.js';
import { type Serving, serve } from './serve/serve.js';
import { elicitationOf } from './serve/texts.js';
import { otherTools } from './upstream/other-tools.js';
import { type NamedServer, serverOf } from './upstream/server-of.js';
import { startArguments, startTool } from './upstream/start-tool.js';

export interface GatewayOptions {
  readonly server: NamedServer;
  /** Policy files. The machine's policy, and a trusted `policy.yaml` of `root`, are added. */
  readonly policies: readonly string[];
  /** The project: what `./` means in policies, and the only root that the server is told of. */
  readonly root: string;
  /** Who acts, as policies and the log know it. */
  readonly agent: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Something that the person who started the gateway should know: one line, not escaped. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The server may not start, or does not start. The message says why. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
}

/** The time in which a call is judged. Calls wait for one another. */
const judgingTime = 60_000;

/**
 * Stands before an MCP server on standard input and output until the client closes or `signal` ends it. What the server may do is
 * judged, and recorded before it is passed on. Everything that the server started ends with it.
 */
export async function runGateway(options: GatewayOptions): Promise<void> {
  const { environment, policies, agent, say } = options;
  const root = await realpath(options.root);
  const home = homeFolder(environment);
  const server = serverOf(options.server);
  // The log and the answers need it: without a place for them nothing starts.
  await logKey(await openStateFolder(environment, root));
  const judging = { policies, session: randomUUID(), agent, root, environment, timeout: judgingTime };
  const searchPath = pathOf(environment);
  await requireStart(server, { judging, home, searchPath });

  const hosted: Hosted = { downstream: null };
  const file = pinFileOf(await pinFolder(environment, root), server);
  const pins = await readPins(file);
  const running = await startServer(server, {
    searchPath,
    home,
    resolved: null,
    signal: options.signal,
    fingerprints: fingerprintsIn(pins),
    asked: askedOf(hosted, { server, root }),
  });
  try {
    const said = options.server.command.join(' ');
    const compared = comparePins(running.definitions, { server: said, known: pins });
    // Before anything is offered: a definition that is not kept would count as first seen again.
    await writePins(file, compared.pins);
    for (const [tool, why] of compared.refused) say(`${tool} is not offered: ${why}`);
    if (compared.pins.changed.length > 0)
      say('see the changes with `ambit gateway pins list`, accept them with `ambit gateway pins accept`');
    const world = { homes: [home], folder: options.server.folder, guarded: [] };
    const toolsets = [mcpToolset(running, world), otherTools(server, world)];
    const open = (asks: boolean) => openJudge({ ...judging, toolsets, asks, stays: true });
    await served({ running, refused: compared.refused, open }, { hosted, options });
  } finally {
    await running.close();
  }
}

interface Hosted {
  downstream: Server | null;
}

async function served(
  upstream: Pick<Serving, 'running' | 'refused' | 'open'>,
  { hosted, options }: { readonly hosted: Hosted; readonly options: GatewayOptions },
): Promise<void> {
  const { running } = upstream;
  const offered = ['tools', 'resources', 'prompts'].filter((name) => name in running.greeting.capabilities);
  const downstream = new Server(
    { name: `ambit-gateway: ${running.server.key}`, version: '1' },
    { capabilities: Object.fromEntries(offered.map((name) => [name, { listChanged: true }])) },
  );
  hosted.downstream = downstream;
  const end = serve(downstream, upstream);
  const transport = new StdioServerTransport(options.stdin, options.stdout);
  const ended = new Promise<void>((resolve) => {
    downstream.onclose = resolve;
    options.stdin.once('end', resolve).once('close', resolve);
    options.stdout.once('error', resolve);
    options.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await downstream.connect(transport);
    await ended;
    await downstream.close();
  } finally {
    await end();
  }
}

interface Judging {
  readonly judging: Parameters<typeof openJudge>[0];
  readonly home: string;
  readonly searchPath: readonly string[];
}

/** Starting the server is a call like any other. There is nobody to ask yet: a question goes to `ambit approvals`. */
async function requireStart(server: McpServer, { judging, home, searchPath }: Judging): Promise<void> {
  const judge = await openJudge({
    ...judging,
    toolsets: [startTool(server, { home, searchPath })],
    asks: false,
  });
  const call = { id: null, tool: 'toolset_start', args: startArguments(server) };
  const verdict = await judge.judge(call);
  if (verdict.decision !== 'pre_approved') throw new GatewayError(verdict.reason);
  await judge.ended(call, null);
}

/** Definitions are compared here; those that were accepted are the first that were seen. */
function fingerprintsIn(pins: Pins | null): FingerprintStore {
  const known = (pins?.accepted ?? []).flatMap(({ tool, definition }) => {
    const listed = listedTool(definition);
    return listed === null ? [] : [[tool, listed.fingerprint] as const];
  });
  return { read: async () => new Map(known), add: async () => undefined };
}

/** What the server may ask of the client's user. */
function askedOf(
  hosted: Hosted,
  { server, root }: { readonly server: McpServer; readonly root: string },
): Asked {
  return {
    roots: [pathToFileURL(root).href],
    async elicit(params, signal) {
      const { downstream } = hosted;
      const shown = elicitationOf(params, server.key);
      if (downstream === null || shown === null || !canElicit(downstream)) return null;
      return ask(downstream, shown, signal);
    },
    notified(method) {
      // Other notifications, and ones that are not known, are dropped.
      if (/^notifications\/(?:tools|resources|prompts)\/list_changed$/.test(method))
        hosted.downstream?.notification({ method }).catch(() => undefined);
    },
  };
}

function pathOf({ PATH = '' }: GatewayOptions['environment']): readonly string[] {
  const folders = PATH.split(':').filter((folder) => isAbsolute(folder));
  return folders.length === 0 ? usualSearchPath : folders;
}
