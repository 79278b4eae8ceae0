import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '@ambit/core';
import { usualSearchPath } from '@ambit/shell';
import {
  type Asked,
  type FingerprintStore,
  listedTool,
  type McpServer,
  resolveSite,
  startServer,
} from '@ambit/toolsets';
import { comparePins, instructionsPin } from '../pins/compare-pins.js';
import { type Pins, pinFileOf, pinFolder, readPins, writePins } from '../pins/pin-file.js';
import { type Notice, noticeOf } from '../serve/notices.js';
import type { Served } from '../serve/routes.js';
import type { Downstream } from '../serve/serve.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is around the servers of one client. */
export interface Around extends Downstream {
  readonly root: string;
  readonly home: string;
  readonly environment: Environment;
  readonly searchPath: readonly string[];
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** A server that runs, with what paths mean in its arguments. */
export interface OpenServed extends Served {
  readonly world: {
    readonly homes: readonly string[];
    readonly folder: string;
    readonly guarded: readonly never[];
  };
}

/** Starts a server that may start, and compares its definitions with those that were accepted. */
export async function openServed(server: McpServer, around: Around): Promise<OpenServed> {
  const { environment, root, home, searchPath, say, signal } = around;
  const { program, key, prefix } = server;
  const file = pinFileOf(await pinFolder(environment, root), server);
  const pins = await readPins(file);
  const subscribed = new Set<unknown>();
  const asked: Asked = {
    roots: [pathToFileURL(root).href],
    elicit: (params, cancelled) => around.elicit(params, { server: key, signal: cancelled }),
    notified(method: string, params: JsonObject) {
      const notice: Notice | null = noticeOf({ method, params }, { subscribed, prefix });
      if (notice !== null) around.notify(notice);
    },
  };
  const running = await startServer(server, {
    searchPath,
    home,
    signal,
    asked,
    resolved: program.transport === 'http' ? await resolveSite(program) : null,
    fingerprints: fingerprintsIn(pins),
  });
  try {
    const said = program.transport === 'http' ? program.url : [program.command, ...program.args].join(' ');
    const { instructions } = running.greeting;
    const pinned = [{ name: instructionsPin, instructions }, ...running.definitions];
    const compared = comparePins(pinned, { server: said, known: pins });
    // Before anything is offered: a definition that is not kept would count as first seen again.
    await writePins(file, compared.pins);
    for (const [tool, why] of compared.refused) say(`${prefix}${tool} is not offered: ${why}`);
    if (compared.pins.changed.length > 0)
      say('see the changes with `ambit gateway pins list`, accept them with `ambit gateway pins accept`');
    const folder = program.transport === 'http' ? root : program.folder;
    return { running, refused: compared.refused, subscribed, world: { homes: [home], folder, guarded: [] } };
  } catch (error) {
    await running.close();
    throw error;
  }
}

/** Definitions are compared here; those that were accepted are the first that were seen. */
function fingerprintsIn(pins: Pins | null): FingerprintStore {
  const known = (pins?.accepted ?? []).flatMap(({ tool, definition }) => {
    const listed = tool === instructionsPin ? null : listedTool(definition);
    return listed === null ? [] : [[tool, listed.fingerprint] as const];
  });
  return { read: async () => new Map(known), add: async () => undefined };
}

export function pathOf({ PATH = '' }: Environment): readonly string[] {
  const folders = PATH.split(':').filter((folder) => isAbsolute(folder));
  return folders.length === 0 ? usualSearchPath : folders;
}
