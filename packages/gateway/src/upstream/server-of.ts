import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type McpServer, usualCallLimit, usualStartLimit } from '@ambit/toolsets';

/** A server as the command line of the gateway names it. */
export interface NamedServer {
  /** `mcp-NAME` is the name of its toolset; made from the command where left out. */
  readonly name?: string;
  /** A program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The folder that it runs in; absolute. */
  readonly folder: string;
  /** All that it sees besides `PATH`, `HOME` and `LANG`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether its hints about its own tools count. */
  readonly trusted: boolean;
}

/** The server in the terms of the MCP toolset. Throws for a name that policies could not use. */
export function serverOf({ name, command, folder, environment, trusted }: NamedServer): McpServer {
  const [program, ...args] = command;
  const key = name ?? nameIn(command);
  if (!/^[a-z][a-z0-9_-]{0,59}$/.test(key) || key.includes('__'))
    throw new TypeError(`\`${key}\` is not a name of a server: [a-z][a-z0-9_-]*, without \`__\``);
  return {
    key,
    program: { transport: 'stdio', command: program, args, folder, environment },
    trusted,
    prefix: '',
    carries: {},
    limits: { start: usualStartLimit, call: usualCallLimit },
  };
}

/** What the server is, whatever it calls itself: its command line, as a digest in hex. */
export function identityOf({ program }: McpServer): string {
  const said =
    program.transport === 'http' ? program.url : [program.command, ...program.args, program.folder];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
}

/** The last word of a command line that names a package or a file: `npx -y @scope/server-memory` is `server-memory`. */
function nameIn(command: readonly string[]): string {
  const words = command.filter((word) => !word.startsWith('-'));
  const runner = /^(?:npx|node|uvx|python3?|bunx?|deno)$/;
  const named = words.find((word) => !runner.test(basename(word))) ?? 'server';
  const plain = basename(named)
    .toLowerCase()
    .replace(/\.[cm]?[jt]s$|\.py$|@[^@]*$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return plain === '' ? 'server' : plain.slice(0, 60);
}
