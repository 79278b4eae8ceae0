import { resolve } from 'node:path';
import { formatEvent, tailLog } from '@ambit/audit';
import { type Exit, exits } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { readingLog } from '../log-failure.js';

export async function logTail(
  host: Host,
  file: string,
  {
    follow = false,
    lines,
    json = false,
  }: { readonly follow?: boolean; readonly lines: number; readonly json?: boolean },
): Promise<Exit> {
  const end = new AbortController();
  const quiet = host.onInterrupt(() => end.abort());
  try {
    return await readingLog(host, async () => {
      for await (const { entry } of tailLog(resolve(host.folder, file), {
        lines,
        follow,
        signal: end.signal,
      }))
        await write(host.stdout, `${json ? jsonText(entry) : formatEvent(entry)}\n`);
      return exits.done;
    });
  } finally {
    quiet();
  }
}
