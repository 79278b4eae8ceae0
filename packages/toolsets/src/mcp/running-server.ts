import { type Capability, type Json, type JsonObject, printable, StartOver } from '@ambit/core';
import { argumentHeaders } from './connection/argument-headers.js';
import {
  type Connection,
  connect,
  type Greeting,
  type RequestOptions,
  type Surroundings,
} from './connection/connection.js';
import { type McpServer, toolsetNameOf } from './connection/server-definition.js';
import { siteCapabilities } from './connection/start-description.js';
import { listedTool } from './tools/listed-tool.js';
import { type LeftOut, type OfferedTool, type Offers, offersOf } from './tools/offered-tools.js';
import { resultOf } from './tools/result.js';
import { type FingerprintStore, fingerprintsOf, type Standing, ToolHistory } from './tools/tool-history.js';

export interface RunningServer {
  readonly server: McpServer;
  readonly tools: readonly OfferedTool[];
  readonly left_out: readonly LeftOut[];
  /** Offered tools whose definition differs from the first one. */
  readonly changed: readonly string[];
  /** Part of every call: the connection to a server over HTTP. */
  readonly connection: readonly Capability[];
  /** Null while calls can be made. */
  readonly ended: string | null;
  standing(tool: string): Standing;
  /** Calls a tool as `described`. Throws `StartOver` if its definition has changed. */
  call(tool: OfferedTool, args: JsonObject, as: Described & { readonly signal: AbortSignal }): Promise<Json>;
  /** Returns the unchanged result. `listed`: the tools were listed before; `task`: runs the call as a task. */
  pass(
    tool: OfferedTool,
    args: JsonObject,
    as: RequestOptions & Described & { listed?: Promise<void>; task?: JsonObject },
  ): Promise<JsonObject>;
  /** Lists all tools, and records changed definitions. Calls of one turn share a list, which none of them cancels. */
  listAgain(signal: AbortSignal): Promise<void>;
  request(method: string, params: JsonObject, as: RequestOptions): Promise<JsonObject>;
  readonly greeting: Greeting;
  /** As listed at the start. */
  readonly definitions: readonly unknown[];
  close(): Promise<void>;
}

interface Described {
  readonly described: Standing;
}

/** Starts a server and compares its tools with their first definitions. Leaves nothing running on failure. */
export async function startServer(
  server: McpServer,
  around: Surroundings & { readonly fingerprints: FingerprintStore },
): Promise<RunningServer> {
  const connection = await connect(server, around);
  try {
    return await running(server, connection, around);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function running(
  server: McpServer,
  connection: Connection,
  around: Surroundings & { readonly fingerprints: FingerprintStore },
): Promise<RunningServer> {
  const list = await connection.list(around.signal);
  const offers: Offers = offersOf(list, { ...server, runsTasks: around.asked !== undefined });
  requireCarried(list, server);
  const name = toolsetNameOf(server);
  const history = new ToolHistory(await around.fingerprints.read(name), fingerprintsOf(list));
  // Before anything is offered: a definition that is not kept would count as first seen again.
  if (history.added.size > 0) await around.fingerprints.add(name, history.added);
  const { program } = server;
  let [taken, text] = [list, JSON.stringify(list)];
  const listAgain = async (signal: AbortSignal) => {
    // A server may return other definitions each time.
    const current = await connection.list(signal);
    // The connection gives the same list for the same bytes.
    if (current === taken) return;
    const before = text;
    [taken, text] = [current, JSON.stringify(current)];
    if (text !== before) history.take(fingerprintsOf(current));
  };
  const listForTurn = oncePerTurn(() => listAgain(around.signal));
  const requireStanding = async (tool: OfferedTool, described: Standing, listed: Promise<void>) => {
    await listed;
    const now = history.standing(tool.name);
    if (now !== described) throw new StartOver({ definition: now });
  };
  const called = ({ name, input }: OfferedTool, args: JsonObject, as: RequestOptions, task?: JsonObject) => {
    const call = { name, arguments: { ...args }, ...(task !== undefined && { task }) };
    return connection.request('tools/call', call, { ...as, headers: argumentHeaders(input, args) });
  };
  return {
    server,
    definitions: list,
    greeting: connection.greeting,
    ...offers,
    changed: offers.tools.map((tool) => tool.name).filter((tool) => history.standing(tool) === 'changed'),
    connection:
      program.transport === 'http' ? siteCapabilities(program, around.resolved?.isPrivate ?? false) : [],
    get ended() {
      return connection.ended;
    },
    standing: (tool) => history.standing(tool),
    close: () => connection.close(),
    request: (method, params, as) => connection.request(method, params, as),
    call: async (tool, args, { described, signal }) => {
      await requireStanding(tool, described, listAgain(signal));
      return resultOf(await called(tool, args, { signal }), tool, server);
    },
    listAgain: (signal) => Promise.race([listForTurn(), aborted(signal)]),
    pass: async (tool, args, { described, listed, task, ...as }) => {
      await requireStanding(tool, described, listed ?? listAgain(as.signal));
      return called(tool, args, as, task);
    },
  };
}

/** Joins the callers of one turn: the work begins after each of them has come. */
function oncePerTurn(work: () => Promise<void>): () => Promise<void> {
  let joined: Promise<void> | null = null;
  return () => {
    joined ??= new Promise((resolve) => {
      setImmediate(() => {
        joined = null;
        resolve(work());
      });
    });
    return joined;
  };
}

/** Rejects once the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** A map for a missing tool would silently have no effect. */
function requireCarried(list: readonly unknown[], server: McpServer): void {
  const names = list.map((tool) => listedTool(tool)?.name);
  const odd = Object.keys(server.carries).find((name) => !names.includes(name));
  if (odd === undefined) return;
  const known = names.filter((each) => each !== undefined).slice(0, 50);
  throw new Error(
    `\`carries\` names \`${odd}\`, which ${toolsetNameOf(server)} does not have: ${printable(known.join(', '))}`,
  );
}
