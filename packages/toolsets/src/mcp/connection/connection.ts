import { setMaxListeners } from 'node:events';
import {
  isObject,
  isUnwritable,
  type Json,
  type JsonObject,
  messageOf,
  objectOf,
  printableLines,
} from '@ambit/core';
import type { Client } from '@modelcontextprotocol/client';
import { answerServer, isStateless, listen, withoutSubscriptions } from './answer-server.js';
import type { Place } from './resolve-site.js';
import { type Asked, firstStateless, type McpServer, toolsetNameOf } from './server-definition.js';
import { takingTasks } from './tasks-extension.js';
import { loadSdk } from './web-transport.js';
import { openWire, type Wire } from './wire.js';

export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: number;
  /** Escaped. */
  readonly said: string;
  /** Not escaped. */
  readonly data: Json | undefined;

  constructor(message: string, { code, said, data }: Pick<ServerError, 'code' | 'said' | 'data'>) {
    super(message);
    this.code = code;
    this.said = said;
    this.data = data;
  }
}

/** An interface, because the types of the class name the SDK, which is optional. */
export interface Connection {
  /** Unchecked. */
  list(signal: AbortSignal): Promise<readonly unknown[]>;
  request(method: string, params: JsonObject, as: RequestOptions): Promise<JsonObject>;
  readonly greeting: Greeting;
  /** Why the server is unusable, in its words; null while it is usable. */
  readonly ended: string | null;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly progress?: (params: JsonObject) => void;
  /** Lets a server without sessions answer with a task, in the result under `tasksExtension`. */
  readonly takesTask?: boolean;
  /** Also sent over HTTP if the server has no sessions. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** In the server's own words. */
export interface Greeting {
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
}

export interface Surroundings extends Place {
  readonly asked?: Asked;
}

/** Starts and initializes a server. Leaves nothing running if it does not answer in time. */
export async function connect(server: McpServer, around: Surroundings): Promise<Connection> {
  const { ProtocolErrorCode, SdkErrorCode } = await loadSdk();
  return connectBy('auto', server, around).catch((error: unknown) => {
    const { code } = Object((error as Error).cause) as { readonly code?: unknown };
    // The server started late, so it was taken for one of an older revision.
    if (code === ProtocolErrorCode.UnsupportedProtocolVersion)
      return connectBy({ pin: firstStateless }, server, around);
    // Some servers of the revisions with sessions end at a request that they do not know.
    const mayBeOlder = code === SdkErrorCode.EraNegotiationFailed && server.program.transport === 'stdio';
    if (mayBeOlder) return connectBy('legacy', server, around);
    throw error;
  });
}

async function connectBy(
  mode: 'auto' | 'legacy' | { readonly pin: string },
  server: McpServer,
  around: Surroundings,
): Promise<Connection> {
  const wire = await openWire(server, around);
  const sdk = await loadSdk();
  const { asked } = around;
  // Without capabilities it refuses sampling, elicitation and roots.
  const capabilities = asked === undefined ? {} : { elicitation: {}, roots: {}, sampling: {} };
  const client = new sdk.Client(
    { name: 'ambit', version: '1' },
    {
      capabilities,
      jsonSchemaValidator: noValidator,
      versionNegotiation: { mode, probe: { timeoutMs: Math.min(probeTime, server.limits.start / 2) } },
    },
  );
  if (asked !== undefined) answerServer(client, asked);
  const connection = new ClientConnection({ sdk, client, capabilities, wire, server });
  await connection.open(around.signal);
  if (connection.isStateless && asked !== undefined) listen(client, around.signal);
  return connection;
}

interface Ends {
  readonly sdk: Awaited<ReturnType<typeof loadSdk>>;
  readonly client: Client;
  /** What the client can do for the server. */
  readonly capabilities: JsonObject;
  readonly wire: Wire;
  readonly server: McpServer;
}

/** Passes requests to the SDK's client, and says in one way what went wrong. */
class ClientConnection implements Connection {
  /** Known once it is open, like the greeting. */
  isStateless = false;
  greeting: Greeting = { capabilities: {}, instructions: null };
  #ended: string | null = null;
  #closing: Promise<void> | null = null;
  /** The level of log messages, for a server without sessions. */
  #level: string | null = null;

  constructor(private readonly ends: Ends) {
    ends.client.onclose = () => {
      this.#ended ??= `the server has ended${ends.wire.words()}`;
    };
  }

  get ended(): string | null {
    return this.#ended;
  }

  close(): Promise<void> {
    this.#ended ??= 'the server was ended with the run';
    this.#closing ??= this.ends.wire.end();
    return this.#closing;
  }

