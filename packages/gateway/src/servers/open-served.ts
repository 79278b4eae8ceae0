import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type JsonObject, shellWord } from '@ambit/core';
import type { Environment } from '@ambit/runtime';
import { type ConfinedProgram, confinedProgram, usualSearchPath } from '@ambit/shell';
import {
  type Asked,
  type CarriedWorld,
  type FingerprintStore,
  findProgram,
  listedTool,
  openRoots,
  realPathOf,
  resolveSite,
  startServer,
} from '@ambit/toolsets';
import { comparePins, instructionsPin, toolPins } from '../pins/compare-pins.js';
import { EntryPins } from '../pins/entry-pins.js';
import { changePins, type Pins, pinFileOf, pinFolder, readPins } from '../pins/pin-file.js';
import { type Notice, noticeOf } from '../serve/notices.js';
import type { Served } from '../serve/routes.js';
import type { Downstream } from '../serve/serve.js';
import type { Tasks } from '../serve/task-state.js';
import { type Starting, startDescription } from '../upstream/start-tool.js';
import { type HostProxy, openHostProxy, reachedIn, throughProxy } from './host-proxy.js';
import { restartable, type StartedServer } from './restartable.js';
import { watchedMark } from './watcher.js';

/** The surroundings of one client's servers. */
export interface Surroundings extends Downstream {
  readonly root: string;
  readonly home: string;
  readonly environment: Environment;
  readonly searchPath: readonly string[];
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** A running server, with the meaning of paths in its arguments. */
export interface OpenServed extends Served {
  readonly world: CarriedWorld;
  /** Ends the server, with everything that runs for it. */
  close(): Promise<void>;
}

/** Starts a server, and compares its definitions with the accepted ones. */
export async function openServed(starting: Starting, surroundings: Surroundings): Promise<OpenServed> {
  const { server } = starting;
  const { environment, root, home, say } = surroundings;
  const { program, key, prefix } = server;
  const file = pinFileOf(await pinFolder(environment, root), server);
  const pins = await readPins(file);
  const subscribed = new Set<unknown>();
  const tasks: Tasks = new Map();
  const asked: Asked = {
    roots: [pathToFileURL(root).href],
    answer: (method, params, cancelled) =>
      surroundings.answer({ method, params, server: key, signal: cancelled }),
    notified(method: string, params: JsonObject) {
      const notice: Notice | null = noticeOf({ method, params }, { subscribed, prefix });
      if (notice !== null) surroundings.notify(notice);
    },
  };
  const ending = new AbortController();
  const signal = AbortSignal.any([surroundings.signal, ending.signal]);
  const begin = (definitions: readonly unknown[]) =>
    startOnce(starting, { ...surroundings, signal }, { asked, file, definitions });
  const first = await begin(
    (pins?.accepted ?? []).flatMap(({ tool, definition }) => (tool.includes(' ') ? [] : [definition])),
  );
  const again = restartable(first, async () => {
    const next = await begin(first.running.definitions);
    // Nobody knows what has become of them.
    for (const task of tasks.values()) task.end('the server ended before its task');
    tasks.clear();
    subscribed.clear();
    say(`${key}: the server had ended, and was started again`);
    return next;
  });
  const folder = program.transport === 'http' ? root : program.folder;
  return {
    ...again,
    entries: new EntryPins(file, first.pins, (line) => say(`${prefix}${line}`)),
    subscribed,
    tasks,
    starting,
    world: { homes: [home], folder, guarded: [] },
    close: async () => {
      ending.abort();
      await again.close();
    },
  };
}

/** One start of a server. Leaves nothing running on failure. `definitions`: those that its tools are compared with. */
async function startOnce(
  starting: Starting,
  surroundings: Omit<Surroundings, keyof Downstream>,
  {
    asked,
    file,
    definitions,
  }: { readonly asked: Asked; readonly file: string; readonly definitions: readonly unknown[] },
): Promise<StartedServer & { readonly pins: Pins }> {
  const { server } = starting;
  const { searchPath, home, signal, say } = surroundings;
  const { program, prefix } = server;
  const { started, proxy } = await programToStart(starting, surroundings);
  const running = await startServer(server, {
    searchPath,
    home,
    signal,
    asked,
    ...(started !== null && { started }),
    resolved: program.transport === 'http' ? await resolveSite(program) : null,
    fingerprints: fingerprintsOf(definitions),
  }).catch(async (error: unknown) => {
    await proxy?.close();
    throw error;
  });
  const close = async () => {
    await running.close();
    await proxy?.close();
  };
  try {
    const said = program.transport === 'http' ? program.url : [program.command, ...program.args].join(' ');
    const { instructions } = running.greeting;
    const greeted = { tool: instructionsPin, definition: { name: instructionsPin, instructions } };
    const pinned = [greeted, ...toolPins(running.definitions)];
    // Pins are stored before any tool is offered: a definition that is not stored would count as first seen
    // again.
    const compared = await changePins(file, (known) => comparePins(pinned, { server: said, known }), {
      signal,
    });
    for (const [tool, why] of compared.refused) say(`${prefix}${tool} is not offered: ${why}`);
    if (compared.pins.changed.length > 0)
      say('see the changes with `ambit gateway pins list`, accept them with `ambit gateway pins accept`');
    return { running, ...compared, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface ProgramToStart {
  /** Null for a server over HTTP. */
  readonly started: Pick<ConfinedProgram, 'path' | 'args' | 'environment'> | null;
  /** The proxy for the permitted hosts; null if no host is permitted, or all are. */
  readonly proxy: HostProxy | null;
}

/** The program of a server, with its mark; a confined one runs within its judged bounds. */
async function programToStart(
  starting: Starting,
  { root, home, searchPath, say }: Pick<Surroundings, 'root' | 'home' | 'searchPath' | 'say'>,
): Promise<ProgramToStart> {
  const { server, isolation } = starting;
  const { program } = server;
  if (isolation === null && program.transport === 'http') return { started: null, proxy: null };
  if (program.transport === 'http')
    throw new Error('a server over HTTP runs elsewhere, and cannot be confined');
  const found = findProgram(program, searchPath);
  if (found === null) throw new Error(`there is no program \`${program.command}\``);
  const mark = watchedMark();
  if (isolation === null)
    return { started: { path: found.path, args: program.args, environment: mark }, proxy: null };
  const { capabilities } = await startDescription(starting, { home, searchPath });
  const writes = isolation.writes.map((folder, index) => ({
    name: `write${index + 1}`,
    folder,
    mode: 'rw' as const,
  }));
  // The secrets of a root are hidden.
  const project = writes.some(({ folder }) => realPathOf(folder) === root)
    ? []
    : [{ name: 'project', folder: root, mode: 'ro' as const }];
  const reached = reachedIn(capabilities);
  const refused = (host: string) => say(`${server.prefix}the server may not reach ${host}`);
  const proxy = reached === null || reached.length === 0 ? null : await openHostProxy(reached, refused);
  try {
    const own = [found.path, ...program.args];
    const words = proxy === null ? own : throughProxy(proxy, own);
    const started = await confinedProgram({
      command: `exec ${words.map(shellWord).join(' ')}`,
      folder: program.folder,
      roots: openRoots([...project, ...writes], { home }),
      home,
      searchPath,
      // A confined program has the whole network or none. With hosts it has none, and reaches them through the proxy.
      described:
        reached === null ? capabilities : capabilities.filter(({ name }) => !/^net(?:\.|$)/.test(name)),
    });
    if (started === null) throw new Error('this machine has no isolation for programs, see `ambit doctor`');
    return { started: { ...started, environment: { ...started.environment, ...mark } }, proxy };
  } catch (error) {
    await proxy?.close();
    throw error;
  }
}

/** Definitions are compared here; the first definition that was seen counts as accepted. */
function fingerprintsOf(definitions: readonly unknown[]): FingerprintStore {
  const known = definitions.flatMap((definition) => {
    const listed = listedTool(definition);
    return listed === null ? [] : [[listed.name, listed.fingerprint] as const];
  });
  return { read: async () => new Map(known), add: async () => undefined };
}

export function pathOf({ PATH = '' }: Environment): readonly string[] {
  const folders = PATH.split(':').filter((folder) => isAbsolute(folder));
  return folders.length === 0 ? usualSearchPath : folders;
}
