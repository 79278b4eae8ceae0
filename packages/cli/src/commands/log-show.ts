import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findCall, formatCall } from '@ambit/audit';
import { type Exit, UnusableError } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { readingLog } from '../log-failure.js';
import { verifiedLogs } from '../verified-logs.js';
import type { AskOptions } from './log-query.js';

export async function logShow(
  host: Host,
  call: string,
  { log, json = false, unverified = false }: AskOptions & { readonly log?: string },
): Promise<Exit> {
  const file =
    log === undefined ? await newestLog(join(host.folder, '.ambit', 'log')) : resolve(host.folder, log);
  return readingLog(host, async () => {
    const found = await findCall(file, call);
    if (!found.ok) {
      const hint =
        found.similar.length === 0 ? 'ambit log tail FILE' : `did you mean ${found.similar.join(', ')}?`;
      throw new UnusableError(found.message, hint);
    }
    const { story } = found;
    const { mark, banner, exit } = await verifiedLogs(host, [file], { unverified });
    const entries = story.lines.map(({ entry }) => entry);
    const document = { call: story.call, log: file, entries, ...mark };
    await write(host.stdout, json ? `${jsonText(document)}\n` : `${banner}${formatCall(story)}\n`);
    return exit;
  });
}

/** The log that was written to last. */
async function newestLog(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const logs = await Promise.all(
    names
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name) => ({ file: join(folder, name), time: (await stat(join(folder, name))).mtimeMs })),
  );
  const [newest] = logs.sort((one, other) => other.time - one.time || (one.file < other.file ? 1 : -1));
  if (newest === undefined)
    throw new UnusableError('there is no log in .ambit/log', 'name one with --log FILE');
  return newest.file;
}
