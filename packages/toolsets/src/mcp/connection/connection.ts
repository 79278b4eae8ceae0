import { setMaxListeners } from 'node:events';
import { isJsonObject, type JsonObject, messageOf, printableLines } from '@ambit/core';
import * as z from 'zod';
import { loadOptional } from '../../places/load-optional.js';
import { answerServer, listen, withoutSubscriptions } from './answer-server.js';
import { ProcessTransport } from './process-transport.js';
import type { Resolved } from './resolve-site.js';
import { type Asked, type McpProgram, type McpServer, toolsetNameOf } from './server-definition.js';
import { type ProcessToStart, ServerProcess } from './server-process.js';
import { findProgram } from './start-description.js';
import { StrictTransport } from './strict-transport.js';
import { takingTasks } from './tasks-extension.js';
import { webTransport } from './web-transport.js';

export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: number;
  /** Escaped. */
  readonly said: string;

  constructor(message: string, { code, said }: Pick<ServerError, 'code' | 'said'>) {
    super(message);
    this.code = code;
    this.said = said;
  }
}

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

export interface Surroundings {
  readonly asked?: Asked;
  readonly searchPath: readonly string[];
  readonly home: string;
  /** The program to start instead, with further environment. */
  readonly started?: Pick<ProcessToStart, 'path' | 'args' | 'environment'>;
  readonly resolved: Resolved | null;
  readonly signal: AbortSignal;
}

