import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { jsonText, printable } from '@ambit/core';
import { acceptPins, changePins, type Pin, type Pins, pinFolder, readPins, seenPins } from '@ambit/gateway';
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
      await showChanges(host, pins, pins.changed);
    }
  for (const { file, pins } of all) await noteSeen(file, pins.changed);
  return all.some(({ pins }) => pins.changed.length > 0) ? exits.bad : exits.done;
}

async function showChanges(host: Host, { accepted }: Pins, changed: readonly Pin[]): Promise<void> {
  for (const { tool, definition } of changed) {
    const before = accepted.find((pin) => pin.tool === tool)?.definition ?? null;
    const diff = unifiedDiff(printable(tool), jsonText(before, 2), jsonText(definition, 2));
    await write(host.stdout, `${diff}\n`);
  }
}

/** Only what a person has seen is accepted: a server may change a definition again at any time. */
async function noteSeen(file: string, seen: readonly Pin[]): Promise<void> {
  if (seen.some(({ isSeen = false }) => !isSeen))
    await changePins(file, (known) => {
      if (known === null) throw new UnusableError(`${printable(file)} is gone`);
      return { pins: seenPins(known, seen) };
    });
}

/** Exit code 1, with the diff, where a definition is another one than was shown: nothing is accepted then. */
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
  const { pins, count, unseen } = await changePins(found.file, (known) => {
    const now = known ?? found.pins;
    const chosen = now.changed.filter(({ tool }) => tools.length === 0 || tools.includes(tool));
    const unseen = chosen.filter(({ isSeen = false }) => !isSeen);
    return { pins: unseen.length > 0 ? now : acceptPins(now, tools), count: chosen.length, unseen };
  });
  if (unseen.length > 0) {
    await showChanges(host, pins, unseen);
    await noteSeen(found.file, unseen);
    await write(
      host.stderr,
      'nothing was accepted: this was not shown before. To accept it, repeat the command\n',
    );
    return exits.bad;
  }
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
