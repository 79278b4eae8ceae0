import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { jsonText, printable } from '@ambit/core';
import { acceptPins, changePins, type Pins, pinFolder, readPins } from '@ambit/gateway';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { unifiedDiff } from '../../view/unified-diff.js';

interface PinOptions {
  readonly root?: string;
  readonly json?: boolean;
}

/** Exit code 1 where a change waits for a person. */
export async function listPins(host: Host, options: PinOptions): Promise<Exit> {
  const all = await known(host, options);
  if (options.json === true) await write(host.stdout, `${JSON.stringify({ servers: all }, null, 2)}\n`);
  else
    for (const { server, pins } of all) {
      const count = `${pins.accepted.length} accepted, ${pins.changed.length} changed`;
      await write(host.stdout, `${server}: ${printable(pins.server)}: ${count}\n`);
      for (const { tool, definition } of pins.changed) {
        const before = pins.accepted.find((pin) => pin.tool === tool)?.definition ?? null;
        await write(
          host.stdout,
          `${unifiedDiff(printable(tool), jsonText(before, 2), jsonText(definition, 2))}\n`,
        );
      }
    }
  return all.some(({ pins }) => pins.changed.length > 0) ? exits.bad : exits.done;
}

export async function accept(
  host: Host,
  { server, tools }: { readonly server: string; readonly tools: readonly string[] },
  options: PinOptions,
): Promise<Exit> {
  const all = await known(host, options);
  const found = all.find((each) => each.server === server);
  if (found === undefined)
    throw new UnusableError(
      `there is no server ${printable(server)}`,
      all.length === 0
        ? 'no server was started here'
        : `the servers are ${all.map((each) => each.server).join(', ')}`,
    );
  const unknown = tools.find((name) => found.pins.changed.every(({ tool }) => tool !== name));
  if (unknown !== undefined) throw new UnusableError(`${printable(unknown)} did not change`);
  const { count } = await changePins(found.file, (known) => {
    const pins = acceptPins(known ?? found.pins, tools);
    return { pins, count: (known ?? found.pins).changed.length - pins.changed.length };
  });
  await write(
    host.stdout,
    `accepted ${count} ${count === 1 ? 'definition' : 'definitions'}; they count from the next start\n`,
  );
  return exits.done;
}

interface KnownServer {
  readonly server: string;
  readonly file: string;
  readonly pins: Pins;
}

async function known(host: Host, { root = '.' }: PinOptions): Promise<readonly KnownServer[]> {
  const folder = await pinFolder(host.environment, resolve(host.folder, root));
  const names = await readdir(folder).catch(() => []);
  const all = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map(async (name) => {
        const file = join(folder, name);
        const pins = await readPins(file).catch((error: Error) => {
          throw new UnusableError(error.message);
        });
        return pins === null ? [] : [{ server: name.slice(0, -'.json'.length), file, pins }];
      }),
  );
  return all.flat();
}