/** Starts and initializes a server. Leaves nothing running if it does not answer in time. */
export async function connect(server: McpServer, around: Surroundings): Promise<Connection> {
  const { ProtocolErrorCode, SdkErrorCode } = await loadSdk();
  return connectBy('auto', server, around).catch((error: unknown) => {
    const { code } = Object((error as Error).cause) as { readonly code?: unknown };
    // It was taken for an older one because it started late.
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
  const { Client, LOG_LEVEL_META_KEY, SdkError, SdkErrorCode } = await loadSdk();
  const { asked } = around;
  // Without capabilities it refuses sampling, elicitation and roots.
  const capabilities = asked === undefined ? {} : { elicitation: {}, roots: {}, sampling: {} };
  const client = new Client(
    { name: 'ambit', version: '1' },
    {
      capabilities,
      jsonSchemaValidator: noValidator,
      versionNegotiation: { mode, probe: { timeoutMs: Math.min(probeTime, server.limits.start / 2) } },
    },
  );
  if (asked !== undefined) answerServer(client, asked);
  let ended: string | null = null;
  let closing: Promise<void> | null = null;
  client.onclose = () => {
    ended ??= `the server has ended${wire.words()}`;
  };
  const close = () => {
    ended ??= 'the server was ended with the run';
    closing ??= wire.end();
    return closing;
  };
  const { start, call } = server.limits;
  const options = (signal: AbortSignal, timeout: number) => {
    // Each waiting request listens to it until its answer.
    setMaxListeners(0, signal);
    return { signal, timeout };
  };
  const failure = (error: unknown) => printableError(error, { server, ended });
  try {
    await client.connect(wire.transport, options(around.signal, start));
  } catch (error) {
    await close();
    const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
    // We ended it; it did not end by itself.
    const said = isLate
      ? `${toolsetNameOf(server)}: it did not answer within ${start / 1000} s`
      : failure(error);
    throw new Error(`${said}${wire.words()}`, { cause: error });
  }
  const isStateless = (client.getNegotiatedProtocolVersion() ?? '') >= firstStateless;
  if (isStateless && asked !== undefined) listen(client, around.signal);
  let level: string | null = null;
  const request = async (method: string, params: JsonObject, given: RequestOptions) => {
    const { signal, progress, takesTask = false, headers = {} } = given;
    if (isStateless && method === 'logging/setLevel') {
      level = typeof params.level === 'string' ? params.level : null;
      return {};
    }
    const meta = {
      ...(level !== null && { [LOG_LEVEL_META_KEY]: level }),
      ...(takesTask && isStateless && takingTasks(capabilities)),
    };
    const own = Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
    try {
      const onprogress =
        progress === undefined
          ? {}
          : {
              onprogress: (each: object) => progress({ ...each }),
              resetTimeoutOnProgress: false,
            };
      const all = { ...options(signal, call), ...onprogress, ...(isStateless && { headers }) };
      const result: unknown = await client.request({ method, params: { ...own } }, resultSchema, all);
      if (!isJsonObject(result)) throw new Error('its result is not plain JSON');
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const refusal = ended === null ? ownError(error) : null;
      throw refusal === null ? new Error(failure(error)) : new ServerError(failure(error), refusal);
    }
  };
  const said: unknown = client.getServerCapabilities() ?? {};
  const declared = isJsonObject(said) ? said : {};
  return {
    greeting: {
      capabilities: isStateless ? withoutSubscriptions(declared) : declared,
      instructions: client.getInstructions() ?? null,
    },
    request,
    get ended() {
      return ended;
    },
    close,
    list: async (signal) => {
      // One limit for all pages.
      const until = Date.now() + start;
      try {
        return await listAll((cursor) =>
          client.request(
            { method: 'tools/list', ...(cursor === null ? {} : { params: { cursor } }) },
            pageSchema,
            options(signal, Math.max(1, until - Date.now())),
          ),
        );
      } catch (error) {
        signal.throwIfAborted();
        throw new Error(failure(error));
      }
    },
  };
}

/** Milliseconds; a silent server counts as older. */
const probeTime = 5_000;

/** The first revision without sessions. */
const firstStateless = '2026-07-28';

interface Wire {
  readonly transport: StrictTransport;
  readonly end: () => Promise<void>;
  /** The last words of the server before it ended, for the end of a sentence. */
  readonly words: () => string;
}

const loadSdk = () =>
  loadOptional('@modelcontextprotocol/client', () => import('@modelcontextprotocol/client'));

async function openWire(server: McpServer, around: Surroundings): Promise<Wire> {
  const { program } = server;
  if (program.transport === 'http') {
    if (around.resolved === null)
      throw new TypeError('where a name leads is known before it is connected to');
    const { transport: inner, end } = await webTransport(program, around.resolved);
    const transport = new StrictTransport(inner, false);
    return { transport, end, words: () => (transport.fault === null ? '' : `: ${transport.fault}`) };
  }
  const { ReadBuffer } = await loadSdk();
  around.signal.throwIfAborted();
  const running = new ServerProcess(processOf(program, around));
  const transport = new StrictTransport(
    new ProcessTransport(running, new ReadBuffer({ maxBufferSize: longestMessage })),
    true,
  );
  return {
    transport,
    end: () => running.end(),
    words: () => {
      const said = running.errors.slice(-mostWords);
      const why = transport.fault === null ? '' : `: ${transport.fault}`;
      return said === '' ? why : `${why}; its last words: ${JSON.stringify(said)}`;
    },
  };
}

function processOf(program: McpProgram, { searchPath, home, started }: Surroundings): ProcessToStart {
  const found = findProgram(program, searchPath);
  if (found === null) throw new Error(`there is no program \`${program.command}\``);
  const usual = { PATH: searchPath.join(':'), HOME: home, LANG: 'C.UTF-8' };
  return {
    path: started?.path ?? found.path,
    args: started?.args ?? program.args,
    folder: program.folder,
    environment: { ...started?.environment, ...usual, ...program.environment },
  };
}

const longestMessage = 8_000_000;
const mostWords = 500;

/** Results are checked here, in bounded time; the SDK's checker runs foreign patterns. */
const noValidator = {
  getValidator: () => () => {
    throw new TypeError('results are not checked by the SDK');
  },
};

const pageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().max(10_000).optional(),
});
/** Any result: it is checked afterwards. */
const resultSchema = {
  '~standard': { version: 1, vendor: 'ambit', validate: (value: unknown) => ({ value }) },
} as const;

const mostPages = 50;
const mostTools = 1_000;

async function listAll(
  page: (cursor: string | null) => Promise<z.infer<typeof pageSchema>>,
): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < mostPages; count += 1) {
    const { tools: more, nextCursor } = await page(cursor);
    tools.push(...more);
    if (tools.length > mostTools) break;
    if (nextCursor === undefined) return tools;
    cursor = nextCursor;
  }
  throw new Error(`it lists more than ${mostTools} tools, or has no end`);
}

const longestError = 4_000;

/** Null for an error of the connection: -32000 closed, -32001 too late. */
function ownError(error: unknown): Pick<ServerError, 'code' | 'said'> | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const { code } = error;
  if (typeof code !== 'number' || code === -32000 || code === -32001) return null;
  const said = error.message.replace(`MCP error ${code}: `, '');
  return { code, said: printableLines(said.slice(0, longestError)) };
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
