import { ProcessTransport } from './process-transport.js';
import { receiving } from './received.js';
import type { Place } from './resolve-site.js';
import type { Asked, McpProgram, McpServer } from './server-definition.js';
import { type ProcessToStart, ServerProcess } from './server-process.js';
import { findProgram } from './start-description.js';
import { StrictTransport } from './strict-transport.js';
import { loadSdk, webTransport } from './web-transport.js';

export interface Wire {
  readonly transport: StrictTransport;
  readonly end: () => Promise<void>;
  /** The last words of the server before it ended, for the end of a sentence. */
  readonly words: () => string;
}

export async function openWire(server: McpServer, around: Place & { readonly asked?: Asked }): Promise<Wire> {
  const { program } = server;
  const receive = receiving((await loadSdk()).parseJSONRPCMessage, around.asked !== undefined);
  if (program.transport === 'http') {
    if (around.resolved === null)
      throw new TypeError('the name of the server was not resolved before the connection');
    const { transport: inner, end } = await webTransport(program, around.resolved, receive);
    const transport = new StrictTransport(inner, false);
    return { transport, end, words: () => (transport.fault === null ? '' : `: ${transport.fault}`) };
  }
  around.signal.throwIfAborted();
  const running = new ServerProcess(processOf(program, around));
  const transport = new StrictTransport(new ProcessTransport(running, receive), true);
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

function processOf(program: McpProgram, { searchPath, home, started }: Place): ProcessToStart {
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

const mostWords = 500;
