import { join, resolve } from 'node:path';
import { searchPathOf, usualSearchPath } from '@ambit/shell';
import {
  type McpServer,
  openRoots,
  type Resolve,
  type Resolved,
  type RunningServer,
  resolveSite,
  startServer,
  toolsetNameOf,
} from '@ambit/toolsets';
import { fingerprintStore } from '../trust/mcp-fingerprints.js';

/** The MCP servers of one run. Each starts once. */
export interface McpServers {
  readonly searchPath: readonly string[];
  /** The part of the state folder that belongs to the working folder. */
  readonly state: string;
  place(server: McpServer): McpServer;
  /** Null for a program. Asks the network: only after a permit. */
  resolve(server: McpServer): Promise<Resolved | null>;
  running(server: McpServer): Promise<RunningServer> | undefined;
  /** Rejects after the run's end. */
  start(
    server: McpServer,
    how: { readonly resolved: Resolved | null; readonly signal: AbortSignal },
  ): Promise<RunningServer>;
  /** Also ends starting servers. None starts afterwards. */
  close(): Promise<void>;
}

export interface McpSettings {
  readonly root: string;
  readonly home: string;
  /** The part of the state folder that belongs to the working folder. */
  readonly state: string;
  readonly writable: readonly string[];
  readonly resolve?: Resolve;
}

export function createMcpServers({ root, home, state, writable, resolve: names }: McpSettings): McpServers {
  const servers = new Map<string, Promise<RunningServer>>();
  const fingerprints = fingerprintStore(state);
  const searchPath = searchPathOf(usualSearchPath, rootsOf(writable));
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    const all = await Promise.allSettled(servers.values());
    await Promise.all(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
  }

  return {
    searchPath,
    state,
    place: (server) => {
      const { program } = server;
      if (program.transport === 'http') return server;
      const [command, folder] = [fromHome(program.command, home), fromHome(program.folder, home)];
      return { ...server, program: { ...program, command, folder: resolve(root, folder) } };
    },
    resolve: async ({ program }) => (program.transport === 'http' ? resolveSite(program, names) : null),
    running: (server) => servers.get(toolsetNameOf(server)),
    start: (server, { resolved, signal }) => {
      if (closing !== null) return Promise.reject(new Error('the run has ended'));
      const name = toolsetNameOf(server);
      const before = servers.get(name);
      if (before !== undefined) return before;
      const starting = startServer(server, { searchPath, home, resolved, signal, fingerprints });
      servers.set(name, starting);
      // One that did not start may be tried again, by another worker for instance.
      starting.catch(() => servers.delete(name));
      return starting;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** `~/` is the home folder, here as in roots and policies. */
export function fromHome(path: string, home: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}

function rootsOf(folders: readonly string[]) {
  return openRoots(
    [...new Set(folders)].map((folder, index) => ({ name: `root-${index}`, folder, mode: 'rw' })),
  );
}
