import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
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
  resolveSite,
  startServer,
} from '@ambit/toolsets';
import { comparePins, instructionsPin } from '../pins/compare-pins.js';
import { type Pins, pinFileOf, pinFolder, readPins, writePins } from '../pins/pin-file.js';
import { noticeOf, type Subscribed } from '../serve/notices.js';
import type { Downstream, Serving } from '../serve/serve.js';
import { withFormatted } from '../upstream/formatted.js';
import { otherTools } from '../upstream/other-tools.js';
import { type NamedServer, serverOf } from '../upstream/server-of.js';
import { startArguments, startTool } from '../upstream/start-tool.js';

/** What a gateway stands before, and by which rules. */
export interface UpstreamOptions {
  readonly server: NamedServer;
  /** Policy files. The machine's policy, and a trusted `policy.yaml` of `root`, are added. */
  readonly policies: readonly string[];
  /** The project: what `./` means in policies, and the only root that the server is told of. */
  readonly root: string;
  /** Who acts, as policies and the log know it. */
  readonly agent: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Something that the person who started the gateway should know: one line, not escaped. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** A server that runs, for one client: a run of its own. */
export interface Upstream extends Serving {
  /** Whom the server's questions and notifications go to; nobody at first. */
  downstream: Downstream | null;
  close(): Promise<void>;
}

/** The server may not start, or does not start. The message says why. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
}

/** The time in which a call is judged. Calls wait for one another. */
const judgingTime = 60_000;

/** Starts a server for one client, once the policies permit it. Everything that it starts ends with it. */
export async function openUpstream(options: UpstreamOptions): Promise<Upstream> {
  const { environment, policies, agent, say } = options;
  const root = await realpath(options.root);
  const home = homeFolder(environment);
  const server = serverOf(options.server);
  // The log and the answers need it: without a place for them nothing starts.
  await logKey(await openStateFolder(environment, root));
  const judging = { policies, session: randomUUID(), agent, root, environment, timeout: judgingTime };
  const searchPath = pathOf(environment);
  await requireStart(server, { judging, home, searchPath });

  const hosted: Hosted = { downstream: null, subscribed: new Set() };
  const file = pinFileOf(await pinFolder(environment, root), server);
  const pins = await readPins(file);
  const { program } = server;
  const running = await startServer(server, {
    searchPath,
    home,
    resolved: program.transport === 'http' ? await resolveSite(program) : null,
    signal: options.signal,
    fingerprints: fingerprintsIn(pins),
    asked: askedOf(hosted, root),
  });
  try {
    const said = program.transport === 'http' ? program.url : [program.command, ...program.args].join(' ');
    const { instructions } = running.greeting;
    const pinned = [{ name: instructionsPin, instructions }, ...running.definitions];
    const compared = comparePins(pinned, { server: said, known: pins });
    // Before anything is offered: a definition that is not kept would count as first seen again.
    await writePins(file, compared.pins);
    for (const [tool, why] of compared.refused) say(`${tool} is not offered: ${why}`);
    if (compared.pins.changed.length > 0)
      say('see the changes with `ambit gateway pins list`, accept them with `ambit gateway pins accept`');
    const world = { homes: [home], folder: options.server.folder, guarded: [] };
    const described = withFormatted(mcpToolset(running, world), running, world);
    const toolsets = [described, otherTools(server, world)];
    const open = (asks: boolean) => openJudge({ ...judging, toolsets, asks, stays: true });
    return Object.assign(hosted, { running, refused: compared.refused, open, close: () => running.close() });
  } catch (error) {
    await running.close();
    throw error;
  }
}

interface Hosted {
  downstream: Downstream | null;
  readonly subscribed: Subscribed;
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
    const listed = tool === instructionsPin ? null : listedTool(definition);
    return listed === null ? [] : [[tool, listed.fingerprint] as const];
  });
  return { read: async () => new Map(known), add: async () => undefined };
}

/** What the server may ask of the client's user. */
function askedOf(hosted: Hosted, root: string): Asked {
  return {
    roots: [pathToFileURL(root).href],
    elicit: async (params, signal) => (await hosted.downstream?.elicit(params, signal)) ?? null,
    notified(method, params) {
      const notice = noticeOf(method, params, hosted.subscribed);
      if (notice !== null) hosted.downstream?.notify(notice);
    },
  };
}

function pathOf({ PATH = '' }: UpstreamOptions['environment']): readonly string[] {
  const folders = PATH.split(':').filter((folder) => isAbsolute(folder));
  return folders.length === 0 ? usualSearchPath : folders;
}
