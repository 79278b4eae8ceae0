import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { counted, jsonText, printable } from '@ambit/core';
import { acceptPins, changePins, type Pin, type Pins, pinFolder, readPins, seenPins } from '@ambit/gateway';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { unifiedDiff } from '../../questions/difference.js';
import type { OptionsOf } from '../table/table.js';

/** Exit code 1 if a change waits for a person. */
export async function listPins(host: Host, options: OptionsOf<'gateway pins list'>): Promise<Exit> {
  const all = await readPinFiles(host, options);
  if (options.json === true) await write(host.stdout, `${JSON.stringify({ servers: all }, null, 2)}\n`);
  else
    for (const { server, pins } of all) {
      const count = `${pins.accepted.length} accepted, ${pins.changed.length} changed`;
      await write(host.stdout, `${server}: ${printable(pins.server)}: ${count}\n`);
      await showChanges(host, pins, pins.changed);
    }
  if (options.json !== true && all.length === 0) await write(host.stderr, 'no server was started here\n');
  for (const { file, pins } of all) await noteSeen(file, pins.changed);
  return all.some(({ pins }) => pins.changed.length > 0) ? exits.bad : exits.done;
}

async function showChanges(host: Host, { accepted }: Pins, changed: readonly Pin[]): Promise<void> {
  for (const { tool, definition } of changed) {
    const before = accepted.find((pin) => pin.tool === tool)?.definition ?? null;
    await print(host, unifiedDiff(printable(tool), jsonText(before, 2), jsonText(definition, 2)));
  }
}

/** Accepts only a definition that a person has seen: a server may change it again at any time. */
async function noteSeen(file: string, seen: readonly Pin[]): Promise<void> {
  if (seen.some(({ isSeen = false }) => !isSeen))
    await changePins(file, (known) => {
      if (known === null) throw new UnusableError(`${printable(file)} is gone`);
      return { pins: seenPins(known, seen) };
    });
}

/** Exit code 1 with the diff if a definition differs from the shown one: then nothing is accepted. */
export async function accept(
  host: Host,
  server: string,
  tools: readonly string[],
  options: OptionsOf<'gateway pins list'>,
): Promise<Exit> {
  const all = await readPinFiles(host, options);
  const found = all.find((each) => each.server === server);
  if (found === undefined) {
    const servers = all.map((each) => each.server).join(', ');
    const hint = servers === '' ? 'no server was started here' : `the servers are ${servers}`;
    throw new UnusableError(`there is no server ${printable(server)}`, hint);
  }
  const unknown = tools.find((name) => found.pins.changed.every(({ tool }) => tool !== name));
  if (unknown !== undefined) throw new UnusableError(`${unknown} did not change`, 'ambit gateway pins list');
  const { pins, count, unseen } = await changePins(found.file, (known) => {
    const now = known ?? found.pins;
    const chosen = now.changed.filter(({ tool }) => tools.length === 0 || tools.includes(tool));
    const unseen = chosen.filter(({ isSeen = false }) => !isSeen);
    return { pins: unseen.length > 0 ? now : acceptPins(now, chosen), count: chosen.length, unseen };
  });
  if (unseen.length > 0) {
    if (options.json === true) await print(host, { accepted: 0, changed: unseen });
    else await showChanges(host, pins, unseen);
    await noteSeen(found.file, unseen);
    await write(host.stderr, `${notAccepted}\n`);
    return exits.bad;
  }
  const said = `accepted ${counted(count, 'definition')}; they count from the next start`;
  await print(host, options.json === true ? { accepted: count, changed: [] } : said);
  return exits.done;
}

const notAccepted = 'nothing was accepted: this was not shown before. To accept it, repeat the command';

async function readPinFiles(host: Host, { root = '.' }: OptionsOf<'gateway pins list'>) {
  const folder = await pinFolder(host.environment, resolve(host.folder, root));
  const names = await readdir(folder).catch(() => []);
  const all = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map(async (name) => {
        const file = join(folder, name);
        const pins = await readPins(file);
        return pins === null ? [] : [{ server: name.slice(0, -'.json'.length), file, pins }];
      }),
  );
  return all.flat();
}
