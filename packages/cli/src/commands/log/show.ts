import { existsSync } from 'node:fs';
import { findCall, formatCall, formatEvent, tailLog } from '@ambit/audit';
import { jsonText, printable } from '@ambit/core';
import { type Exit, exits, readingLog, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { logNamed, newestLog } from './log-named.js';
import type { AskOptions } from './query.js';
import { verifiedLogs } from './verified-logs.js';

export async function logShow(
  host: Host,
  call: string,
  { log, json = false, unverified = false }: AskOptions & { readonly log?: string },
): Promise<Exit> {
  const file = log === undefined ? await newestLog(host) : await logNamed(host, log);
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

export async function logTail(
  host: Host,
  file: string,
  {
    follow = false,
    lines,
    json = false,
    unverified = false,
  }: AskOptions & { readonly follow?: boolean; readonly lines: number },
): Promise<Exit> {
  const end = new AbortController();
  const quiet = host.onInterrupt(() => end.abort());
  const path = await logNamed(host, file);
  try {
    if (follow && !existsSync(path))
      await write(host.stderr, `ambit: ${printable(path)} does not exist yet; waiting for it\n`);
    return await readingLog(host, async () => {
      // Entries appended during `--follow` are not verified.
      const { mark, banner, exit } = existsSync(path)
        ? await verifiedLogs(host, [path], { unverified })
        : { mark: {}, banner: '', exit: exits.done };
      if (!json) await write(host.stdout, banner);
      for await (const { entry } of tailLog(path, { lines, follow, signal: end.signal }))
        await write(host.stdout, `${json ? jsonText({ ...entry, ...mark }) : formatEvent(entry)}\n`);
      return exit;
    });
  } finally {
    quiet();
  }
}
