import { existsSync } from 'node:fs';
import { formatEvent, tailLog } from '@ambit/audit';
import { printable } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { readingLog } from '../../log-failure.js';
import { jsonText } from '../../view/json-text.js';
import { logNamed } from './log-named.js';
import type { AskOptions } from './query.js';
import { verifiedLogs } from './verified-logs.js';

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
      await write(host.stderr, `ambit: ${printable(path)} is not there yet, and is waited for\n`);
    return await readingLog(host, async () => {
      // What is appended while it is followed is not verified.
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