  async open(signal: AbortSignal): Promise<void> {
    const { sdk, client, wire, server } = this.ends;
    const { start } = server.limits;
    // The SDK would first wait for the answer to its probe.
    const stop = () => void this.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await client.connect(wire.transport, limited(signal, start));
    } catch (error) {
      await this.close();
      const isLate = error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout;
      // We ended it; it did not end by itself.
      const said = isLate
        ? `${toolsetNameOf(server)}: it did not answer within ${start / 1000} s`
        : this.#failure(error);
      throw new Error(`${said}${wire.words()}`, { cause: error });
    } finally {
      signal.removeEventListener('abort', stop);
    }
    this.isStateless = isStateless(client);
    const declared: unknown = client.getServerCapabilities() ?? {};
    const capabilities = objectOf(declared);
    this.greeting = {
      capabilities: this.isStateless ? withoutSubscriptions(capabilities) : capabilities,
      instructions: client.getInstructions() ?? null,
    };
  }

  async list(signal: AbortSignal): Promise<readonly unknown[]> {
    const { client, server } = this.ends;
    // One limit for all pages.
    const until = Date.now() + server.limits.start;
    try {
      return await listAll((cursor) =>
        client.request(
          { method: 'tools/list', ...(cursor === null ? {} : { params: { cursor } }) },
          resultSchema,
          limited(signal, Math.max(1, until - Date.now())),
        ),
      );
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(this.#failure(error));
    }
  }

  async request(method: string, params: JsonObject, given: RequestOptions): Promise<JsonObject> {
    const { sdk, client, capabilities, server } = this.ends;
    const { signal, progress, takesTask = false, headers = {} } = given;
    const { isStateless } = this;
    if (isStateless && method === 'logging/setLevel') {
      this.#level = typeof params.level === 'string' ? params.level : null;
      return {};
    }
    const meta = {
      ...(this.#level !== null && { [sdk.LOG_LEVEL_META_KEY]: this.#level }),
      ...(takesTask && isStateless && takingTasks(capabilities)),
    };
    const own = Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
    try {
      const onprogress = progress && {
        onprogress: (each: object) => progress({ ...each }),
        resetTimeoutOnProgress: false,
      };
      const all = { ...limited(signal, server.limits.call), ...onprogress, ...(isStateless && { headers }) };
      const result: unknown = await client.request({ method, params: { ...own } }, resultSchema, all);
      if (!isObject(result) || isUnwritable(result, 200))
        throw new Error('its result is nested too deeply, or holds a number that is too large');
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const refusal = this.#ended === null ? ownError(error) : null;
      throw refusal === null
        ? new Error(this.#failure(error))
        : new ServerError(this.#failure(error), refusal);
    }
  }

  #failure(error: unknown): string {
    return printableError(error, { server: this.ends.server, ended: this.#ended });
  }
}

function limited(signal: AbortSignal, timeout: number) {
  // Each waiting request listens to it until its answer.
  setMaxListeners(0, signal);
  return { signal, timeout };
}

/** Milliseconds; a silent server counts as older. */
const probeTime = 5_000;

/** Results are checked here, in bounded time; the SDK's checker runs foreign patterns. */
const noValidator = {
  getValidator: () => () => {
    throw new TypeError('the SDK must not check results');
  },
};

/** Any result: it is checked afterwards. */
const resultSchema = {
  '~standard': { version: 1, vendor: 'ambit', validate: (value: unknown) => ({ value }) },
} as const;

const mostPages = 50;
const mostTools = 1_000;
const longestCursor = 10_000;
/** The most characters of all pages but the last one. */
const longestList = 8_000_000;

async function listAll(page: (cursor: string | null) => Promise<unknown>): Promise<readonly unknown[]> {
  let tools: readonly unknown[] = [];
  let cursor: string | null = null;
  let size = 0;
  for (let count = 0; count < mostPages; count += 1) {
    const { tools: more, nextCursor } = Object(await page(cursor)) as Readonly<Record<string, unknown>>;
    if (!Array.isArray(more)) throw new Error('its list of tools is not a list');
    tools = cursor === null ? (more as readonly unknown[]) : [...tools, ...(more as readonly unknown[])];
    if (tools.length > mostTools) break;
    if (nextCursor === undefined) return tools;
    if (typeof nextCursor !== 'string' || nextCursor.length > longestCursor)
      throw new Error('the cursor of its list of tools is not a short text');
    cursor = nextCursor;
    size += JSON.stringify(more).length;
    if (size > longestList) throw new Error(`its list of tools is longer than ${longestList} characters`);
  }
  throw new Error(`it lists more than ${mostTools} tools, or has no end`);
}

const longestError = 4_000;

/** Null for an error of the connection: -32000 closed, -32001 too late. */
function ownError(error: unknown): Pick<ServerError, 'code' | 'said' | 'data'> | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const { code, data } = error as { readonly code: unknown; readonly data?: Json };
  if (typeof code !== 'number' || code === -32000 || code === -32001) return null;
  const said = error.message.replace(`MCP error ${code}: `, '');
  const own = data === undefined || isUnwritable(data, 200) ? undefined : data;
  return { code, said: printableLines(said.slice(0, longestError)), data: own };
}

/** The server's words are marked and escaped. */
function printableError(
  error: unknown,
  { server, ended }: { readonly server: McpServer; readonly ended: string | null },
): string {
  const said = messageOf(error);
  const text = printableLines(said.slice(0, longestError));
  return `${toolsetNameOf(server)}: ${ended === null ? text : `${printableLines(ended)} (${text})`}`;
}
