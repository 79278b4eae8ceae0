import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { canonicalHost, type McpServer, usualStartLimit } from '@ambit/toolsets';

type McpProgram = Extract<McpServer['program'], { readonly transport: 'stdio' }>;
type McpSite = Extract<McpServer['program'], { readonly transport: 'http' }>;

/** A server as the gateway's command line names it. */
export interface NamedServer {
  /** `mcp-NAME` is the name of its toolset; derived from the command by default. */
  readonly name?: string;
  /** A program and its arguments, or the URL of a server over HTTP. */
  readonly command: readonly [string, ...string[]] | McpSite;
  /** The absolute folder in which it runs. */
  readonly folder: string;
  /** All its environment variables besides `PATH`, `HOME` and `LANG`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether its hints about its own tools are trusted. */
  readonly trusted: boolean;
  /** The bounds of a confined server; by default, the server runs with the rights of its user. */
  readonly isolation?: ServerIsolation;
  /** The capabilities of its tools besides `mcp.call`, by tool name, from the arguments. */
  readonly carries?: McpServer['carries'];
  /** In milliseconds; a minute each by default. */
  readonly limits?: Partial<McpServer['limits']>;
}

/**
 * The places that a confined server may change and the hosts that it may reach. Everything else is read only,
 * and there is no network.
 */
export interface ServerIsolation {
  /** The absolute real paths of folders that it may write in. */
  readonly writes: readonly string[];
  readonly network: boolean;
  /** The hosts that it may reach where it has no network, as `HOST` or `HOST:PORT`. */
  readonly hosts?: readonly string[];
}

/** Reads a host with or without its port. Null if it is neither. */
export function hostIn(text: string): { readonly host: string; readonly port: number | null } | null {
  const [, name = '', port] = /^(\[[0-9a-fA-F:.]+\]|[^:/\s]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = canonicalHost(name);
  if (host === null || Number(port ?? 1) > 65_535 || Number(port ?? 1) === 0) return null;
  return { host, port: port === undefined ? null : Number(port) };
}

/** The client decides how long it waits for a call. This bounds a call whose client does not. */
export const usualLimits = { start: usualStartLimit, call: 3_600_000 };

/**
 * The server in the terms of the MCP toolset; one of several has its name before those of its tools. Throws for a name that policies
 * could not use, and for an invalid host.
 */
export function serverOf(named: NamedServer, isAlone = true): McpServer {
  const { name, command, folder, environment, trusted, carries = {}, limits } = named;
  const isSite = 'url' in command;
  const key = name ?? nameIn(isSite ? [new URL(command.url).hostname] : command);
  if (!/^[a-z][a-z0-9_-]{0,59}$/.test(key) || key.includes('__'))
    throw new TypeError(`\`${key}\` is not a name of a server: [a-z][a-z0-9_-]*, without \`__\``);
  const wrong = named.isolation?.hosts?.find((each) => hostIn(each) === null);
  if (wrong !== undefined) throw new TypeError(`\`${wrong}\` is not a host: write HOST or HOST:PORT`);
  return {
    key,
    program: isSite ? command : programOf(command, { folder, environment }),
    trusted,
    prefix: isAlone ? '' : `${key}__`,
    carries,
    limits: { ...usualLimits, ...limits },
  };
}

function programOf(
  [command, ...args]: readonly [string, ...string[]],
  place: Pick<McpProgram, 'folder' | 'environment'>,
): McpProgram {
  return { transport: 'stdio', command, args, ...place };
}

/** The identity of the server, independent of its name: its command line, as a digest in hexadecimal. */
export function identityOf({ program }: McpServer): string {
  const said =
    program.transport === 'http' ? program.url : [program.command, ...program.args, program.folder];
  return hash('sha256', JSON.stringify(said)).slice(0, 16);
}

/**
 * The package or file that a command line starts: `npx -y @scope/server-memory` and `node server-memory/dist/index.js` are
 * `server-memory`.
 */
function nameIn(command: readonly string[]): string {
  const words = command.filter((word) => !word.startsWith('-'));
  const started = words.find((word) => !runners.test(basename(word))) ?? 'server';
  const parts = started.split('/').map(plainName);
  const named = parts.findLast((part) => part !== '' && !common.test(part)) ?? parts.at(-1) ?? '';
  return named === '' ? 'server' : named.slice(0, 60);
}

const runners = /^(?:npx|node|uvx|uv|run|python3?|bunx?|deno)$/;
/** Common names of folders and files in servers. */
const common = /^(?:index|main|server|cli|start|app|mod|src|dist|build|out|lib|bin)$/;

function plainName(part: string): string {
  return part
    .toLowerCase()
    .replace(/\.[cm]?[jt]s$|\.py$|(?<=.)@[^@]*$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
}
