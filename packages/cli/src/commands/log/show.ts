import { existsSync } from 'node:fs';
import { findCall, formatCall, formatEvent, tailLog } from '@ambit/audit';
import { printable } from '@ambit/core';
import { type Exit, exits, readingLog, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { logNamed, newestLog } from './log-named.js';
import { type Unverified, verifiedLogs } from './verified-logs.js';

export async function logShow(
  host: Host,
  call: string,
  { log, json, unverified }: Unverified & { readonly log?: string },
): Promise<Exit> {
  const file = log === undefined ? await newestLog(host) : await logNamed(host, log);
  return readingLog(async () => {
    const found = await findCall(file, call);
    if (!found.ok) {
      const like = found.similar.length === 0 ? [] : [`did you mean ${found.similar.join(', ')}?`];
      const others = log === undefined ? ['only the newest log was searched; --log RUN names another'] : [];
      throw new UnusableError(found.message, [...like, ...others].join(' ') || 'ambit log tail FILE');
    }
    const { story } = found;
    const { mark, banner, exit } = await verifiedLogs(host, [file], { unverified });
    const entries = story.lines.map(({ entry }) => entry);
    const document = { call: story.call, log: file, entries, ...mark };
    await print(host, json ? document : `${banner}${formatCall(story)}`);
    return exit;
  });
}

export async function logTail(
  host: Host,
  file: string,
  { follow = false, lines, json, unverified }: Unverified & { follow?: boolean; lines: number },
): Promise<Exit> {
  const end = new AbortController();
  const quiet = host.onInterrupt(() => end.abort());
  const path = await logNamed(host, file);
  try {
    if (follow && !existsSync(path))
      await write(host.stderr, `ambit: ${printable(path)} does not exist yet; waiting for it\n`);
    return await readingLog(async () => {
      // Entries appended during `--follow` are not verified.
      const { mark, banner, exit } = existsSync(path)
        ? await verifiedLogs(host, [path], { unverified })
        : { mark: {}, banner: '', exit: exits.done };
      if (!json) await write(host.stdout, banner);
      for await (const { entry } of tailLog(path, { lines, follow, signal: end.signal }))
        await print(host, json ? { ...entry, ...mark } : formatEvent(entry));
      return exit;
    });
  } finally {
    quiet();
  }
}
